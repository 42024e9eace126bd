//! Where a workspace's audit log ends.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_head")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    /// The place of the last entry in the chain.
    pub sequence: i64,
    pub hash: String,
    /// Up to where the chain is signed.
    pub signed: i64,
    /// Stands for the signature under the last entry, for the next one to cover.
    pub seal: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
