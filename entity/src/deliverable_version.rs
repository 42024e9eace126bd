//! One content of a deliverable, or where it is. Only its deletion changes it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "deliverable_version")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub deliverable_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i32,
    pub storage: String,
    pub mime_type: String,
    pub size: Option<i64>,
    /// In hexadecimal.
    pub sha256: Option<String>,
    pub crc32: Option<i64>,
    pub object_key: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub url: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub metadata: Option<String>,
    pub created_at: i64,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
