//! Figures of one kind in one slot of time, as the journal adds up.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rollup")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub workspace_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub resolution: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub measure: String,
    /// Where it begins, in quarters of an hour since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub slot: i32,
    /// All zeros where there is none, as the other ids.
    #[sea_orm(primary_key, auto_increment = false)]
    pub workflow_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub agent_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub person_id: Uuid,
    /// Empty where there is none.
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub word: String,
    pub count: i64,
    pub micros: i64,
    pub llm_calls: i64,
    pub tokens: i64,
    pub cost_micros: i64,
    /// How many took how long, in bins.
    pub durations: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
