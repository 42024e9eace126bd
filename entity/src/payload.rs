//! A value that is too large to stand in the journal.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "payload")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    /// The SHA-256 of its text.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Of the text, before compression.
    pub bytes: i64,
    pub body: Vec<u8>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
