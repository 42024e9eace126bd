//! A place where an execution waits for people, as its journal adds up.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "checkpoint")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub execution_id: Uuid,
    pub workflow_id: Uuid,
    pub step: Option<i32>,
    pub agent_id: Option<Uuid>,
    pub kind: String,
    pub status: String,
    /// Whether its execution is a test.
    pub test: bool,
    pub operation_type: String,
    #[sea_orm(column_type = "Text")]
    pub description: String,
    pub risk_level: String,
    /// From 0, the most urgent.
    pub risk_order: i32,
    pub confidence: Option<f64>,
    pub estimated_cost: Option<i64>,
    /// How many items it has; nothing if it is decided as a whole.
    pub items: Option<i32>,
    pub rule: Option<String>,
    pub policy: Option<i32>,
    /// Who may decide.
    pub audience: Option<String>,
    pub approvals: i32,
    pub approvals_needed: i32,
    pub assignee_id: Option<Uuid>,
    pub revision: i32,
    pub digest: String,
    /// Microseconds since 1970, like all times here.
    pub requested_at: i64,
    pub deadline: Option<i64>,
    /// The deadline, or the end of time.
    pub deadline_order: i64,
    pub escalated_at: Option<i64>,
    pub reminders: i32,
    pub resolved_at: Option<i64>,
    /// Whether people approved something else than was proposed.
    pub modified: bool,
    /// When somebody would not have approved what a rule did.
    pub overridden_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
