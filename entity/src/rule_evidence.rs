//! Whether people agreed with an auto-approval rule.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rule_evidence")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub checkpoint_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule: String,
    pub workspace_id: Uuid,
    pub execution_id: Uuid,
    /// Of the rule's conditions: what people say about others says nothing about these.
    pub fingerprint: String,
    pub agreed: bool,
    /// Microseconds since 1970.
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
