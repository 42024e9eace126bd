//! Starting executions, and stopping them for now or for good.

use async_graphql::{Context, ID, InputObject, Object};

use super::{
    ExecutionMode,
    payload::{execution_payload, of_command, parse_execution},
};
use crate::{
    domain::{id::WorkflowId, role::Role},
    engine::commands::StartExecution,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, parse_id},
        json::{Json, read},
    },
};

/// What to run.
#[derive(InputObject)]
pub struct StartExecutionInput {
    /// The workflow.
    workflow_id: ID,
    /// Which of its versions: the newest when absent.
    version: Option<i32>,
    /// What it works on: an object that fits the workflow's input schema. The workflow's defaults fill what is absent.
    input: Json,
    /// What it is for.
    #[graphql(default_with = "ExecutionMode::Live")]
    mode: ExecutionMode,
    /// What it belongs to, such as an order's number: 1 to 200 characters. Executions can be found by it.
    correlation_id: Option<String>,
    /// Makes a retry safe: the same key gives the same execution.
    idempotency_key: Option<String>,
}

impl StartExecutionInput {
    fn into_command(self) -> std::result::Result<StartExecution, Vec<UserError>> {
        let (workflow, input) = (parse_id::<WorkflowId>("workflowId", &self.workflow_id), read("input", &self.input));
        match (workflow, input) {
            (Ok(workflow), Ok(input)) => Ok(StartExecution {
                workflow,
                version: self.version,
                input,
                mode: self.mode.into(),
                correlation_id: self.correlation_id,
                idempotency_key: self.idempotency_key,
            }),
            (workflow, input) => Err(workflow.err().into_iter().chain(input.err()).collect()),
        }
    }
}

/// Which execution to stop for good.
#[derive(InputObject)]
pub struct CancelExecutionInput {
    /// The execution.
    execution_id: ID,
    /// Why, for whoever looks at it later: at most 1,000 characters.
    reason: Option<String>,
}

/// Which execution to stop for now.
#[derive(InputObject)]
pub struct PauseExecutionInput {
    /// The execution.
    execution_id: ID,
}

/// Which execution goes on.
#[derive(InputObject)]
pub struct ResumeExecutionInput {
    /// The execution.
    execution_id: ID,
}

execution_payload! {
    /// The new execution, or what was wrong.
    StartExecutionPayload
}
execution_payload! {
    /// The cancelled execution, or what was wrong.
    CancelExecutionPayload
}
execution_payload! {
    /// The paused execution, or what was wrong.
    PauseExecutionPayload
}
execution_payload! {
    /// The execution that goes on, or what was wrong.
    ResumeExecutionPayload
}

#[derive(Default)]
pub struct ExecutionMutation;

#[Object]
impl ExecutionMutation {
    /// Runs a workflow. Needs the role OPERATOR.
    async fn start_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: StartExecutionInput,
    ) -> Result<StartExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => of_command(ctx.engine().start_execution(scope, command).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }

    /// Stops an execution for good. Running work is told, and its late result ignored. Needs the role OPERATOR.
    async fn cancel_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CancelExecutionInput,
    ) -> Result<CancelExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match parse_execution(&input.execution_id) {
            Ok(id) => of_command(ctx.engine().cancel_execution(scope, id, input.reason.as_deref()).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }

    /// Stops an execution for now: what runs comes to its end, and nothing new begins. Needs the role OPERATOR.
    async fn pause_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: PauseExecutionInput,
    ) -> Result<PauseExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match parse_execution(&input.execution_id) {
            Ok(id) => of_command(ctx.engine().pause_execution(scope, id).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }

    /// Lets a paused execution go on. Needs the role OPERATOR.
    async fn resume_execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ResumeExecutionInput,
    ) -> Result<ResumeExecutionPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match parse_execution(&input.execution_id) {
            Ok(id) => of_command(ctx.engine().resume_execution(scope, id).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }
}
