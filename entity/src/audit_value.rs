//! A personal value of an audit entry, which can be erased.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_value")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: Uuid,
    /// Which part of the entry it is.
    #[sea_orm(primary_key, auto_increment = false)]
    pub part: String,
    /// Whose it is.
    pub person_id: Option<Uuid>,
    pub salt: Vec<u8>,
    /// JSON.
    #[sea_orm(column_type = "Text")]
    pub value: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
