//! A checkpoint at which people wanted something else than was proposed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "learning_case")]
pub struct Model {
    /// That of its checkpoint.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub execution_id: Uuid,
    pub workflow_id: Uuid,
    pub agent_id: Option<Uuid>,
    pub kind: String,
    /// Whether its execution is a test.
    pub test: bool,
    pub operation_type: String,
    pub risk_level: String,
    pub person_id: Uuid,
    #[sea_orm(column_type = "Text", nullable)]
    pub reason: Option<String>,
    /// A list of what was changed, in short.
    #[sea_orm(column_type = "Text")]
    pub changes: String,
    /// What the agent proposed.
    pub proposed_revision: i32,
    /// What was decided on.
    pub decided_revision: i32,
    /// Microseconds since 1970.
    pub at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
