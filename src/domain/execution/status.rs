//! The states of executions and of their steps.

/// Defines an enum whose values have a text in the database and in the journal: never renamed.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$value_doc])* #[serde(rename = $text)] $value,)*
        }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$value,)*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$value => $text,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text).ok_or(())
            }
        }
    };
}
pub(super) use words;

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
            StepStatus::Pending | StepStatus::Scheduled | StepStatus::Running | StepStatus::Retrying => false,
        }
    }
}
