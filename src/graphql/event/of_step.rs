//! What happens to one step of an execution.

use async_graphql::{Context, ID};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::line::event_type;
use crate::{
    domain::{
        execution::{self, Data, Failure, Released, Wish, Work},
        id::{AgentId, TaskId},
    },
    graphql::{
        agent::Agent,
        caller::ContextExt,
        error::Result,
        execution::{LogLevel, ReleaseReason, StepError, Trouble, Usage, value},
        json::Json,
    },
};

/// Defines an event of one step, which shows the step's key.
macro_rules! step_event_type {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $of:ty),* $(,)? } shows { $($shown:tt)* }) => {
        event_type! {
            $(#[$doc])*
            $name { step: usize, $($field: $of),* } shows {
                /// The step's key.
                async fn step_key(&self, ctx: &Context<'_>) -> Result<String> {
                    self.line.step_key(ctx, self.step).await
                }

                $($shown)*
            }
        }
    };
}

fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

async fn find_agent(ctx: &Context<'_>, id: Uuid) -> Result<Option<Agent>> {
    Ok(ctx.loaders()?.load(AgentId(id)).await?.map(Agent))
}

step_event_type! {
    /// A step could run, and waits for its worker or a free place.
    StepScheduled { attempt: u32, agent: (Uuid, i32), task: Uuid, queue: Option<String> } shows {
        /// Which attempt it is, counted from 1.
        async fn attempt(&self) -> i32 {
            small(self.attempt)
        }

        /// Whose work it is.
        async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
            find_agent(ctx, self.agent.0).await
        }

        /// The agent's version.
        async fn agent_version(&self) -> i32 {
            self.agent.1
        }

        /// The id of the task that waits.
        async fn task_id(&self) -> ID {
            TaskId(self.task).to_string().into()
        }

        /// Where workers find it; null for work that a server does itself.
        async fn queue(&self) -> Option<&str> {
            self.queue.as_deref()
        }
    }
}

step_event_type! {
    /// Somebody works on a step.
    StepStarted { attempt: u32, agent: (Uuid, i32), work: Work } shows {
        /// Which attempt it is, counted from 1.
        async fn attempt(&self) -> i32 {
            small(self.attempt)
        }

        /// Whose work it is.
        async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
            find_agent(ctx, self.agent.0).await
        }

        /// The agent's version.
        async fn agent_version(&self) -> i32 {
            self.agent.1
        }

        /// The worker that took it; null if a server does it itself.
        async fn worker_id(&self) -> Option<&str> {
            match &self.work {
                Work::Worker { id, .. } => Some(id),
                Work::Server(_) => None,
            }
        }
    }
}

step_event_type! {
    /// Whoever worked on a step is gone: somebody else may take it, as the same attempt.
    StepReleased { attempt: u32, reason: Released, task: Uuid, queue: Option<String> } shows {
        /// Which attempt it is, counted from 1.
        async fn attempt(&self) -> i32 {
            small(self.attempt)
        }

        /// Why it was given back.
        async fn release_reason(&self) -> ReleaseReason {
            self.reason.into()
        }

        /// The id of the task that waits again.
        async fn task_id(&self) -> ID {
            TaskId(self.task).to_string().into()
        }

        /// Where workers find it; null for work that a server does itself.
        async fn queue(&self) -> Option<&str> {
            self.queue.as_deref()
        }
    }
}

step_event_type! {
    /// A step is further than it was.
    StepProgressed { progress: f64 } shows {
        /// How far it is, from 0 to 1.
        async fn progress(&self) -> f64 {
            self.progress
        }
    }
}

step_event_type! {
    /// A step or its worker wrote a line to the log.
    StepLogged { level: execution::LogLevel, message: String } shows {
        /// How important it is.
        async fn level(&self) -> LogLevel {
            self.level.into()
        }

        /// What it says.
        async fn message(&self) -> &str {
            &self.message
        }
    }
}

step_event_type! {
    /// A step gave its output.
    StepCompleted {
        attempt: u32, output: Data, usage: execution::Usage, confidence: Option<f64>, reasoning: Option<String>,
    } shows {
        /// Which attempt it was, counted from 1.
        async fn attempt(&self) -> i32 {
            small(self.attempt)
        }

        /// What it gave.
        async fn output(&self, ctx: &Context<'_>) -> Result<Json> {
            Ok(Json::from(&value(ctx, &self.output).await?))
        }

        /// What the attempt cost.
        async fn usage(&self) -> Usage {
            self.usage.into()
        }

        /// How sure whoever made the output is, from 0 to 1.
        async fn confidence(&self) -> Option<f64> {
            self.confidence
        }

        /// Why the output is what it is, as whoever made it says.
        async fn reasoning(&self) -> Option<&str> {
            self.reasoning.as_deref()
        }
    }
}

step_event_type! {
    /// People want something else from a step that is done, or from one that they rejected: it runs again.
    StepReopened { wish: Option<Wish> } shows {
        /// Why what it prepared was rejected; null for the step that was rejected.
        async fn reason(&self) -> Option<&str> {
            self.wish.as_ref().map(|wish| wish.reason.as_str())
        }
    }
}

step_event_type! {
    /// A step failed and will be tried again.
    StepRetried { attempt: u32, failure: Failure, usage: execution::Usage, retry_at: DateTime<Utc> } shows {
        /// Which attempt failed, counted from 1.
        async fn attempt(&self) -> i32 {
            small(self.attempt)
        }

        /// What went wrong.
        async fn error(&self, ctx: &Context<'_>) -> Result<StepError> {
            let (execution, failure) = (self.line.execution(ctx).await?, self.failure.clone());
            let (step, attempts, at) = (Some(self.step), Some(self.attempt), self.line.0.at);
            Ok(StepError(Trouble { execution, step, failure, attempts, at }))
        }

        /// What the attempt cost.
        async fn usage(&self) -> Usage {
            self.usage.into()
        }

        /// When the next attempt begins.
        async fn retry_at(&self) -> DateTime<Utc> {
            self.retry_at
        }
    }
}

step_event_type! {
    /// A step failed for good.
    StepFailed { attempt: u32, failure: Failure, usage: execution::Usage } shows {
        /// Which attempt failed, counted from 1; 0 if it failed before the first.
        async fn attempt(&self) -> i32 {
            small(self.attempt)
        }

        /// What went wrong.
        async fn error(&self, ctx: &Context<'_>) -> Result<StepError> {
            let (execution, failure) = (self.line.execution(ctx).await?, self.failure.clone());
            let (step, attempts, at) = (Some(self.step), Some(self.attempt), self.line.0.at);
            Ok(StepError(Trouble { execution, step, failure, attempts, at }))
        }

        /// What the attempt cost.
        async fn usage(&self) -> Usage {
            self.usage.into()
        }
    }
}

step_event_type! {
    /// A step was not needed.
    StepSkipped { reason: String } shows {
        /// Why not.
        async fn skipped_because(&self) -> &str {
            &self.reason
        }
    }
}
