//! One line of the audit log.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub position: i64,
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub at: DateTimeUtc,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    pub action: String,
    pub subject: Option<String>,
    pub address: Option<String>,
    pub details: Json,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
