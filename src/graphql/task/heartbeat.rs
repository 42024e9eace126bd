//! Signs of life from workers.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::lease;
use crate::{
    domain::role::Role,
    engine::commands::HeartbeatTask,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, UserErrorCode, outcome},
        execution::LogLevel,
    },
};

/// A line for the execution's log.
#[derive(InputObject)]
pub struct TaskLogInput {
    /// How important it is.
    level: LogLevel,
    /// What to say: at most 10,000 characters.
    message: String,
}

/// That a worker is still at it, and how far it is.
#[derive(InputObject)]
pub struct HeartbeatTaskInput {
    /// The task.
    task_id: ID,
    /// The token that came with the claim.
    lease_token: String,
    /// How long the task is in the worker's hands from now on: 1 to 3,600.
    #[graphql(default = 60)]
    lease_seconds: i32,
    /// How far the work is, from 0 to 1.
    progress: Option<f64>,
    /// A line for the execution's log.
    log: Option<TaskLogInput>,
}

/// What the worker learns, or what was wrong.
#[derive(SimpleObject)]
pub struct HeartbeatTaskPayload {
    /// Whether to stop: the execution has ended, or the task is not in this worker's hands any more.
    cancelled: bool,
    /// Until when the task is in the worker's hands. It is prolonged also where the log line is not kept because there are too
    /// many (`LIMIT_REACHED`).
    lease_until: Option<DateTime<Utc>>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

impl From<Vec<UserError>> for HeartbeatTaskPayload {
    fn from(user_errors: Vec<UserError>) -> Self {
        let lost = |error: &UserError| matches!(error.code, UserErrorCode::Expired | UserErrorCode::NotFound);
        Self { cancelled: user_errors.iter().any(lost), lease_until: None, user_errors }
    }
}

#[derive(Default)]
pub struct HeartbeatMutation;

#[Object]
impl HeartbeatMutation {
    /// Keeps a task in the worker's hands, says how far it is, and learns whether to stop. Needs the role OPERATOR.
    async fn heartbeat_task(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: HeartbeatTaskInput,
    ) -> Result<HeartbeatTaskPayload> {
        let scope = ctx.require(Role::Operator)?;
        let lease = match lease::read(&input.task_id, &input.lease_token) {
            Ok(lease) => lease,
            Err(error) => return Ok(vec![error].into()),
        };
        let command = HeartbeatTask {
            lease,
            lease_seconds: input.lease_seconds,
            progress: input.progress,
            log: input.log.map(|line| (line.level.into(), line.message)),
        };
        Ok(match outcome(ctx.engine().heartbeat_task(scope, command).await)? {
            Ok(beat) => HeartbeatTaskPayload {
                cancelled: beat.cancelled,
                lease_until: beat.lease_until,
                user_errors: beat.not_kept.into_iter().map(UserError::from).collect(),
            },
            Err(user_errors) => user_errors.into(),
        })
    }
}
