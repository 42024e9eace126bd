//! Handing in what a worker did, or saying that it could not.

use async_graphql::{Context, ID, InputObject, Object};

use super::{lease, usage::UsageInput};
use crate::{
    domain::role::Role,
    engine::commands::{CompleteTask, FailTask},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError},
        execution::{execution_payload, of_command},
        json::{Json, read},
    },
};

/// What a worker made.
#[derive(InputObject)]
pub struct CompleteTaskInput {
    /// The task.
    task_id: ID,
    /// The token that came with the claim.
    lease_token: String,
    /// The step's output. One that breaks the agent's output schema fails the step.
    output: Json,
    /// What the work cost.
    usage: Option<UsageInput>,
    /// How sure the worker is, from 0 to 1.
    confidence: Option<f64>,
    /// Why the output is what it is: at most 100,000 characters.
    reasoning: Option<String>,
}

impl CompleteTaskInput {
    fn into_command(self) -> std::result::Result<CompleteTask, UserError> {
        Ok(CompleteTask {
            lease: lease::read(&self.task_id, &self.lease_token)?,
            output: read("output", &self.output)?,
            usage: self.usage.unwrap_or_default().read()?,
            confidence: self.confidence,
            reasoning: self.reasoning,
        })
    }
}

/// Why a worker could not do its task.
#[derive(InputObject)]
pub struct FailTaskInput {
    /// The task.
    task_id: ID,
    /// The token that came with the claim.
    lease_token: String,
    /// What went wrong, for people: at most 10,000 characters.
    message: String,
    /// A stack trace or other details: at most 100,000 characters.
    stack: Option<String>,
    /// Whether another attempt may help.
    #[graphql(default = true)]
    retryable: bool,
    /// What the work cost all the same.
    usage: Option<UsageInput>,
}

impl FailTaskInput {
    fn into_command(self) -> std::result::Result<FailTask, UserError> {
        Ok(FailTask {
            lease: lease::read(&self.task_id, &self.lease_token)?,
            message: self.message,
            stack: self.stack,
            retryable: self.retryable,
            usage: self.usage.unwrap_or_default().read()?,
        })
    }
}

execution_payload! {
    /// The execution with the step's output, or what was wrong.
    CompleteTaskPayload
}
execution_payload! {
    /// The execution after the failure, or what was wrong.
    FailTaskPayload
}

#[derive(Default)]
pub struct FinishMutation;

#[Object]
impl FinishMutation {
    /// Hands in the output of a task. Needs the role OPERATOR.
    async fn complete_task(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CompleteTaskInput,
    ) -> Result<CompleteTaskPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => of_command(ctx.engine().complete_task(scope, command).await)?.into(),
            Err(error) => Err(vec![error]).into(),
        })
    }

    /// Says that a task could not be done. It is tried again if that may help and attempts are left.
    /// Needs the role OPERATOR.
    async fn fail_task(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: FailTaskInput,
    ) -> Result<FailTaskPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => of_command(ctx.engine().fail_task(scope, command).await)?.into(),
            Err(error) => Err(vec![error]).into(),
        })
    }
}
