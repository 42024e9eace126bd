//! What went wrong, with everything that is needed to find out why.

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};

use super::{Execution, step_run::agent_of_step, words::FailureCode};
use crate::{
    domain::{execution::Failure, id::AgentId},
    graphql::{agent::Agent, caller::ContextExt, error::Result, json::Json, loaders::PlanOf},
};

/// A failure and where it was.
#[derive(Clone)]
pub struct Trouble {
    pub execution: Execution,
    pub step: Option<usize>,
    pub failure: Failure,
    /// Nothing where they must be looked up.
    pub attempts: Option<u32>,
    pub at: DateTime<Utc>,
}

impl Trouble {
    async fn step_key(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        let Some(step) = self.step else { return Ok(None) };
        let row = &self.execution.row;
        let plan = ctx.loaders()?.load(PlanOf(row.workflow, row.version)).await?;
        Ok(plan.and_then(|plan| plan.steps().get(step).map(|step| step.key.clone())))
    }

    fn step_number(&self) -> Option<i32> {
        self.step.and_then(|step| i32::try_from(step + 1).ok())
    }

    async fn attempts(&self, ctx: &Context<'_>) -> Result<i32> {
        let attempts = match (self.attempts, self.step) {
            (Some(attempts), _) => attempts,
            (None, Some(step)) => {
                let inspection = self.execution.inspect(ctx, self.execution.row.seq).await?;
                inspection.journal.state.steps.get(step).map_or(0, |step| step.attempt)
            }
            (None, None) => 0,
        };
        Ok(i32::try_from(attempts).unwrap_or(i32::MAX))
    }

    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        let Some(step) = self.step else { return Ok(None) };
        let inspection = self.execution.inspect(ctx, self.execution.row.seq).await?;
        let begun = inspection.journal.state.steps.get(step).and_then(|step| step.agent);
        agent_of_step(ctx, &inspection.journal.plan, step, begun.map(|(id, _)| AgentId(id))).await
    }

    async fn input(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        let Some(step) = self.step else { return Ok(None) };
        let inspection = self.execution.inspect(ctx, self.execution.row.seq).await?;
        Ok(inspection.step_input(ctx, step).await?.as_ref().map(Json::from))
    }
}

/// Defines a type of errors: what all have, and what only it has. Fields that both have are of the same type, so that
/// one selection can ask for both.
macro_rules! error_type {
    ($(#[$doc:meta])* $name:ident { $($fields:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(pub Trouble);

        $(#[$doc])*
        #[Object]
        impl $name {
            /// What kind of failure it was, for programs.
            async fn code(&self) -> FailureCode {
                self.0.failure.code.into()
            }

            /// What went wrong and what would be right, for people.
            async fn message(&self) -> &str {
                &self.0.failure.message
            }

            /// More about it, such as a stack trace or what exactly came.
            async fn details(&self) -> Option<&str> {
                self.0.failure.details.as_deref()
            }

            /// Whether trying again can help.
            async fn retryable(&self) -> bool {
                self.0.failure.retryable
            }

            /// Whose work it was.
            async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
                self.0.agent(ctx).await
            }

            /// The key of the step at which it was; null if it was no step, such as the limit of the whole execution.
            async fn step_key(&self, ctx: &Context<'_>) -> Result<Option<String>> {
                self.0.step_key(ctx).await
            }

            /// The step's number in the document, counted from 1.
            async fn step_number(&self) -> Option<i32> {
                self.0.step_number()
            }

            /// How many steps the execution has.
            async fn step_count(&self) -> i32 {
                i32::try_from(self.0.execution.row.steps_total).unwrap_or(i32::MAX)
            }

            /// How often the step was tried; 0 if it never began.
            async fn attempts(&self, ctx: &Context<'_>) -> Result<i32> {
                self.0.attempts(ctx).await
            }

            /// The step's input that led to it. For a step whose input could not be made: what it would have been made
            /// from.
            async fn input(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
                self.0.input(ctx).await
            }

            /// When it happened.
            async fn at(&self) -> DateTime<Utc> {
                self.0.at
            }

            $($fields)*
        }
    };
}

error_type! {
    /// Why a step failed, or why its latest attempt did.
    StepError {}
}

error_type! {
    /// Why an execution failed.
    ExecutionError {
        /// The outputs of the steps that succeeded, by their keys. Resuming from the failure uses them again.
        async fn kept_outputs(&self, ctx: &Context<'_>) -> Result<Json> {
            let inspection = self.0.execution.inspect(ctx, self.0.execution.row.seq).await?;
            let values = inspection.values(ctx).await?;
            Ok(Json::from(&inspection.journal.outputs_by_key(0..values.outputs.len(), values)))
        }
    }
}
