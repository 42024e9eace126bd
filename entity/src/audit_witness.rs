//! What a place outside the database was last told of an audit log.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_witness")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub place: String,
    /// The signed head that it has.
    pub sequence: Option<i64>,
    pub hash: Option<String>,
    pub witnessed_at: Option<DateTimeUtc>,
    /// When it last could not be told, if not since.
    pub failed_at: Option<DateTimeUtc>,
    #[sea_orm(column_type = "Text", nullable)]
    pub failure: Option<String>,
    /// How often in a row.
    pub failures: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
