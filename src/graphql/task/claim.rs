//! Taking tasks.

use async_graphql::{Context, InputObject, Object, SimpleObject};

use super::ClaimedTask;
use crate::{
    domain::role::Role,
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
        let ClaimTasksInput { queue, max, lease_seconds, worker_id } = input;
        let command = ClaimTasks { queue, max, lease_seconds, worker_id };
        Ok(match outcome(ctx.engine().claim_tasks(scope, command).await)? {
            Ok(tasks) => {
                let tasks = tasks.into_iter().map(ClaimedTask).collect();
                ClaimTasksPayload { tasks, user_errors: Vec::new() }
            }
            Err(user_errors) => ClaimTasksPayload { tasks: Vec::new(), user_errors },
        })
    }
}
