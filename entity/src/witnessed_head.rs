//! A signed head of another server's audit log, which it asked this one to remember.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "witnessed_head")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    /// The other server's workspace.
    #[sea_orm(primary_key, auto_increment = false)]
    pub of_workspace: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: String,
    /// The head as JSON, with its signature.
    #[sea_orm(column_type = "Text")]
    pub head: String,
    pub received_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
