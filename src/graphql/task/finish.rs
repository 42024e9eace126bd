//! Handing in what a worker did, or saying that it could not.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::{
    ClaimedTask,
    claim::{ClaimTasksInput, claim},
    lease,
    usage::UsageInput,
};
use crate::{
    domain::{access::Scope, role::Role},
    engine::commands::{ClaimTasks, CompleteTask, FailTask},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError},
        execution::{Execution, Outcome, of_command},
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
    /// What the worker takes next, in the same request and at the same time.
    claim_next: Option<ClaimTasksInput>,
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
    /// What the worker takes next, in the same request and at the same time.
    claim_next: Option<ClaimTasksInput>,
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

/// Defines what a worker is told that has done with a task.
macro_rules! finish_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// The execution after the change.
            execution: Option<Execution>,
            /// What `claimNext` gave, the oldest first, also if the rest was refused; none if none waits.
            next_tasks: Vec<ClaimedTask>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<(Outcome, Claimed)> for $name {
            fn from((outcome, next): (Outcome, Claimed)) -> Self {
                let (execution, mut user_errors) = match outcome {
                    Ok(execution) => (Some(execution), Vec::new()),
                    Err(user_errors) => (None, user_errors),
                };
                let next_tasks = next.unwrap_or_else(|wrong| {
                    user_errors.extend(wrong);
                    Vec::new()
                });
                Self { execution, next_tasks, user_errors }
            }
        }
    };
}

finish_payload! {
    /// The execution with the step's output, or what was wrong.
    CompleteTaskPayload
}
finish_payload! {
    /// The execution after the failure, or what was wrong.
    FailTaskPayload
}

type Claimed = std::result::Result<Vec<ClaimedTask>, Vec<UserError>>;

/// Hands something in and takes what comes next, so that both can be written together.
async fn finish_and_claim(
    ctx: &Context<'_>,
    scope: Scope,
    finish: impl Future<Output = Result<Outcome>>,
    next: Option<ClaimTasksInput>,
) -> Result<(Outcome, Claimed)> {
    let Some(next) = next.map(ClaimTasks::from) else { return Ok((finish.await?, Ok(Vec::new()))) };
    let (outcome, claimed) = futures_util::join!(finish, claim(ctx, scope, &next));
    let (outcome, mut claimed) = (outcome?, claimed?);
    // Perhaps what was handed in has made room for another one.
    if outcome.is_ok() && claimed.as_ref().is_ok_and(Vec::is_empty) {
        claimed = claim(ctx, scope, &next).await?;
    }
    let within = |mut error: UserError| {
        error.path.insert(1.min(error.path.len()), "claimNext".to_owned());
        error
    };
    Ok((outcome, claimed.map_err(|errors| errors.into_iter().map(within).collect())))
}

#[derive(Default)]
pub struct FinishMutation;

#[Object]
impl FinishMutation {
    /// Hands in the output of a task. Needs the role OPERATOR.
    async fn complete_task(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] mut input: CompleteTaskInput,
    ) -> Result<CompleteTaskPayload> {
        let scope = ctx.require(Role::Operator)?;
        let (next, command) = (input.claim_next.take(), input.into_command());
        let finish = async {
            match command {
                Ok(command) => of_command(Box::pin(ctx.engine().complete_task(scope, command)).await),
                Err(error) => Ok(Err(vec![error])),
            }
        };
        Ok(finish_and_claim(ctx, scope, finish, next).await?.into())
    }

    /// Says that a task could not be done. It is tried again if that may help and attempts are left.
    /// Needs the role OPERATOR.
    async fn fail_task(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] mut input: FailTaskInput,
    ) -> Result<FailTaskPayload> {
        let scope = ctx.require(Role::Operator)?;
        let (next, command) = (input.claim_next.take(), input.into_command());
        let finish = async {
            match command {
                Ok(command) => of_command(Box::pin(ctx.engine().fail_task(scope, command)).await),
                Err(error) => Ok(Err(vec![error])),
            }
        };
        Ok(finish_and_claim(ctx, scope, finish, next).await?.into())
    }
}
