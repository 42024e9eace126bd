//! How long an execution will still take.

use async_graphql::Context;

use super::{Execution, StepRun, seconds};
use crate::{
    domain::execution::{Pace, StepStatus, seconds_remaining},
    graphql::{caller::ContextExt, error::Result, loaders::UsualDurationsOf},
};

impl Execution {
    pub async fn seconds_remaining(&self, ctx: &Context<'_>) -> Result<Option<f64>> {
        if self.row.status.is_terminal() {
            return Ok(None);
        }
        let loaders = ctx.loaders()?;
        let (usual, steps) =
            futures_util::try_join!(loaders.load(UsualDurationsOf(self.row.workflow)), self.step_runs(ctx))?;
        let (Some(usual), Some(first)) = (usual, steps.first()) else { return Ok(None) };
        let plan = first.plan();
        let usual: Vec<Option<f64>> = plan.steps().iter().map(|step| usual.seconds(self.row.mode, &step.key)).collect();
        let now = ctx.engine().clock().now();
        let pace = |step: &StepRun| match step.run() {
            Some(run) if run.status.is_terminal() => Pace::Over,
            Some(run) if run.status == StepStatus::Running => {
                Pace::Running(run.started_at.map_or(0.0, |since| seconds(now - since)))
            }
            Some(_) | None => Pace::Ahead,
        };
        let paces: Vec<Pace> = steps.iter().map(pace).collect();
        Ok(seconds_remaining(plan.graph(), &paces, &usual))
    }
}
