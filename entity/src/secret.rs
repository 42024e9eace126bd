//! A value that agents refer to by name and nobody reads again.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "secret")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub name: String,
    /// Only the server's key opens it.
    pub sealed: Vec<u8>,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub updated_by: Option<Uuid>,
    /// Where it may be sent, as a JSON list; absent: from before there were bindings.
    pub hosts: Option<String>,
    /// Which agents may send it, as a JSON list; absent: any.
    pub agents: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
