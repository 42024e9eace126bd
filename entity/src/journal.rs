//! Things that happened to an execution, one or some that were written together. Never changed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "journal")]
pub struct Model {
    /// That of the last line.
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    pub workspace_id: Uuid,
    pub execution_id: Uuid,
    /// The number of the last line within its execution; none for comments such as log lines.
    pub seq: Option<i64>,
    pub at: i64,
    /// Of each line, with spaces in between.
    pub kind: String,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    /// What happened, as a list where there are several lines; nothing where it is packed.
    pub data: String,
    /// A long text, compressed.
    pub packed: Option<Vec<u8>>,
    /// How many lines it has.
    pub lines: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
