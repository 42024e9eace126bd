//! Executions and their steps, as the journal adds up.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Select,
    sea_query::{Expr, ExprTrait, Order, Query, WindowStatement},
};
use uuid::Uuid;

use super::{
    Result, Store, actor, grouped, micros,
    page::{Cursor, Key, OrderBy, Page, Slice},
    scoped::{by_id, of_workspace},
    together::{MOST_PARTS, together},
};
use crate::domain::{
    access::{Actor, Scope},
    execution::{CompletionReason, Mode, OriginKind, Status, StepStatus, Usage},
    id::{AgentId, ExecutionId, WorkflowId, WorkspaceId},
};

/// One run of a workflow.
#[derive(Debug, Clone)]
pub struct Execution {
    pub id: ExecutionId,
    pub workspace: WorkspaceId,
    pub workflow: WorkflowId,
    pub version: i32,
    pub mode: Mode,
    pub status: Status,
    pub completion_reason: Option<CompletionReason>,
    pub seq: u64,
    pub steps_total: u32,
    pub steps_done: u32,
    pub correlation_id: Option<String>,
    pub origin: Option<(ExecutionId, OriginKind, Option<String>)>,
    pub actor: Actor,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub ran_for: TimeDelta,
    pub running_since: Option<DateTime<Utc>>,
    pub usage: Usage,
}

impl From<entity::execution::Model> for Execution {
    fn from(row: entity::execution::Model) -> Self {
        let kind = row.origin_kind.as_deref().and_then(|kind| kind.parse().ok());
        Self {
            id: ExecutionId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            workflow: WorkflowId(row.workflow_id),
            version: row.workflow_version,
            mode: row.mode.parse().unwrap_or(Mode::Live),
            status: row.status.parse().unwrap_or(Status::Failed),
            completion_reason: row.completion_reason.and_then(|reason| reason.parse().ok()),
            seq: row.seq.unsigned_abs(),
            steps_total: row.steps_total.unsigned_abs(),
            steps_done: row.steps_done.unsigned_abs(),
            correlation_id: row.correlation_id,
            origin: row.origin_id.zip(kind).map(|(id, kind)| (ExecutionId(id), kind, row.origin_step)),
            actor: actor::read(&row.actor_kind, row.actor_id),
            created_at: micros::to_time(row.created_at),
            started_at: row.started_at.map(micros::to_time),
            finished_at: row.finished_at.map(micros::to_time),
            ran_for: TimeDelta::microseconds(row.ran_for),
            running_since: row.running_since.map(micros::to_time),
            usage: usage(row.llm_calls, row.tokens, row.cost_micros),
        }
    }
}

/// One step of an execution that has begun, or was passed over.
#[derive(Debug, Clone)]
pub struct StepRun {
    pub execution: ExecutionId,
    pub step: usize,
    pub status: StepStatus,
    pub attempt: u32,
    pub agent: Option<(AgentId, i32)>,
    pub started_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub retry_at: Option<DateTime<Utc>>,
    pub finished_seq: Option<u64>,
    pub usage: Usage,
}

impl From<entity::step_run::Model> for StepRun {
    fn from(row: entity::step_run::Model) -> Self {
        Self {
            execution: ExecutionId(row.execution_id),
            step: usize::try_from(row.step).unwrap_or(0),
            status: row.status.parse().unwrap_or(StepStatus::Pending),
            attempt: row.attempt.unsigned_abs(),
            agent: row.agent_id.map(|id| (AgentId(id), row.agent_version)),
            started_at: row.started_at.map(micros::to_time),
            finished_at: row.finished_at.map(micros::to_time),
            retry_at: row.retry_at.map(micros::to_time),
            finished_seq: row.finished_seq.map(i64::unsigned_abs),
            usage: usage(row.llm_calls, row.tokens, row.cost_micros),
        }
    }
}

fn usage(llm_calls: i64, tokens: i64, cost_micros: i64) -> Usage {
    Usage {
        llm_calls: llm_calls.unsigned_abs(),
        tokens: tokens.unsigned_abs(),
        cost_micros: cost_micros.unsigned_abs(),
    }
}

/// Which executions a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub statuses: Vec<Status>,
    pub workflow: Option<WorkflowId>,
    pub mode: Option<Mode>,
    pub correlation_id: Option<String>,
    pub origin: Option<ExecutionId>,
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

/// The order of all lists of executions: ids follow the time at which they were made.
pub const BY_AGE: &str = "execution.age";

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::execution::Entity> {
    use entity::execution::{Column, Entity};
    let mut query = of_workspace::<Entity>(scope);
    match filter.statuses.as_slice() {
        [] => {}
        [one] => query = query.filter(Column::Status.eq(one.as_str())),
        many => query = query.filter(Column::Status.is_in(many.iter().map(|status| status.as_str()))),
    }
    if let Some(workflow) = filter.workflow {
        query = query.filter(Column::WorkflowId.eq(workflow.0));
    }
    if let Some(mode) = filter.mode {
        query = query.filter(Column::Mode.eq(mode.as_str()));
    }
    if let Some(correlation_id) = &filter.correlation_id {
        query = query.filter(Column::CorrelationId.eq(correlation_id));
    }
    if let Some(origin) = filter.origin {
        query = query.filter(Column::OriginId.eq(origin.0));
    }
    if let Some(from) = filter.from {
        query = query.filter(Column::CreatedAt.gte(micros::from_time(from)));
    }
    if let Some(until) = filter.until {
        query = query.filter(Column::CreatedAt.lt(micros::from_time(until)));
    }
    query
}

#[derive(FromQueryResult)]
struct Waiting {
    id: Uuid,
    workspace_id: Uuid,
}

impl Store {
    pub async fn executions(
        &self,
        scope: Scope,
        filter: &Filter,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<Execution>> {
        use entity::execution::Column;
        let order = OrderBy { name: BY_AGE, column: Column::Id, id: Column::Id, descending };
        let slice = self.page(filtered(scope, filter), order, page).await?;
        Ok(slice.map(Execution::from))
    }

    pub async fn count_executions(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn executions_by_id(&self, scope: Scope, ids: &[ExecutionId]) -> Result<HashMap<ExecutionId, Execution>> {
        let query = by_id::<entity::execution::Entity>(scope, ids.iter().map(|id| id.0));
        let rows = self.find(query).await?;
        Ok(rows.into_iter().map(|row| (ExecutionId(row.id), Execution::from(row))).collect())
    }

    pub async fn execution(&self, scope: Scope, id: ExecutionId) -> Result<Option<Execution>> {
        Ok(self.executions_by_id(scope, &[id]).await?.remove(&id))
    }

    /// The first executions that continue each of these, each list up to a limit and oldest first.
    pub async fn first_continuations(
        &self,
        scope: Scope,
        origins: &[ExecutionId],
        limit: u64,
    ) -> Result<HashMap<ExecutionId, Vec<Execution>>> {
        use entity::execution::{Column, Entity};
        let mut found: HashMap<ExecutionId, Vec<Execution>> = HashMap::new();
        for chunk in origins.chunks(MOST_PARTS) {
            let parts = chunk.iter().map(|origin| {
                let filter = Filter { origin: Some(*origin), ..Filter::default() };
                let query = filtered(scope, &filter).select_only().column(Column::Id);
                QueryTrait::into_query(query.order_by_asc(Column::Id).limit(limit))
            });
            let Some(first) = together(parts, "id") else { continue };
            let query = Entity::find().filter(Column::Id.in_subquery(first)).order_by_asc(Column::Id);
            for execution in self.find(query).await?.into_iter().map(Execution::from) {
                if let Some((origin, _, _)) = &execution.origin {
                    found.entry(*origin).or_default().push(execution);
                }
            }
        }
        Ok(found)
    }

    /// Where an execution stands in lists.
    pub fn execution_cursor(execution: &Execution) -> Cursor {
        Cursor::new(BY_AGE, Key::Id(execution.id.0), execution.id.0)
    }

    /// The steps of many executions in one statement, each list in the order of the document.
    pub async fn step_runs(&self, scope: Scope, ids: &[ExecutionId]) -> Result<HashMap<ExecutionId, Vec<StepRun>>> {
        use entity::step_run::{Column, Entity};
        let own = Query::select()
            .column(entity::execution::Column::Id)
            .from(entity::execution::Entity)
            .and_where(entity::execution::Column::WorkspaceId.eq(scope.workspace().0))
            .and_where(entity::execution::Column::Id.is_in(ids.iter().map(|id| id.0)))
            .to_owned();
        let query = Entity::find()
            .filter(Column::ExecutionId.in_subquery(own))
            .order_by_asc(Column::ExecutionId)
            .order_by_asc(Column::Step);
        let runs = self.find(query).await?.into_iter().map(StepRun::from);
        Ok(grouped(runs.map(|run| (run.execution, run))))
    }

    /// Executions that wait for a place, taking turns between workspaces. The turn is that of the workspace after
    /// the one that was served last.
    pub async fn queued_executions(
        &self,
        served: Option<WorkspaceId>,
        limit: u64,
    ) -> Result<Vec<(WorkspaceId, ExecutionId)>> {
        use entity::execution::{Column, Entity};
        let turn = WindowStatement::partition_by(Column::WorkspaceId).order_by(Column::Id, Order::Asc).to_owned();
        let ranked = Query::select()
            .columns([Column::Id, Column::WorkspaceId])
            .expr_window_as(Expr::cust("row_number()"), turn, "turn")
            .from(Entity)
            .and_where(Column::Status.eq(Status::Queued.as_str()))
            .to_owned();
        let served = served.map_or(Uuid::nil(), |workspace| workspace.0);
        let before = Expr::case(Expr::col("workspace_id").lte(served), 1).finally(0);
        let query = Query::select()
            .expr_as(Expr::col("id"), "id")
            .expr_as(Expr::col("workspace_id"), "workspace_id")
            .from_subquery(ranked, "ranked")
            .order_by_expr(Expr::col("turn"), Order::Asc)
            .order_by_expr(before.into(), Order::Asc)
            .order_by_expr(Expr::col("workspace_id"), Order::Asc)
            .limit(limit)
            .to_owned();
        let rows = Waiting::find_by_statement(self.0.backend.build(&query)).all(&self.0.background).await?;
        Ok(rows.into_iter().map(|row| (WorkspaceId(row.workspace_id), ExecutionId(row.id))).collect())
    }

    /// The states of executions, whatever their workspace.
    pub async fn statuses(&self, ids: &[ExecutionId]) -> Result<Vec<(ExecutionId, Status)>> {
        use entity::execution::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .columns([Column::Id, Column::Status])
            .filter(Column::Id.is_in(ids.iter().map(|id| id.0)));
        let rows: Vec<(Uuid, String)> = query.into_tuple().all(&self.0.background).await?;
        Ok(rows.into_iter().filter_map(|(id, status)| Some((ExecutionId(id), status.parse().ok()?))).collect())
    }

    /// Executions that must be looked at by now.
    pub async fn due_executions(&self, now: DateTime<Utc>, limit: u64) -> Result<Vec<ExecutionId>> {
        use entity::execution::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::WakeAt.lte(micros::from_time(now)))
            .order_by_asc(Column::WakeAt)
            .limit(limit);
        let ids = query.into_tuple::<Uuid>().all(&self.0.background).await?;
        Ok(ids.into_iter().map(ExecutionId).collect())
    }

    /// All executions that wait for a time.
    pub async fn waiting_for_a_time(&self) -> Result<Vec<ExecutionId>> {
        use entity::execution::{Column, Entity};
        let query = Entity::find().select_only().column(Column::Id).filter(Column::WakeAt.is_not_null());
        let ids = query.into_tuple::<Uuid>().all(&self.0.background).await?;
        Ok(ids.into_iter().map(ExecutionId).collect())
    }

    /// When something was last written to the journal.
    pub async fn last_written(&self) -> Result<Option<DateTime<Utc>>> {
        use entity::journal::{Column, Entity};
        let query = Entity::find().select_only().column(Column::At).order_by_desc(Column::Position).limit(1);
        Ok(query.into_tuple::<i64>().one(&self.0.background).await?.map(micros::to_time))
    }

    /// When the next execution must be looked at.
    pub async fn next_wake(&self) -> Result<Option<DateTime<Utc>>> {
        use entity::execution::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::WakeAt)
            .filter(Column::WakeAt.is_not_null())
            .order_by_asc(Column::WakeAt)
            .limit(1);
        Ok(query.into_tuple::<i64>().one(&self.0.background).await?.map(micros::to_time))
    }
}
