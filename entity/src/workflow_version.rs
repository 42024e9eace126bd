//! A workflow's document as it was saved.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "workflow_version")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workflow_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub version: i32,
    /// JSON, kept as its text.
    #[sea_orm(column_type = "Text")]
    pub document: String,
    /// The version that this one brings back.
    pub restored_from: Option<i32>,
    pub created_at: DateTimeUtc,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
