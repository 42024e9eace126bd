//! The server's signature under an audit log, up to an entry.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_signature")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub sequence: i64,
    pub hash: String,
    /// As it was signed.
    pub at: String,
    /// The public key.
    pub key: String,
    /// How long later entries wait for the next one at most, in seconds.
    pub interval_seconds: Option<i64>,
    pub signature: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
