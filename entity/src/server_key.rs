//! The server's own secrets, shared by all processes on one database.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "server_key")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub purpose: String,
    pub secret: Vec<u8>,
    pub created_at: DateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
