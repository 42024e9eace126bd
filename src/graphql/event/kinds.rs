//! The kinds of events, for filters.

use async_graphql::Enum;

use crate::domain::checkpoint;

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
    /// People must decide.
    CheckpointRequested,
    /// A rule approved something: nobody was asked.
    CheckpointAutoApproved,
    /// Somebody decided; others may have to.
    CheckpointDecided,
    /// There is another revision of a proposal.
    CheckpointRevised,
    /// A decision counts no longer: it was about an older revision, or its maker may not approve any more.
    CheckpointDecisionLapsed,
    /// Something else is asked of people than before.
    CheckpointReassessed,
    /// All who had to approve did, or answered.
    CheckpointApproved,
    /// Somebody rejected it.
    CheckpointRejected,
    /// Nobody decided in time.
    CheckpointTimedOut,
    /// Nobody needs the decision any more.
    CheckpointCancelled,
    /// Nobody decided for a while: others are asked as well.
    CheckpointEscalated,
    /// Those who can decide are reminded.
    CheckpointReminded,
    /// Somebody took it, gave it to somebody, or gave it back.
    CheckpointAssigned,
    /// Somebody let another person decide in their place.
    CheckpointDelegated,
    /// Somebody said something about it.
    CheckpointCommented,
    /// Somebody wants to know something before deciding.
    CheckpointQuestioned,
    /// Whoever is behind the proposal answered a question.
    CheckpointAnswered,
    /// Somebody would not have approved what a rule did.
    CheckpointOverridden,
    /// A deliverable is there, with its first version.
    DeliverableCreated,
    /// A deliverable has another version, or is called something else.
    DeliverableUpdated,
    /// A deliverable is frozen.
    DeliverableFinalized,
    /// A deliverable was put away.
    DeliverableArchived,
    /// A deliverable that was put away is back.
    DeliverableRestored,
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
            Self::CheckpointRequested => "checkpoint.requested",
            Self::CheckpointAutoApproved => "checkpoint.auto_approved",
            Self::CheckpointDecided => "checkpoint.decided",
            Self::CheckpointRevised => "checkpoint.revised",
            Self::CheckpointDecisionLapsed => "checkpoint.lapsed",
            Self::CheckpointReassessed => "checkpoint.reassessed",
            Self::CheckpointApproved => "checkpoint.approved",
            Self::CheckpointRejected => "checkpoint.rejected",
            Self::CheckpointTimedOut => "checkpoint.timed_out",
            Self::CheckpointCancelled => "checkpoint.cancelled",
            Self::CheckpointEscalated => "checkpoint.escalated",
            Self::CheckpointReminded => "checkpoint.reminded",
            Self::CheckpointAssigned => "checkpoint.assigned",
            Self::CheckpointDelegated => "checkpoint.delegated",
            Self::CheckpointCommented => "checkpoint.commented",
            Self::CheckpointQuestioned => "checkpoint.asked",
            Self::CheckpointAnswered => "checkpoint.answered",
            Self::CheckpointOverridden => "checkpoint.overridden",
            Self::DeliverableCreated => "deliverable.created",
            Self::DeliverableUpdated => "deliverable.updated",
            Self::DeliverableFinalized => "deliverable.finalized",
            Self::DeliverableArchived => "deliverable.archived",
            Self::DeliverableRestored => "deliverable.restored",
        }
    }

    /// The kinds of a filter, each once: a database takes only so many values.
    pub fn kinds(types: Option<Vec<Self>>) -> Vec<&'static str> {
        each_once(types.unwrap_or_default().into_iter().map(Self::kind))
    }
}

/// What happened to a checkpoint, for filters. Each has a type of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[expect(clippy::enum_variant_names, reason = "the names are those of the types, and of the longer enum")]
pub enum CheckpointEventType {
    /// People must decide.
    CheckpointRequested,
    /// A rule approved something: nobody was asked.
    CheckpointAutoApproved,
    /// Somebody decided; others may have to.
    CheckpointDecided,
    /// There is another revision of a proposal.
    CheckpointRevised,
    /// A decision counts no longer: it was about an older revision, or its maker may not approve any more.
    CheckpointDecisionLapsed,
    /// Something else is asked of people than before.
    CheckpointReassessed,
    /// All who had to approve did, or answered.
    CheckpointApproved,
    /// Somebody rejected it.
    CheckpointRejected,
    /// Nobody decided in time.
    CheckpointTimedOut,
    /// Nobody needs the decision any more.
    CheckpointCancelled,
    /// Nobody decided for a while: others are asked as well.
    CheckpointEscalated,
    /// Those who can decide are reminded.
    CheckpointReminded,
    /// Somebody took it, gave it to somebody, or gave it back.
    CheckpointAssigned,
    /// Somebody let another person decide in their place.
    CheckpointDelegated,
    /// Somebody said something about it.
    CheckpointCommented,
    /// Somebody wants to know something before deciding.
    CheckpointQuestioned,
    /// Whoever is behind the proposal answered a question.
    CheckpointAnswered,
    /// Somebody would not have approved what a rule did.
    CheckpointOverridden,
}

impl CheckpointEventType {
    /// The kind as the journal names it.
    pub fn kind(self) -> &'static str {
        match self {
            Self::CheckpointRequested => "checkpoint.requested",
            Self::CheckpointAutoApproved => "checkpoint.auto_approved",
            Self::CheckpointDecided => "checkpoint.decided",
            Self::CheckpointRevised => "checkpoint.revised",
            Self::CheckpointDecisionLapsed => "checkpoint.lapsed",
            Self::CheckpointReassessed => "checkpoint.reassessed",
            Self::CheckpointApproved => "checkpoint.approved",
            Self::CheckpointRejected => "checkpoint.rejected",
            Self::CheckpointTimedOut => "checkpoint.timed_out",
            Self::CheckpointCancelled => "checkpoint.cancelled",
            Self::CheckpointEscalated => "checkpoint.escalated",
            Self::CheckpointReminded => "checkpoint.reminded",
            Self::CheckpointAssigned => "checkpoint.assigned",
            Self::CheckpointDelegated => "checkpoint.delegated",
            Self::CheckpointCommented => "checkpoint.commented",
            Self::CheckpointQuestioned => "checkpoint.asked",
            Self::CheckpointAnswered => "checkpoint.answered",
            Self::CheckpointOverridden => "checkpoint.overridden",
        }
    }

    /// The kinds of a filter, each once; all of them if it names none.
    pub fn kinds(types: Option<Vec<Self>>) -> Vec<&'static str> {
        match types {
            None => checkpoint::Event::KINDS.to_vec(),
            Some(types) if types.is_empty() => checkpoint::Event::KINDS.to_vec(),
            Some(types) => each_once(types.into_iter().map(Self::kind)),
        }
    }
}

fn each_once(given: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for kind in given {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use async_graphql::resolver_utils::EnumType;

    use super::*;
    use crate::domain::{checkpoint, deliverable, execution::Event};

    #[test]
    fn every_kind_can_be_asked_for() {
        let kinds: Vec<&str> = ExecutionEventType::items().iter().map(|item| item.value.kind()).collect();
        assert_eq!(kinds, [Event::KINDS, checkpoint::Event::KINDS, deliverable::Event::KINDS].concat());
        let kinds: Vec<&str> = CheckpointEventType::items().iter().map(|item| item.value.kind()).collect();
        assert_eq!(kinds, checkpoint::Event::KINDS);
        let twice = vec![ExecutionEventType::StepFailed, ExecutionEventType::StepFailed];
        assert_eq!(ExecutionEventType::kinds(Some(twice)), ["step.failed"]);
    }
}
