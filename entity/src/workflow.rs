//! A named graph of steps. Its documents are in `workflow_version` and `workflow_draft`.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "workflow")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub name: String,
    /// The name in lower case, for searches: SQLite's own `lower` knows only ASCII.
    pub folded_name: String,
    #[sea_orm(column_type = "Text")]
    pub description: String,
    /// Absent while there is only a draft.
    pub latest_version: Option<i32>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub archived_at: Option<DateTimeUtc>,
    /// Kept by the server for itself.
    pub hidden: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
