//! A signed-in browser or device.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub user_id: Uuid,
    /// SHA-256 of the refresh token that is good now.
    pub refresh_hash: Vec<u8>,
    /// SHA-256 of the one before it, to notice a stolen token and to forgive a race of two tabs or an answer that was lost.
    pub previous_hash: Option<Vec<u8>>,
    pub rotated_at: DateTimeUtc,
    /// How often the refresh token has been replaced. Access tokens name the generation that they came with.
    pub generation: i32,
    /// Whether an access token of this generation has been used, so that its answer is known to have arrived.
    pub used: bool,
    pub created_at: DateTimeUtc,
    pub expires_at: DateTimeUtc,
    pub ended_at: Option<DateTimeUtc>,
    pub address: Option<String>,
    pub user_agent: Option<String>,
    /// Whether it only reads, because somebody else made the link that opened it.
    pub held: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
