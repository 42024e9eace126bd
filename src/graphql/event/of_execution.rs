//! What happens to an execution as a whole.

use async_graphql::Context;

use super::line::event_type;
use crate::{
    domain::execution::{self, Failure, Queued},
    graphql::{
        error::Result,
        execution::{CompletionReason, ExecutionError, ExecutionMode, Trouble, value},
        json::Json,
    },
};

event_type! {
    /// The execution exists, and waits for a free place.
    ExecutionQueued { queued: Box<Queued> } shows {
        /// What it works on, the workflow's defaults filled in.
        async fn input(&self, ctx: &Context<'_>) -> Result<Json> {
            Ok(Json::from(&value(ctx, &self.queued.input).await?))
        }

        /// What it is for.
        async fn mode(&self) -> ExecutionMode {
            self.queued.mode.into()
        }

        /// The keys of the steps whose outputs are those of the execution that this one continues.
        async fn kept_step_keys(&self, ctx: &Context<'_>) -> Result<Vec<String>> {
            let keys = self.queued.kept.iter().map(|kept| self.line.step_key(ctx, kept.step));
            futures_util::future::try_join_all(keys).await
        }
    }
}

event_type! {
    /// The execution got its place.
    ExecutionStarted {} shows {}
}

event_type! {
    /// A value is so large that somebody should know.
    PayloadLarge { step: Option<usize>, bytes: u64 } shows {
        /// The key of the step whose output it is; null for the execution's input.
        async fn output_of(&self, ctx: &Context<'_>) -> Result<Option<String>> {
            match self.step {
                Some(step) => self.line.step_key(ctx, step).await.map(Some),
                None => Ok(None),
            }
        }

        /// How many bytes it has as JSON: a whole number.
        async fn bytes(&self) -> f64 {
            self.bytes as f64
        }
    }
}

event_type! {
    /// Somebody stopped the execution for now.
    ExecutionPaused {} shows {}
}

event_type! {
    /// Somebody let the execution go on.
    ExecutionResumed {} shows {}
}

event_type! {
    /// Somebody stopped the execution for good.
    ExecutionCancelled { reason: Option<String> } shows {
        /// Why, if they said so.
        async fn reason(&self) -> Option<&str> {
            self.reason.as_deref()
        }
    }
}

event_type! {
    /// The execution came to its end.
    ExecutionCompleted { reason: execution::CompletionReason } shows {
        /// How it came to its end.
        async fn completion_reason(&self) -> CompletionReason {
            self.reason.into()
        }
    }
}

event_type! {
    /// The execution stopped at an error.
    ExecutionFailed { reason: execution::CompletionReason, step: Option<usize>, failure: Failure } shows {
        /// Why it ended.
        async fn completion_reason(&self) -> CompletionReason {
            self.reason.into()
        }

        /// What went wrong.
        async fn error(&self, ctx: &Context<'_>) -> Result<ExecutionError> {
            let execution = self.line.execution(ctx).await?;
            let (step, failure, at) = (self.step, self.failure.clone(), self.line.0.at);
            Ok(ExecutionError(Trouble { execution, step, failure, attempts: None, at }))
        }
    }
}

event_type! {
    /// Something that a newer version of the server wrote.
    UnknownEvent { kind: String } shows {
        /// What that version calls it.
        async fn kind(&self) -> &str {
            &self.kind
        }
    }
}
