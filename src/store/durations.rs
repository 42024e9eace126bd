//! How long steps usually take.

use sea_orm::{
    ColumnTrait, FromQueryResult,
    sea_query::{Expr, ExprTrait, Order, Query, SelectStatement},
};
use uuid::Uuid;

use super::{
    Result, Store,
    together::{MOST_PARTS, together},
};
use crate::domain::{
    access::Scope,
    execution::{Mode, Status, StepStatus},
    id::WorkflowId,
};

/// How many executions tell how long steps take.
const RECENT: u64 = 20;
/// Among how many they are looked for: a workflow that hardly ever completes must not cost more than others.
const LOOKED_AT: u64 = 100;

/// How long a step took in recent executions that completed.
#[derive(Debug, Clone, PartialEq)]
pub struct PastDuration {
    pub workflow: WorkflowId,
    pub version: i32,
    pub mode: Mode,
    /// The step's position in that version.
    pub step: usize,
    /// On average.
    pub seconds: f64,
    /// Of so many.
    pub count: u64,
}

#[derive(FromQueryResult)]
struct Row {
    workflow_id: Uuid,
    workflow_version: i32,
    mode: String,
    step: i32,
    micros: f64,
    runs: i64,
}

/// The newest executions of a workflow that completed.
fn recent(scope: Scope, workflow: WorkflowId) -> SelectStatement {
    use entity::execution::{Column, Entity};
    let newest = Query::select()
        .columns([Column::Id, Column::Status])
        .from(Entity)
        .and_where(Column::WorkspaceId.eq(scope.workspace().0))
        .and_where(Column::WorkflowId.eq(workflow.0))
        .order_by(Column::Id, Order::Desc)
        .limit(LOOKED_AT)
        .to_owned();
    Query::select()
        .expr(Expr::col("id"))
        .from_subquery(newest, "newest")
        .and_where(Expr::col("status").eq(Status::Completed.as_str()))
        .order_by_expr(Expr::col("id"), Order::Desc)
        .limit(RECENT)
        .to_owned()
}

impl Store {
    /// How long the steps of workflows took, by version and mode.
    pub async fn past_durations(&self, scope: Scope, workflows: &[WorkflowId]) -> Result<Vec<PastDuration>> {
        let mut found = Vec::new();
        for chunk in workflows.chunks(MOST_PARTS) {
            let Some(recent) = together(chunk.iter().map(|workflow| recent(scope, *workflow)), "id") else { continue };
            let rows = Row::find_by_statement(self.0.backend.build(&averages(recent))).all(self.read()).await?;
            found.extend(rows.into_iter().map(|row| PastDuration {
                workflow: WorkflowId(row.workflow_id),
                version: row.workflow_version,
                mode: row.mode.parse().unwrap_or(Mode::Live),
                step: usize::try_from(row.step).unwrap_or(0),
                seconds: (row.micros / 1_000_000.0).max(0.0),
                count: row.runs.unsigned_abs(),
            }));
        }
        Ok(found)
    }
}

fn averages(executions: SelectStatement) -> SelectStatement {
    use entity::{execution, step_run};
    let own = |column: execution::Column| (execution::Entity, column);
    let run = |column: step_run::Column| (step_run::Entity, column);
    let average = "CAST(AVG(step_run.finished_at - step_run.started_at) AS double precision)";
    Query::select()
        .expr_as(Expr::col(own(execution::Column::WorkflowId)), "workflow_id")
        .expr_as(Expr::col(own(execution::Column::WorkflowVersion)), "workflow_version")
        .expr_as(Expr::col(own(execution::Column::Mode)), "mode")
        .expr_as(Expr::col(run(step_run::Column::Step)), "step")
        .expr_as(Expr::cust(average), "micros")
        .expr_as(Expr::cust("COUNT(*)"), "runs")
        .from(step_run::Entity)
        .inner_join(execution::Entity, Expr::col(own(execution::Column::Id)).equals(run(step_run::Column::ExecutionId)))
        .and_where(Expr::col(run(step_run::Column::ExecutionId)).in_subquery(executions))
        .and_where(Expr::col(run(step_run::Column::Status)).eq(StepStatus::Completed.as_str()))
        // What was taken over from another execution took no time here.
        .and_where(Expr::col(run(step_run::Column::StartedAt)).is_not_null())
        .group_by_columns([own(execution::Column::WorkflowId)])
        .group_by_columns([own(execution::Column::WorkflowVersion), own(execution::Column::Mode)])
        .group_by_columns([run(step_run::Column::Step)])
        .to_owned()
}
