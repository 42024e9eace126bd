//! The kinds of events, for filters.

use async_graphql::Enum;

/// What happened to an execution, for filters. Each has a type of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum ExecutionEventType {
    /// The execution exists.
    ExecutionQueued,
    /// The execution got its place.
    ExecutionStarted,
    /// A step could run, and waits for its worker or a free place.
    StepScheduled,
    /// Somebody works on a step.
    StepStarted,
    /// Whoever worked on a step is gone.
    StepReleased,
    /// A step is further than it was.
    StepProgressed,
    /// A step or its worker wrote a line to the log.
    StepLogged,
    /// A step gave its output.
    StepCompleted,
    /// A step failed and will be tried again.
    StepRetried,
    /// A step failed for good.
    StepFailed,
    /// A step was not needed.
    StepSkipped,
    /// A step runs again because people want something else.
    StepReopened,
    /// A value is so large that somebody should know.
    PayloadLarge,
    /// Somebody stopped the execution for now.
    ExecutionPaused,
    /// Somebody let the execution go on.
    ExecutionResumed,
    /// Somebody stopped the execution for good.
    ExecutionCancelled,
    /// The execution came to its end.
    ExecutionCompleted,
    /// The execution stopped at an error.
    ExecutionFailed,
}

impl ExecutionEventType {
    /// The kind as the journal names it.
    pub fn kind(self) -> &'static str {
        match self {
            Self::ExecutionQueued => "execution.queued",
            Self::ExecutionStarted => "execution.started",
            Self::StepScheduled => "step.scheduled",
            Self::StepStarted => "step.started",
            Self::StepReleased => "step.released",
            Self::StepProgressed => "step.progressed",
            Self::StepLogged => "step.logged",
            Self::StepCompleted => "step.completed",
            Self::StepRetried => "step.retried",
            Self::StepFailed => "step.failed",
            Self::StepSkipped => "step.skipped",
            Self::StepReopened => "step.reopened",
            Self::PayloadLarge => "payload.large",
            Self::ExecutionPaused => "execution.paused",
            Self::ExecutionResumed => "execution.resumed",
            Self::ExecutionCancelled => "execution.cancelled",
            Self::ExecutionCompleted => "execution.completed",
            Self::ExecutionFailed => "execution.failed",
        }
    }

    /// The kinds of a filter, each once: a database takes only so many values.
    pub fn kinds(types: Option<Vec<Self>>) -> Vec<&'static str> {
        let mut kinds = Vec::new();
        for kind in types.unwrap_or_default().into_iter().map(Self::kind) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::resolver_utils::EnumType;

    use super::*;
    use crate::domain::execution::Event;

    #[test]
    fn every_kind_can_be_asked_for() {
        let kinds: Vec<&str> = ExecutionEventType::items().iter().map(|item| item.value.kind()).collect();
        assert_eq!(kinds, Event::KINDS);
        let twice = vec![ExecutionEventType::StepFailed, ExecutionEventType::StepFailed];
        assert_eq!(ExecutionEventType::kinds(Some(twice)), ["step.failed"]);
    }
}
