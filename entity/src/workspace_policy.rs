//! Which policy is in force in a workspace, and whether nothing may be approved without people.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "workspace_policy")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    /// Nothing for the policy that is built in.
    pub version: Option<i32>,
    pub emergency_stop: bool,
    #[sea_orm(column_type = "Text", nullable)]
    pub stop_reason: Option<String>,
    pub stopped_at: Option<DateTimeUtc>,
    /// Grows with every change.
    pub epoch: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
