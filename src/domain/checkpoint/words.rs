//! The kinds and states of checkpoints.

use crate::domain::words::words;

words! {
    /// What waits for people.
    Kind {
        /// A step that is about to run.
        Step = "STEP",
        /// An agent outside the workflow that asks, or a worker in the middle of its step.
        External = "EXTERNAL",
        /// Questions to people.
        Clarification = "CLARIFICATION",
    }
}

words! {
    /// Where a checkpoint is.
    Status {
        /// Waits for people.
        Pending = "PENDING",
        /// The people that it needs have approved, or answered.
        Approved = "APPROVED",
        /// Somebody has rejected it.
        Rejected = "REJECTED",
        /// Nobody decided in time.
        TimedOut = "TIMED_OUT",
        /// A rule approved it; nobody was asked.
        AutoApproved = "AUTO_APPROVED",
        /// Nobody needs the answer any more.
        Cancelled = "CANCELLED",
    }
}

impl Status {
    /// Whether what was proposed may be done.
    pub fn is_go(self) -> bool {
        match self {
            Status::Approved | Status::AutoApproved => true,
            Status::Pending | Status::Rejected | Status::TimedOut | Status::Cancelled => false,
        }
    }
}

words! {
    /// What one person decided.
    Verdict {
        Approve = "APPROVE",
        Reject = "REJECT",
        /// Answers to the questions of a clarification.
        Answer = "ANSWER",
    }
}

words! {
    /// Why there is another revision of a proposal.
    Cause {
        /// Somebody approved with other parameters.
        Modified = "MODIFIED",
        /// Somebody approved some of the items.
        Selected = "SELECTED",
        /// A question about it was answered.
        Answered = "ANSWERED",
        /// Whoever proposed it proposes something else.
        Revised = "REVISED",
        /// It is to be done by a newer version of its agent.
        AgentUpdated = "AGENT_UPDATED",
    }
}

words! {
    /// What the server itself changes once people have approved that.
    Subject {
        Policy = "POLICY",
        Agent = "AGENT",
        Workflow = "WORKFLOW",
    }
}

words! {
    /// Why something else is asked of people than before.
    Reassessment {
        /// The policy asks for more about the new revision.
        Revised = "REVISED",
        /// The policy has changed.
        PolicyChanged = "POLICY_CHANGED",
        /// People have lost or gained the right to approve.
        PeopleChanged = "PEOPLE_CHANGED",
        /// An admin gave it to others.
        Reassigned = "REASSIGNED",
    }
}
