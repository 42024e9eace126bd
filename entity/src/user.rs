//! A person's account in one workspace (`user` is a reserved word in SQL).

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "user_account")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub email: String,
    pub display_name: String,
    /// As searches compare it.
    pub folded_name: String,
    pub password_hash: Option<String>,
    /// When the provider issued the token that the roles come from.
    pub roles_issued_at: Option<DateTimeUtc>,
    pub created_at: DateTimeUtc,
    pub disabled_at: Option<DateTimeUtc>,
    /// Since when nothing personal is left of the account.
    pub erased_at: Option<DateTimeUtc>,
    pub last_sign_in_at: Option<DateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
