//! One step of an execution.

use std::sync::Arc;

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};
use tokio::sync::OnceCell;

use super::{
    Execution,
    failure::{StepError, Trouble},
    inspection::{Inspection, value},
    seconds,
    usage::Usage,
    words::StepStatus,
};
use crate::{
    domain::{
        checkpoint::Kind,
        execution::{self, StepState},
        id::AgentId,
        workflow::{Plan, Step},
    },
    graphql::{
        agent::Agent,
        caller::ContextExt,
        checkpoint::Checkpoint,
        error::{Fault, Result},
        json::Json,
        loaders::{AgentNamed, CheckpointsOf, PlanOf, ProgressOf, StepRunsOf},
    },
    store::{checkpoints::CheckpointRow, executions},
};

/// The plan of an execution and the rows of its steps, read once for all fields that show steps: they agree.
pub type Steps = Arc<OnceCell<(Arc<Plan>, Arc<Vec<executions::StepRun>>)>>;

/// A step in an execution: how it went, what it was given and what it gave.
#[derive(Clone)]
pub struct StepRun {
    execution: Execution,
    plan: Arc<Plan>,
    position: usize,
    /// Nothing while the step waits for others.
    run: Option<executions::StepRun>,
}

impl Execution {
    /// All steps of the document in its order, also those that have not begun.
    pub async fn step_runs(&self, ctx: &Context<'_>) -> Result<Vec<StepRun>> {
        let load = || async {
            let loaders = ctx.loaders()?;
            let (plan, runs) = futures_util::try_join!(
                loaders.load(PlanOf(self.row.workflow, self.row.version)),
                loaders.load(StepRunsOf(self.row.id))
            )?;
            Ok::<_, Fault>((plan.ok_or(Fault::Internal)?, runs.unwrap_or_default()))
        };
        let (plan, runs) = self.steps.get_or_try_init(load).await?;
        let find = |position| runs.iter().find(|run| run.step == position).cloned();
        let step =
            |position| StepRun { execution: self.clone(), plan: Arc::clone(plan), position, run: find(position) };
        Ok((0..plan.steps().len()).map(step).collect())
    }
}

/// The agent that a step was given to, or else the one that the document names.
pub async fn agent_of_step(
    ctx: &Context<'_>,
    plan: &Plan,
    step: usize,
    begun: Option<AgentId>,
) -> Result<Option<Agent>> {
    let loaders = ctx.loaders()?;
    match (begun, plan.steps().get(step)) {
        (Some(id), _) => Ok(loaders.load(id).await?.map(Agent)),
        (None, Some(described)) => Ok(loaders.load(AgentNamed(described.agent.clone())).await?.map(Agent)),
        (None, None) => Ok(None),
    }
}

impl StepRun {
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn run(&self) -> Option<&executions::StepRun> {
        self.run.as_ref()
    }

    pub fn is_current(&self) -> bool {
        use execution::StepStatus::{Retrying, Running, Scheduled};
        matches!(self.run.as_ref().map(|run| run.status), Some(Scheduled | Running | Retrying))
    }

    fn described(&self) -> Result<&Step> {
        self.plan.steps().get(self.position).ok_or(Fault::Internal)
    }

    /// The journal, at least as far as this row.
    async fn inspect(&self, ctx: &Context<'_>) -> Result<Option<(Arc<Inspection>, StepState)>> {
        let Some(run) = &self.run else { return Ok(None) };
        let inspection = self.execution.inspect(ctx, run.finished_seq.unwrap_or(0)).await?;
        let state = inspection.journal.state.steps.get(self.position).cloned();
        Ok(state.map(|state| (inspection, state)))
    }
}

/// A step in an execution: how it went, what it was given and what it gave.
#[Object]
impl StepRun {
    /// The step's key, unique in its workflow.
    async fn key(&self) -> Result<&str> {
        Ok(&self.described()?.key)
    }

    /// The step's number in the document, counted from 1.
    async fn number(&self) -> i32 {
        i32::try_from(self.position + 1).unwrap_or(i32::MAX)
    }

    /// How many steps there are: this one is `number` of `of`.
    async fn of(&self) -> i32 {
        i32::try_from(self.plan.steps().len()).unwrap_or(i32::MAX)
    }

    /// Whose work it is; null if the agent is not in the library any more.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        let begun = self.run.as_ref().and_then(|run| run.agent).map(|(id, _)| id);
        agent_of_step(ctx, &self.plan, self.position, begun).await
    }

    /// The agent's version; null before the step has begun.
    async fn agent_version(&self) -> Option<i32> {
        self.run.as_ref()?.agent.map(|(_, version)| version)
    }

    /// Where the step is.
    async fn status(&self) -> StepStatus {
        self.run.as_ref().map_or(execution::StepStatus::Pending, |run| run.status).into()
    }

    /// How often it was begun; 0 before the first attempt.
    async fn attempt(&self) -> i32 {
        self.run.as_ref().map_or(0, |run| i32::try_from(run.attempt).unwrap_or(i32::MAX))
    }

    /// How often it may be tried in all.
    async fn max_attempts(&self) -> Result<i32> {
        Ok(i32::try_from(self.described()?.retry.attempts).unwrap_or(i32::MAX))
    }

    /// The checkpoint at which it waits for people or was let through, the latest if there were several; null if nobody
    /// had to be asked. What its worker asked in the middle of the work is among the execution's `checkpoints`.
    async fn checkpoint(&self, ctx: &Context<'_>) -> Result<Option<Checkpoint>> {
        let rows = ctx.loaders()?.load(CheckpointsOf(self.execution.row.id)).await?.unwrap_or_default();
        let gates = |row: &Arc<CheckpointRow>| row.kind == Kind::Step && row.step == Some(self.position);
        Ok(rows.into_iter().rfind(gates).map(Checkpoint::from))
    }

    /// What the step was given; null before it has begun, and for an output that was taken over.
    async fn input(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        match self.inspect(ctx).await? {
            Some((inspection, _)) => Ok(inspection.step_input(ctx, self.position).await?.as_ref().map(Json::from)),
            None => Ok(None),
        }
    }

    /// What the step gave; null until it has completed.
    async fn output(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        match self.inspect(ctx).await? {
            Some((_, StepState { output: Some(output), .. })) => Ok(Some(Json::from(&value(ctx, &output).await?))),
            _ => Ok(None),
        }
    }

    /// The latest failure, until an attempt succeeds.
    async fn error(&self, ctx: &Context<'_>) -> Result<Option<StepError>> {
        let Some((inspection, state)) = self.inspect(ctx).await? else { return Ok(None) };
        let details = inspection.journal.details.get(self.position);
        let at = details.and_then(|details| details.failed_at);
        Ok(state.failure.zip(at).map(|(failure, at)| {
            let (execution, step) = (self.execution.clone(), Some(self.position));
            StepError(Trouble { execution, step, failure, attempts: Some(state.attempt), at })
        }))
    }

    /// Why it was not needed, if it was skipped.
    async fn skipped_because(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        Ok(self.inspect(ctx).await?.and_then(|(_, state)| state.skipped_because))
    }

    /// Whether the step did not run here: its output, or that it was skipped, is that of the execution which this one
    /// continues.
    async fn kept(&self) -> bool {
        // Only the first event can end a step before anything has begun.
        self.run.as_ref().is_some_and(|run| run.finished_seq == Some(1))
    }

    /// When the latest attempt began.
    async fn started_at(&self) -> Option<DateTime<Utc>> {
        self.run.as_ref()?.started_at
    }

    /// When it was over.
    async fn finished_at(&self) -> Option<DateTime<Utc>> {
        self.run.as_ref()?.finished_at
    }

    /// How long the latest attempt took, or takes so far.
    async fn duration_seconds(&self, ctx: &Context<'_>) -> Option<f64> {
        let run = self.run.as_ref()?;
        let running = run.status == execution::StepStatus::Running;
        let end = run.finished_at.or_else(|| running.then(|| ctx.engine().clock().now()))?;
        Some(seconds(end - run.started_at?))
    }

    /// When the next attempt begins, while it waits for one.
    async fn retry_at(&self) -> Option<DateTime<Utc>> {
        self.run.as_ref()?.retry_at
    }

    /// How far it is, from 0 to 1, as its worker says; null if nobody says so.
    async fn progress(&self, ctx: &Context<'_>) -> Result<Option<f64>> {
        if !self.is_current() {
            return Ok(None);
        }
        let progress = ctx.loaders()?.load(ProgressOf(self.execution.row.id)).await?;
        Ok(progress.and_then(|progress| progress.get(&self.position).copied()))
    }

    /// What all of its attempts cost.
    async fn usage(&self) -> Usage {
        self.run.as_ref().map(|run| run.usage).unwrap_or_default().into()
    }

    /// How sure whoever made the output is, from 0 to 1.
    async fn confidence(&self, ctx: &Context<'_>) -> Result<Option<f64>> {
        Ok(self.inspect(ctx).await?.and_then(|(_, state)| state.confidence))
    }

    /// Why the output is what it is, as whoever made it says.
    async fn reasoning(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        let Some((inspection, _)) = self.inspect(ctx).await? else { return Ok(None) };
        Ok(inspection.journal.details.get(self.position).and_then(|details| details.reasoning.clone()))
    }
}
