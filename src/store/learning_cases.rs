//! Cases to learn from: people wanted something else than was proposed.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};

use super::{
    Result, Store, grouped, micros,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, of_workspace},
    together::{MOST_PARTS, together},
};
use crate::domain::{
    access::Scope,
    agent::RiskLevel,
    checkpoint::{Change, Kind, LessonKind, Status},
    id::{AgentId, CheckpointId, ExecutionId, LearningCaseId, UserId, WorkflowId},
};

/// One such case.
#[derive(Debug, Clone, PartialEq)]
pub struct LearningCase {
    pub id: LearningCaseId,
    pub execution: ExecutionId,
    pub workflow: WorkflowId,
    pub agent: Option<AgentId>,
    pub kind: LessonKind,
    /// Whether its execution was a test.
    pub test: bool,
    pub operation_type: String,
    pub risk_level: RiskLevel,
    pub person: UserId,
    pub reason: Option<String>,
    /// What was changed, in short.
    pub changes: Vec<Change>,
    /// The revision that the agent proposed, and the one that was decided on.
    pub proposed: u32,
    pub decided: u32,
    pub at: DateTime<Utc>,
}

impl LearningCase {
    pub fn checkpoint(&self) -> CheckpointId {
        CheckpointId(self.id.0)
    }
}

impl From<entity::learning_case::Model> for LearningCase {
    fn from(row: entity::learning_case::Model) -> Self {
        Self {
            id: LearningCaseId(row.id),
            execution: ExecutionId(row.execution_id),
            workflow: WorkflowId(row.workflow_id),
            agent: row.agent_id.map(AgentId),
            // The database's checks know these words.
            kind: row.kind.parse().unwrap_or(LessonKind::Rejected),
            test: row.test,
            operation_type: row.operation_type,
            risk_level: row.risk_level.parse().unwrap_or(RiskLevel::Critical),
            person: UserId(row.person_id),
            reason: row.reason,
            changes: serde_json::from_str(&row.changes).unwrap_or_default(),
            proposed: row.proposed_revision.unsigned_abs(),
            decided: row.decided_revision.unsigned_abs(),
            at: micros::to_time(row.at),
        }
    }
}

/// Which cases a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub operation_type: Option<String>,
    pub kinds: Vec<LessonKind>,
    pub workflow: Option<WorkflowId>,
    pub agent: Option<AgentId>,
    /// When people decided.
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    /// Those of tests are left out otherwise.
    pub tests: bool,
}

/// The order of the cases: that in which the checkpoints were asked for.
pub const BY_AGE: &str = "learning_case.age";

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::learning_case::Entity> {
    use entity::learning_case::Column;
    let mut query = of_workspace::<entity::learning_case::Entity>(scope);
    if let Some(operation_type) = &filter.operation_type {
        query = query.filter(Column::OperationType.eq(operation_type));
    }
    if !filter.kinds.is_empty() {
        query = query.filter(Column::Kind.is_in(filter.kinds.iter().map(|kind| kind.as_str())));
    }
    if let Some(workflow) = filter.workflow {
        query = query.filter(Column::WorkflowId.eq(workflow.0));
    }
    if let Some(agent) = filter.agent {
        query = query.filter(Column::AgentId.eq(agent.0));
    }
    if let Some(from) = filter.from {
        query = query.filter(Column::At.gte(micros::from_time(from)));
    }
    if let Some(until) = filter.until {
        query = query.filter(Column::At.lt(micros::from_time(until)));
    }
    if !filter.tests {
        query = query.filter(Column::Test.eq(false));
    }
    query
}

/// How people decided about one proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastDecision {
    pub checkpoint: CheckpointId,
    pub status: Status,
    /// Whether they approved something else.
    pub modified: bool,
}

impl Store {
    pub async fn learning_cases(
        &self,
        scope: Scope,
        filter: &Filter,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<LearningCase>> {
        use entity::learning_case::Column;
        let order = OrderBy { name: BY_AGE, column: Column::Id, id: Column::Id, descending };
        Ok(self.page(filtered(scope, filter), order, page).await?.map(LearningCase::from))
    }

    pub async fn count_learning_cases(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn learning_cases_by_id(
        &self,
        scope: Scope,
        ids: &[LearningCaseId],
    ) -> Result<HashMap<LearningCaseId, LearningCase>> {
        let rows = by_id::<entity::learning_case::Entity>(scope, ids.iter().map(|id| id.0)).all(self.read()).await?;
        Ok(rows.into_iter().map(LearningCase::from).map(|case| (case.id, case)).collect())
    }

    /// The newest cases of some kinds of operations, up to a limit of each.
    pub async fn newest_learning_cases(
        &self,
        scope: Scope,
        operation_types: &[String],
        limit: u64,
    ) -> Result<HashMap<String, Vec<LearningCase>>> {
        use entity::learning_case::{Column, Entity};
        let mut found = Vec::new();
        for chunk in operation_types.chunks(MOST_PARTS) {
            let parts = chunk.iter().map(|operation_type| {
                let filter = Filter { operation_type: Some(operation_type.clone()), ..Filter::default() };
                let query = filtered(scope, &filter).order_by_desc(Column::Id).limit(limit);
                QueryTrait::into_query(query.select_only().column(Column::Id))
            });
            let Some(newest) = together(parts, "id") else { continue };
            let query = Entity::find().filter(Column::Id.in_subquery(newest)).order_by_desc(Column::Id);
            found.extend(query.all(self.read()).await?.into_iter().map(LearningCase::from));
        }
        Ok(grouped(found.into_iter().map(|case| (case.operation_type.clone(), case))))
    }

    /// How people decided lately about one kind of operation, the newest first. What nobody decided does not count.
    pub async fn past_decisions(&self, scope: Scope, operation_type: &str, limit: u64) -> Result<Vec<PastDecision>> {
        use entity::checkpoint::Column;
        let query = of_workspace::<entity::checkpoint::Entity>(scope)
            .filter(Column::OperationType.eq(operation_type))
            .filter(Column::ResolvedAt.is_not_null())
            .filter(Column::Kind.ne(Kind::Clarification.as_str()))
            .filter(Column::Test.eq(false))
            .filter(
                Column::Status
                    .eq(Status::Rejected.as_str())
                    .or(Column::Status.eq(Status::Approved.as_str()).and(Column::Approvals.gt(0))),
            )
            .order_by_desc(Column::ResolvedAt)
            .limit(limit)
            .select_only()
            .columns([Column::Id, Column::Status])
            .column(Column::Modified);
        let rows: Vec<(uuid::Uuid, String, bool)> = query.into_tuple().all(self.read()).await?;
        let read = |(id, status, modified): (uuid::Uuid, String, bool)| PastDecision {
            checkpoint: CheckpointId(id),
            status: status.parse().unwrap_or(Status::Rejected),
            modified,
        };
        Ok(rows.into_iter().map(read).collect())
    }
}
