//! Taking tasks.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use super::ClaimedTask;
use crate::{
    domain::{access::Scope, role::Role},
    engine::commands::ClaimTasks,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome},
    },
};

/// Which tasks a worker takes.
#[derive(InputObject)]
pub struct ClaimTasksInput {
    /// The queue, as agents of the kind WORKER name it.
    queue: String,
    /// At most so many: 1 to 100.
    #[graphql(default = 1)]
    max: i32,
    /// How long they are in the worker's hands unless it prolongs that: 1 to 3,600.
    #[graphql(default = 60)]
    lease_seconds: i32,
    /// Which worker it is, for people who look: 1 to 200 characters.
    worker_id: String,
}

impl From<ClaimTasksInput> for ClaimTasks {
    fn from(input: ClaimTasksInput) -> Self {
        let ClaimTasksInput { queue, max, lease_seconds, worker_id } = input;
        Self { queue, max, lease_seconds, worker_id }
    }
}

/// The tasks that a worker got, or what was wrong with its claim.
pub async fn claim(
    ctx: &Context<'_>,
    scope: Scope,
    command: &ClaimTasks,
) -> Result<std::result::Result<Vec<ClaimedTask>, Vec<UserError>>> {
    let claimed = outcome(ctx.engine().claim_tasks(scope, command.clone()).await)?;
    Ok(claimed.map(|tasks| tasks.into_iter().map(ClaimedTask).collect()))
}

/// What the worker got, or what was wrong.
#[derive(SimpleObject)]
pub struct ClaimTasksPayload {
    /// The tasks that are now the worker's, the oldest first; none if none waits.
    tasks: Vec<ClaimedTask>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct ClaimMutation;

#[Object]
impl ClaimMutation {
    /// Takes tasks that wait in a queue. Each is given to one worker at a time. Needs the role OPERATOR.
    async fn claim_tasks(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ClaimTasksInput,
    ) -> Result<ClaimTasksPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match claim(ctx, scope, &input.into()).await? {
            Ok(tasks) => ClaimTasksPayload { tasks, user_errors: Vec::new() },
            Err(user_errors) => ClaimTasksPayload { tasks: Vec::new(), user_errors },
        })
    }
}
