//! One line of the audit log.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub position: i64,
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub at: DateTimeUtc,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    pub action: String,
    pub subject: Option<String>,
    pub details: Json,
    /// The place in the workspace's chain; nothing only between a migration and the first start after it.
    pub sequence: Option<i64>,
    /// The hash of the entry before it.
    pub previous: Option<String>,
    pub hash: Option<String>,
    /// The person behind the actor.
    pub person_id: Option<Uuid>,
    pub on_behalf_of: Option<Uuid>,
    pub execution_id: Option<Uuid>,
    /// Of what the actor saw.
    pub digest: Option<String>,
    pub before: Option<Json>,
    pub after: Option<Json>,
    /// The commitments to the personal values, by part.
    pub personal: Option<Json>,
    /// Stands for the signature under the entry before it.
    pub seal: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
