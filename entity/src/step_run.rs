//! One step of an execution that has begun, as the journal adds up.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "step_run")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub execution_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i32,
    pub status: String,
    pub attempt: i32,
    pub agent_id: Option<Uuid>,
    pub agent_version: i32,
    /// The server that does the work itself.
    pub server_id: Option<Uuid>,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
    pub retry_at: Option<i64>,
    /// The event that ended it.
    pub finished_seq: Option<i64>,
    pub llm_calls: i64,
    pub tokens: i64,
    pub cost_micros: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
