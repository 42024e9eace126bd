//! A workflow's document that is being worked on.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "workflow_draft")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workflow_id: Uuid,
    /// JSON, kept as its text.
    #[sea_orm(column_type = "Text")]
    pub document: String,
    pub updated_at: DateTimeUtc,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
