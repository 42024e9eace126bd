//! A policy's document at one version.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "policy_version")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    #[sea_orm(column_type = "Text")]
    pub document: String,
    /// Whether it came through the API or from the operator's file.
    pub source: String,
    pub created_at: DateTimeUtc,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
