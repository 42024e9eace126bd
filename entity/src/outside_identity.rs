//! Under which name an outside identity provider knows the owner of an account.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "outside_identity")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    /// Who says it: the `iss` of its tokens.
    #[sea_orm(primary_key, auto_increment = false)]
    pub issuer: String,
    /// Whom it means: the `sub` of its tokens, which stays the same when a name or an address changes.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: String,
    pub user_id: Uuid,
    pub linked_at: DateTimeUtc,
    /// Whether it only reads, because somebody else linked it to an account in use.
    pub held: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
