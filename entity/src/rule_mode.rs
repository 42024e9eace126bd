//! An auto-approval rule that has earned or lost the right to approve.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rule_mode")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub fingerprint: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule: String,
    pub mode: String,
    /// What the document said when it earned this.
    pub declared: String,
    /// How often people had agreed, from 0 to 1.
    pub agreement: f64,
    /// Among how many decisions.
    pub decisions: i32,
    pub since: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
