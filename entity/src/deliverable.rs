//! Something that an execution leaves behind. Its content is in its versions.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "deliverable")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub execution_id: Uuid,
    pub step: Option<i32>,
    pub agent_id: Option<Uuid>,
    pub checkpoint_id: Option<Uuid>,
    pub name: String,
    /// The name as searches see it.
    pub folded_name: String,
    #[sea_orm(column_type = "Text")]
    pub description: String,
    pub r#type: String,
    pub status: String,
    /// What restoring makes of it.
    pub status_before: Option<String>,
    /// The newest one.
    pub version: i32,
    /// Microseconds since 1970, like all times here.
    pub created_at: i64,
    pub updated_at: i64,
    pub archived_at: Option<i64>,
    pub content_deleted_at: Option<i64>,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
