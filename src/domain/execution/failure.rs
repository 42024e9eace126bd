//! Why an attempt of a step gave no output.

use serde::{Deserialize, Serialize};

use crate::domain::words::words;

words! {
    /// What kind of failure it was, for programs.
    FailureCode {
        /// The other side could not be reached, or broke off.
        Network = "NETWORK",
        /// It took longer than the step may take.
        Timeout = "TIMEOUT",
        /// The whole execution took longer than it may.
        ExecutionTimeout = "EXECUTION_TIMEOUT",
        /// The other side answered with an error.
        HttpStatus = "HTTP_STATUS",
        /// The step's input does not fit its agent.
        BadInput = "BAD_INPUT",
        /// The output is not JSON, or breaks its schema.
        BadOutput = "BAD_OUTPUT",
        /// A value has more bytes than allowed.
        TooLarge = "TOO_LARGE",
        /// An address that the operator does not allow.
        Forbidden = "FORBIDDEN",
        /// An expression could not be computed.
        Expression = "EXPRESSION",
        /// A secret is missing or cannot be opened.
        Secret = "SECRET",
        /// The worker said so.
        Worker = "WORKER",
        /// The agent is not there any more.
        Agent = "AGENT",
        /// The step asks for an approval that cannot be given.
        Gate = "GATE",
        /// Our own fault.
        Internal = "INTERNAL",
    }
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: FailureCode,
    /// For people: names what was wrong and what would be right.
    pub message: String,
    /// A stack trace, or what exactly came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// Whether trying again can help.
    pub retryable: bool,
}

impl Failure {
    /// A failure that may be retried if its code alone says so.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        let retryable = matches!(code, FailureCode::Network | FailureCode::Timeout);
        Self { code, message: message.into(), details: None, retryable }
    }

    /// A failure that comes again however often it is tried.
    pub fn fatal(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None, retryable: false }
    }

    /// A failure that another attempt may heal.
    pub fn passing(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None, retryable: true }
    }

    pub fn with_details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }
}
