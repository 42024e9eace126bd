//! New executions that continue others.

use async_graphql::{Context, ID, InputObject, Object};

use super::payload::{execution_payload, of_command, parse_execution};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        error::Result,
        json::{Json, read},
    },
};

/// Which execution to run once more.
#[derive(InputObject)]
pub struct RetryExecutionInput {
    /// The execution, which must have ended.
    execution_id: ID,
    /// Makes a retry of this request safe: the same key gives the same execution.
    idempotency_key: Option<String>,
}

/// Which execution to take up where it failed.
#[derive(InputObject)]
pub struct ResumeFailedExecutionInput {
    /// The execution, which must have failed or be COMPLETED as PARTIAL.
    execution_id: ID,
    /// Makes a retry of this request safe: the same key gives the same execution.
    idempotency_key: Option<String>,
}

/// From where to go another way.
#[derive(InputObject)]
pub struct ForkExecutionInput {
    /// The execution.
    execution_id: ID,
    /// The key of the first step that runs anew. Everything before it must be done.
    from_step: String,
    /// Replaces the input; absent: the same one.
    input: Option<Json>,
    /// Makes a retry of this request safe: the same key gives the same execution.
    idempotency_key: Option<String>,
}

execution_payload! {
    /// The new execution, or what was wrong.
    RetryExecutionPayload
}
execution_payload! {
    /// The new execution, or what was wrong.
    ResumeFailedExecutionPayload
}
execution_payload! {
    /// The new execution, or what was wrong.
    ForkExecutionPayload
}

#[derive(Default)]
pub struct ContinuationMutation;

#[Object]
impl ContinuationMutation {
    /// Runs the same version with the same input once more, as a new execution. Needs the role OPERATOR.
    async fn retry_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RetryExecutionInput,
    ) -> Result<RetryExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        let key = input.idempotency_key.as_deref();
        Ok(match parse_execution(&input.execution_id) {
            Ok(id) => of_command(ctx.engine().retry_execution(scope, id, key).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }

    /// Goes on from the failure, as a new execution that keeps the outputs of what succeeded. Needs the role OPERATOR.
    async fn resume_failed_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ResumeFailedExecutionInput,
    ) -> Result<ResumeFailedExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        let key = input.idempotency_key.as_deref();
        Ok(match parse_execution(&input.execution_id) {
            Ok(id) => of_command(ctx.engine().resume_failed_execution(scope, id, key).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }

    /// Runs anew from a step on, as a new execution that keeps the outputs of everything that does not depend on that
    /// step. Needs the role OPERATOR.
    async fn fork_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ForkExecutionInput,
    ) -> Result<ForkExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        let id = match parse_execution(&input.execution_id) {
            Ok(id) => id,
            Err(errors) => return Ok(Err(errors).into()),
        };
        let changed = match input.input.as_ref().map(|json| read("input", json)).transpose() {
            Ok(changed) => changed,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        let key = input.idempotency_key.as_deref();
        Ok(of_command(ctx.engine().fork_execution(scope, id, &input.from_step, changed, key).await)?.into())
    }
}
