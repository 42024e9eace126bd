//! The words for what checkpoints are.

use async_graphql::Enum;

use crate::domain::{checkpoint, policy};

/// What waits for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "checkpoint::Kind")]
pub enum CheckpointKind {
    /// A step that is about to run.
    Step,
    /// Somebody who asks from outside of a workflow, or a worker in the middle of its task.
    External,
    /// Questions to people.
    Clarification,
}

/// Where a checkpoint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "checkpoint::Status")]
pub enum CheckpointStatus {
    /// Waits for people.
    Pending,
    /// Those who had to have approved, or answered; or nobody decided in time and the policy takes that for consent.
    Approved,
    /// Somebody rejected it.
    Rejected,
    /// Nobody decided in time.
    TimedOut,
    /// A rule approved it: nobody was asked.
    AutoApproved,
    /// Nobody needs the decision any more.
    Cancelled,
}

/// What one person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "checkpoint::Verdict")]
pub enum DecisionVerdict {
    /// It may be done.
    Approve,
    /// It must not be done.
    Reject,
    /// Answers to the questions of a clarification.
    Answer,
}

/// Why there is another revision of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "checkpoint::Cause")]
pub enum RevisionCause {
    /// Somebody approved with other parameters.
    Modified,
    /// Somebody approved some of the items.
    Selected,
    /// A question about it was answered.
    Answered,
    /// Whoever proposed it proposes something else.
    Revised,
    /// It is to be done by a newer version of its agent.
    AgentUpdated,
}

/// Why something else is asked of people than before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "checkpoint::Reassessment")]
pub enum ReassessmentCause {
    /// The policy asks for more about the new revision.
    Revised,
    /// The policy has changed.
    PolicyChanged,
    /// People have lost or gained the right to approve.
    PeopleChanged,
    /// An admin gave it to others.
    Reassigned,
}

/// What happens when nobody has decided in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "policy::OnTimeout")]
pub enum TimeoutAction {
    /// The execution ends.
    Cancel,
    /// As if somebody had rejected it.
    Reject,
    /// As if everybody had approved.
    Approve,
    /// Others are asked, and it goes on waiting.
    Escalate,
}

/// Who may not decide, by what they have to do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "policy::Excluded")]
pub enum ExcludedPerson {
    /// Whoever started the execution.
    Requester,
    /// Whoever wrote a version of the agent.
    AgentOwner,
}
