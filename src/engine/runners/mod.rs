//! What does the work of one step: one module for each kind of agent.

pub mod http;

/// Why a step's work did not succeed, for programs. Part of the API: a code is never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailureCode {
    /// Nobody could be reached, or the connection broke.
    Network,
    /// It took too long.
    Timeout,
    /// The answer's status was not one of success.
    HttpStatus,
    /// The answer was not what it should be.
    BadOutput,
    /// The input, or what was made of it, cannot be sent.
    BadInput,
    /// The answer was larger than a value may be.
    TooLarge,
    /// The address must not be called.
    Forbidden,
    /// An expression gave no value that can be used.
    Expression,
    /// A secret is missing, or cannot be opened.
    Secret,
}

impl FailureCode {
    /// The text in the database: never renamed.
    pub fn as_str(self) -> &'static str {
        match self {
            FailureCode::Network => "NETWORK",
            FailureCode::Timeout => "TIMEOUT",
            FailureCode::HttpStatus => "HTTP_STATUS",
            FailureCode::BadOutput => "BAD_OUTPUT",
            FailureCode::BadInput => "BAD_INPUT",
            FailureCode::TooLarge => "TOO_LARGE",
            FailureCode::Forbidden => "FORBIDDEN",
            FailureCode::Expression => "EXPRESSION",
            FailureCode::Secret => "SECRET",
        }
    }
}

/// Why a step's work did not succeed. Its texts are for people and never hold a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: FailureCode,
    /// Names what was wrong, and what would be right where that is known.
    pub message: String,
    /// More for whoever looks into it, such as the beginning of an answer.
    pub details: Option<String>,
    /// Whether trying again may help.
    pub retryable: bool,
}

impl Failure {
    /// A failure that may be retried if its code alone says so.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        let retryable = matches!(code, FailureCode::Network | FailureCode::Timeout);
        Self { code, message: message.into(), details: None, retryable }
    }
}
