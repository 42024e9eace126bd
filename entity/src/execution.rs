//! One run of a workflow, as its journal adds up.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "execution")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub workflow_id: Uuid,
    pub workflow_version: i32,
    pub mode: String,
    pub status: String,
    pub completion_reason: Option<String>,
    /// The number of the latest event.
    pub seq: i64,
    pub steps_total: i32,
    pub steps_done: i32,
    pub correlation_id: Option<String>,
    pub origin_id: Option<Uuid>,
    pub origin_kind: Option<String>,
    pub origin_step: Option<String>,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    /// Microseconds since 1970, like all times here.
    pub created_at: i64,
    pub started_at: Option<i64>,
    pub finished_at: Option<i64>,
    /// Microseconds of running before `running_since`.
    pub ran_for: i64,
    pub running_since: Option<i64>,
    /// When it must be looked at again.
    pub wake_at: Option<i64>,
    pub llm_calls: i64,
    pub tokens: i64,
    pub cost_micros: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
