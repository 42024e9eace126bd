//! An execution whose events up to a number are not in the rollups yet.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rollup_backlog")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub execution_id: Uuid,
    pub seq: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
