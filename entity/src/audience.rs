//! Who may decide, once for all checkpoints of which that is true.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audience")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    /// A list of texts such as `group:finance`.
    #[sea_orm(column_type = "Text")]
    pub members: String,
    /// A list of those who may not decide all the same.
    #[sea_orm(column_type = "Text")]
    pub barred: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
