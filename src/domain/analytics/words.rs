//! What is counted, and the kinds of it. These words are in the database: they are never renamed.

use crate::domain::words::words;

words! {
    /// What is counted. The word of a fact says which kind of it.
    Measure {
        /// What happened to a checkpoint: an [`Outcome`]. How long: from the request to its end.
        Checkpoint = "CHECKPOINT",
        /// A person's decision: an [`Outcome`]. How long: from when there was what was decided.
        Decision = "DECISION",
        /// A checkpoint that people ended, for each of them: an [`Outcome`]. How long as for a checkpoint.
        PersonCheckpoint = "PERSON_CHECKPOINT",
        /// A decision, for whoever made it.
        PersonDecision = "PERSON_DECISION",
        /// How an attempt of a step ended: an [`Attempted`]. How long the agent worked.
        Attempt = "ATTEMPT",
        /// Why an attempt failed: a code of a failure.
        Error = "ERROR",
        /// How an execution ended: its completion reason. How long: from its beginning to its end.
        Execution = "EXECUTION",
        /// The same for each agent that had a part in it.
        AgentExecution = "AGENT_EXECUTION",
    }
}

impl Measure {
    /// Whether there are series of it.
    pub fn has_series(self) -> bool {
        match self {
            Measure::Checkpoint | Measure::Attempt | Measure::Execution => true,
            Measure::Decision
            | Measure::PersonCheckpoint
            | Measure::PersonDecision
            | Measure::Error
            | Measure::AgentExecution => false,
        }
    }

    /// Whether there are series of it that are of one workflow or of one agent. With an agent, executions are counted for
    /// each of theirs.
    pub fn has_filtered_series(self) -> bool {
        self.has_series() || self == Measure::AgentExecution
    }
}

words! {
    /// What happened to a checkpoint, or what somebody decided about it.
    Outcome {
        /// People were asked.
        Asked = "ASKED",
        /// People approved what was proposed.
        Approved = "APPROVED",
        /// People approved it with other parameters, or only some of its items.
        Modified = "MODIFIED",
        Rejected = "REJECTED",
        /// People answered its questions.
        Answered = "ANSWERED",
        /// Its time ran out, whatever the policy made of that.
        TimedOut = "TIMED_OUT",
        /// Nobody needed the answer any more.
        Cancelled = "CANCELLED",
        /// A rule approved it: nobody was asked.
        AutoApproved = "AUTO_APPROVED",
        /// Somebody objected to what a rule had approved.
        Overridden = "OVERRIDDEN",
    }
}

words! {
    /// How an attempt of a step ended.
    Attempted {
        Completed = "COMPLETED",
        /// It failed, and the step is tried again.
        Retried = "RETRIED",
        /// It failed for good.
        Failed = "FAILED",
        /// It was stopped with its execution.
        Cancelled = "CANCELLED",
    }
}
