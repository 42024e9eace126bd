//! Tasks: work that somebody's own programs claim, do and hand in.

mod claim;
mod finish;
mod heartbeat;
mod lease;
mod usage;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    agent::Agent,
    caller::ContextExt,
    error::{Fault, Result},
    execution::Execution,
    json::Json,
    loaders::{CasesOf, SpecOf},
    memory::LearningCase,
};
use crate::{
    domain::{id::AgentId, workflow::Step},
    engine::commands,
};

pub use claim::ClaimMutation;
pub use finish::FinishMutation;
pub use heartbeat::HeartbeatMutation;

/// A task in a worker's hands, for as long as its lease lasts.
#[derive(Clone)]
pub struct ClaimedTask(commands::ClaimedTask);

impl ClaimedTask {
    fn described(&self) -> Result<&Step> {
        self.0.loaded.plan.steps().get(self.0.lease.step).ok_or(Fault::Internal)
    }
}

/// A task in a worker's hands, for as long as its lease lasts.
#[Object]
impl ClaimedTask {
    /// The task's id.
    async fn id(&self) -> ID {
        self.0.lease.task.to_string().into()
    }

    /// Says which claim is meant, in everything that the worker says about the task. Opaque.
    async fn lease_token(&self) -> String {
        self.0.lease.token()
    }

    /// Until when the task is in the worker's hands. `heartbeatTask` prolongs it; afterwards somebody else may get it.
    async fn lease_until(&self) -> DateTime<Utc> {
        self.0.lease_until
    }

    /// The id of the execution that the task belongs to.
    async fn execution_id(&self) -> ID {
        self.0.lease.execution.to_string().into()
    }

    /// The execution that the task belongs to.
    async fn execution(&self, ctx: &Context<'_>) -> Result<Execution> {
        let found = ctx.loaders()?.load(self.0.lease.execution).await?;
        Ok(found.ok_or(Fault::Internal)?.into())
    }

    /// The key of the step.
    async fn step_key(&self) -> Result<&str> {
        Ok(&self.described()?.key)
    }

    /// Which attempt it is, counted from 1.
    async fn attempt(&self) -> i32 {
        let step = self.0.loaded.state.steps.get(self.0.lease.step);
        step.map_or(0, |step| i32::try_from(step.attempt).unwrap_or(i32::MAX))
    }

    /// Whose work it is.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        let agent = self.0.loaded.state.steps.get(self.0.lease.step).and_then(|step| step.agent);
        match agent {
            Some((id, _)) => Ok(ctx.loaders()?.load(AgentId(id)).await?.map(Agent)),
            None => Ok(None),
        }
    }

    /// The same for every claim of the same attempt: hand it on to whatever must not happen twice.
    async fn idempotency_key(&self) -> &str {
        &self.0.idempotency_key
    }

    /// What the step is given.
    async fn input(&self) -> Json {
        Json::from(&self.0.input)
    }

    /// Cases in which people wanted something else than was proposed for the same kind of operation: those of the same
    /// agent first, then the newest.
    #[graphql(complexity = "child_complexity.saturating_mul(usize::try_from(first.max(1)).unwrap_or(1))")]
    async fn similar_cases(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many: at most 50.", default = 5)] first: i32,
    ) -> Result<Vec<LearningCase>> {
        let agent = self.0.loaded.state.steps.get(self.0.lease.step).and_then(|step| step.agent);
        let Some((agent, version)) = agent else { return Ok(Vec::new()) };
        let agent = AgentId(agent);
        let operation_type = match &self.described()?.proposal.operation_type {
            Some(written) => written.clone(),
            None => match ctx.loaders()?.load(SpecOf(agent, version)).await? {
                Some(spec) => spec.operation_type(),
                None => return Ok(Vec::new()),
            },
        };
        let mut cases = ctx.loaders()?.load(CasesOf(operation_type)).await?.unwrap_or_default();
        cases.sort_by_key(|case| case.agent != Some(agent));
        cases.truncate(usize::try_from(first).unwrap_or(0));
        Ok(cases.into_iter().map(LearningCase).collect())
    }

    /// How long the attempt may take, however often its lease is prolonged.
    async fn timeout_seconds(&self) -> Result<f64> {
        Ok(self.described()?.timeout.as_secs_f64())
    }
}
