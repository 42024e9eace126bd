//! Executions: runs of workflows, their steps, and what can be done to them.

mod continuation;
mod estimate;
mod failure;
mod inspection;
mod log;
mod mutations;
mod payload;
mod queries;
mod step_run;
mod subscription;
mod usage;
mod words;

use std::sync::Arc;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, TimeDelta, Utc};

use super::{
    audit::Actor,
    caller::ContextExt,
    checkpoint::Checkpoint,
    connection::{PageArgs, connection, page_cost},
    deliverable::{DeliverableConnection, link_lasts, page_of_execution},
    error::{Fault, Result, outcome},
    event::{ExecutionEventConnection, ExecutionEventType, page_of_journal},
    json::Json,
    loaders::{CheckpointsOf, VersionOf},
    workflow::{Workflow, WorkflowVersion, find_version},
};
use crate::{
    domain::{checkpoint, execution::Status, role::Role},
    store::executions,
};

pub use continuation::ContinuationMutation;
pub use failure::{ExecutionError, StepError, Trouble};
pub use inspection::value;
use log::LogEntryConnection;
pub use mutations::ExecutionMutation;
pub use payload::{Outcome, of_command};
pub use queries::ExecutionQuery;
pub use step_run::StepRun;
pub use subscription::ExecutionSubscription;
pub use usage::{ExecutionProgress, Usage};
pub use words::{
    CompletionReason, ExecutionMode, ExecutionOriginKind, ExecutionStatus, FailureCode, LogLevel, ReleaseReason,
};

/// One run of a workflow's version.
#[derive(Clone)]
pub struct Execution {
    pub row: Arc<executions::Execution>,
    latest: inspection::Latest,
    steps: step_run::Steps,
}

impl From<executions::Execution> for Execution {
    fn from(row: executions::Execution) -> Self {
        Arc::new(row).into()
    }
}

impl From<Arc<executions::Execution>> for Execution {
    fn from(row: Arc<executions::Execution>) -> Self {
        Self { row, latest: Default::default(), steps: Default::default() }
    }
}

/// One run of a workflow's version.
#[Object]
impl Execution {
    /// The execution's global id.
    pub async fn id(&self) -> ID {
        self.row.id.to_string().into()
    }

    /// The workflow that runs.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Workflow> {
        ctx.loaders()?.load(self.row.workflow).await?.map(Workflow).ok_or(Fault::Internal)
    }

    /// The version of the workflow that runs; null for a request that stands alone.
    async fn workflow_version(&self, ctx: &Context<'_>) -> Result<Option<WorkflowVersion>> {
        if self.row.version == 0 {
            return Ok(None);
        }
        let version = find_version(ctx, VersionOf(self.row.workflow, self.row.version)).await?;
        version.map(Some).ok_or(Fault::Internal)
    }

    /// Where it waits for people, or was let through by a rule, oldest first.
    #[graphql(complexity = "STEPS_COST * child_complexity")]
    async fn checkpoints(&self, ctx: &Context<'_>) -> Result<Vec<Checkpoint>> {
        let rows = ctx.loaders()?.load(CheckpointsOf(self.row.id)).await?.unwrap_or_default();
        Ok(rows.into_iter().map(Checkpoint::from).collect())
    }

    /// At how many checkpoints it waits now.
    async fn pending_checkpoints(&self, ctx: &Context<'_>) -> Result<i32> {
        if self.row.status.is_terminal() {
            return Ok(0);
        }
        let rows = ctx.loaders()?.load(CheckpointsOf(self.row.id)).await?.unwrap_or_default();
        let pending = rows.iter().filter(|row| row.status == checkpoint::Status::Pending).count();
        Ok(i32::try_from(pending).unwrap_or(i32::MAX))
    }

    /// Where it is.
    async fn status(&self) -> ExecutionStatus {
        self.row.status.into()
    }

    /// Why it ended; null until then.
    async fn completion_reason(&self) -> Option<CompletionReason> {
        self.row.completion_reason.map(CompletionReason::from)
    }

    /// What it is for.
    async fn mode(&self) -> ExecutionMode {
        self.row.mode.into()
    }

    /// Whether it is marked as a test.
    async fn is_test(&self) -> bool {
        self.row.mode == crate::domain::execution::Mode::Test
    }

    /// How many of its steps are over.
    async fn progress(&self) -> ExecutionProgress {
        ExecutionProgress::new(self.row.steps_done, self.row.steps_total)
    }

    /// All steps of the workflow in the order of its document, also those that have not begun.
    #[graphql(complexity = "STEPS_COST * child_complexity")]
    async fn steps(&self, ctx: &Context<'_>) -> Result<Vec<StepRun>> {
        self.step_runs(ctx).await
    }

    /// The steps that are scheduled, run, or wait for their next attempt.
    #[graphql(complexity = "STEPS_COST * child_complexity")]
    async fn current_steps(&self, ctx: &Context<'_>) -> Result<Vec<StepRun>> {
        Ok(self.step_runs(ctx).await?.into_iter().filter(StepRun::is_current).collect())
    }

    /// What it was started with, the workflow's defaults filled in.
    async fn input(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        let inspection = self.inspect(ctx, self.row.seq).await?;
        Ok(Some(Json::from(&value(ctx, &inspection.journal.state.input).await?)))
    }

    /// The input's fields with those of all outputs so far merged in; the later ones win.
    async fn context(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        let inspection = self.inspect(ctx, self.row.seq).await?;
        let values = inspection.values(ctx).await?;
        Ok(Some(Json::from(&inspection.journal.plan.context(values))))
    }

    /// The output of the one step that nothing needs, or of all such steps by their keys if there are several; null
    /// unless the execution is COMPLETED.
    async fn output(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        if self.row.status != Status::Completed {
            return Ok(None);
        }
        let inspection = self.inspect(ctx, self.row.seq).await?;
        let values = inspection.values(ctx).await?;
        Ok(Some(Json::from(&inspection.journal.output(values))))
    }

    /// Why it failed, if it did.
    async fn error(&self, ctx: &Context<'_>) -> Result<Option<ExecutionError>> {
        if !self.row.status.is_terminal() {
            return Ok(None);
        }
        let inspection = self.inspect(ctx, self.row.seq).await?;
        let state = &inspection.journal.state;
        let Some((finish, failure)) = state.finish.as_ref().and_then(|finish| Some((finish, finish.failure.clone()?)))
        else {
            return Ok(None);
        };
        let (execution, step, at) = (self.clone(), finish.step, finish.at);
        Ok(Some(ExecutionError(Trouble { execution, step, failure, attempts: None, at })))
    }

    /// What the caller said it belongs to.
    async fn correlation_id(&self) -> Option<&str> {
        self.row.correlation_id.as_deref()
    }

    /// The execution that this one continues.
    async fn origin(&self, ctx: &Context<'_>) -> Result<Option<Execution>> {
        match &self.row.origin {
            Some((id, _, _)) => Ok(ctx.loaders()?.load(*id).await?.map(Execution::from)),
            None => Ok(None),
        }
    }

    /// How it continues its origin.
    async fn origin_kind(&self) -> Option<ExecutionOriginKind> {
        self.row.origin.as_ref().map(|(_, kind, _)| (*kind).into())
    }

    /// The key of the first step that runs anew, where the outputs of others are kept.
    async fn origin_step(&self) -> Option<&str> {
        self.row.origin.as_ref().and_then(|(_, _, step)| step.as_deref())
    }

    /// The executions that continue this one, oldest first.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn continuations(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<ExecutionConnection> {
        queries::page_of_continuations(ctx, self.row.id, PageArgs { first, after, last, before }).await
    }

    /// What it left behind so far, oldest first.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn deliverables(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<DeliverableConnection> {
        page_of_execution(ctx, self.row.id, PageArgs { first, after, last, before }).await
    }

    /// A link to all of it as a ZIP, which works for a while without a sign-in, for use in a page.
    async fn deliverables_zip_url(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How long it works: 1 to 3,600.", default = 300)] expires_in_seconds: i32,
    ) -> Result<String> {
        let scope = ctx.require(Role::Viewer)?;
        let lasts = link_lasts(expires_in_seconds)?;
        outcome(ctx.engine().archive_url(scope.workspace(), self.row.id, lasts))?.map_err(|_| Fault::Internal)
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.row.created_at
    }

    /// Who made it.
    async fn created_by(&self) -> Actor {
        Actor(self.row.actor)
    }

    /// When it got its place.
    async fn started_at(&self) -> Option<DateTime<Utc>> {
        self.row.started_at
    }

    /// When it ended.
    async fn finished_at(&self) -> Option<DateTime<Utc>> {
        self.row.finished_at
    }

    /// How long it took by the clock on the wall, or takes so far; null before it got its place.
    async fn duration_seconds(&self, ctx: &Context<'_>) -> Option<f64> {
        let end = self.row.finished_at.unwrap_or_else(|| ctx.engine().clock().now());
        Some(seconds(end - self.row.started_at?))
    }

    /// How long it ran: the time in which it was paused does not count.
    async fn running_seconds(&self, ctx: &Context<'_>) -> f64 {
        let running = self.row.running_since.map(|since| ctx.engine().clock().now() - since);
        seconds(self.row.ran_for + running.unwrap_or_default())
    }

    /// What all of its steps cost.
    async fn usage(&self) -> Usage {
        self.row.usage.into()
    }

    /// How long it will still take, judged by the steps of recent executions of the workflow that completed; null if
    /// nothing is known of what is left, or when it has ended.
    async fn estimated_seconds_remaining(&self, ctx: &Context<'_>) -> Result<Option<f64>> {
        self.seconds_remaining(ctx).await
    }

    /// What its steps and their workers wrote, oldest first.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn logs(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<LogEntryConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let args = PageArgs { first, after, last, before };
        let (rows, total) = page_of_journal(ctx, scope, self.row.id, vec![log::KIND], args).await?;
        Ok(LogEntryConnection::new(rows, total))
    }

    /// All that happened to it, oldest first.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Only events of these types; absent: all.")] types: Option<Vec<ExecutionEventType>>,
    ) -> Result<ExecutionEventConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let args = PageArgs { first, after, last, before };
        let kinds = ExecutionEventType::kinds(types);
        let (rows, total) = page_of_journal(ctx, scope, self.row.id, kinds, args).await?;
        Ok(ExecutionEventConnection::new(rows, total))
    }
}

/// What a list of steps counts for in a query's complexity: few workflows have more.
const STEPS_COST: usize = 10;

/// Never less than none, whatever the clocks of several servers say.
pub fn seconds(time: TimeDelta) -> f64 {
    time.as_seconds_f64().max(0.0)
}

connection! {
    /// A page of executions.
    ExecutionConnection,
    /// An execution and where it stands in its list.
    ExecutionEdge, Execution
}
