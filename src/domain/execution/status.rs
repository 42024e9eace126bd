//! The states of executions and of their steps.

use crate::domain::words::words;

words! {
    /// Where an execution is.
    Status {
        /// Waits for a free place.
        Queued = "QUEUED",
        /// An agent works out how to reach its goal.
        Planning = "PLANNING",
        /// Waits for people.
        AwaitingApproval = "AWAITING_APPROVAL",
        /// Steps run, or wait for their worker or their next attempt.
        Running = "RUNNING",
        /// Somebody stopped it for now: nothing new starts.
        Paused = "PAUSED",
        /// Came to its end.
        Completed = "COMPLETED",
        /// Stopped at an error.
        Failed = "FAILED",
        /// Somebody stopped it for good.
        Cancelled = "CANCELLED",
        /// Reached one of its limits.
        LimitReached = "LIMIT_REACHED",
    }
}

impl Status {
    /// Whether nothing can happen any more.
    pub fn is_terminal(self) -> bool {
        match self {
            Status::Completed | Status::Failed | Status::Cancelled | Status::LimitReached => true,
            Status::Queued | Status::Planning | Status::AwaitingApproval | Status::Running | Status::Paused => false,
        }
    }
}

words! {
    /// Why an execution ended.
    CompletionReason {
        /// All that had to be done was done.
        Success = "SUCCESS",
        /// It went on after errors, and some steps are missing.
        Partial = "PARTIAL",
        /// Somebody rejected what it was about to do.
        Rejected = "REJECTED",
        /// Nobody decided in time.
        ApprovalTimeout = "APPROVAL_TIMEOUT",
        /// It took longer than allowed.
        MaxDuration = "MAX_DURATION",
        /// It cost more than allowed.
        MaxCost = "MAX_COST",
        /// It took more turns than allowed.
        MaxIterations = "MAX_ITERATIONS",
        /// Somebody cancelled it.
        Cancelled = "CANCELLED",
        /// An error that could not be healed.
        Failed = "FAILED",
    }
}

words! {
    /// What an execution is for.
    Mode {
        /// The real thing.
        Live = "LIVE",
        /// Really runs, but is marked as a test and left out of analytics.
        Test = "TEST",
    }
}

words! {
    /// Where a step of an execution is.
    StepStatus {
        /// Waits for the steps that it needs.
        Pending = "PENDING",
        /// Waits for people to let it through.
        AwaitingApproval = "AWAITING_APPROVAL",
        /// Could run, and waits for its worker or for a free place.
        Scheduled = "SCHEDULED",
        /// Is being worked on.
        Running = "RUNNING",
        /// Failed, and waits for its next attempt.
        Retrying = "RETRYING",
        /// Gave its output.
        Completed = "COMPLETED",
        /// Failed for good.
        Failed = "FAILED",
        /// Was not needed.
        Skipped = "SKIPPED",
        /// Was stopped with its execution.
        Cancelled = "CANCELLED",
    }
}

impl StepStatus {
    /// Whether the step is over.
    pub fn is_terminal(self) -> bool {
        match self {
            StepStatus::Completed | StepStatus::Failed | StepStatus::Skipped | StepStatus::Cancelled => true,
            StepStatus::Pending
            | StepStatus::AwaitingApproval
            | StepStatus::Scheduled
            | StepStatus::Running
            | StepStatus::Retrying => false,
        }
    }
}
