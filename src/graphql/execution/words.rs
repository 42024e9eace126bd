//! The words for what executions and steps are.

use async_graphql::Enum;

use crate::domain::execution;

/// Where an execution is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::Status")]
pub enum ExecutionStatus {
    /// Waits for a free place.
    Queued,
    /// An agent works out how to reach its goal.
    Planning,
    /// Waits for people.
    AwaitingApproval,
    /// Steps run, or wait for their worker or their next attempt.
    Running,
    /// Somebody stopped it for now: nothing new starts.
    Paused,
    /// Came to its end.
    Completed,
    /// Stopped at an error.
    Failed,
    /// Somebody stopped it for good.
    Cancelled,
    /// Reached one of its limits.
    LimitReached,
}

/// Why an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::CompletionReason")]
pub enum CompletionReason {
    /// All that had to be done was done.
    Success,
    /// It went on after errors, and some steps are missing.
    Partial,
    /// Somebody rejected what it was about to do.
    Rejected,
    /// Nobody decided in time.
    ApprovalTimeout,
    /// It took longer than allowed.
    MaxDuration,
    /// It cost more than allowed.
    MaxCost,
    /// It took more turns than allowed.
    MaxIterations,
    /// Somebody cancelled it.
    Cancelled,
    /// An error that could not be healed.
    Failed,
}

/// What an execution is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::Mode")]
pub enum ExecutionMode {
    /// The real thing.
    Live,
    /// Really runs, but is marked as a test and left out of analytics.
    Test,
}

/// How an execution continues another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::OriginKind")]
pub enum ExecutionOriginKind {
    /// The same again from the start.
    Retry,
    /// Goes on from where the other one failed.
    Resume,
    /// Goes another way from a step on.
    Fork,
}

/// Where a step of an execution is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::StepStatus")]
pub enum StepStatus {
    /// Waits for the steps that it needs.
    Pending,
    /// Waits for people to let it through.
    AwaitingApproval,
    /// Could run, and waits for its worker or for a free place.
    Scheduled,
    /// Is being worked on.
    Running,
    /// Failed, and waits for its next attempt.
    Retrying,
    /// Gave its output.
    Completed,
    /// Failed for good.
    Failed,
    /// Was not needed.
    Skipped,
    /// Was stopped with its execution.
    Cancelled,
}

/// What kind of failure it was, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::FailureCode")]
pub enum FailureCode {
    /// The other side could not be reached, or broke off.
    Network,
    /// It took longer than the step may take.
    Timeout,
    /// The whole execution took longer than it may.
    ExecutionTimeout,
    /// The other side answered with an error.
    HttpStatus,
    /// The step's input does not fit its agent.
    BadInput,
    /// The output is not JSON, or breaks its schema.
    BadOutput,
    /// A value has more bytes than allowed.
    TooLarge,
    /// An address that the operator does not allow.
    Forbidden,
    /// An expression could not be computed.
    Expression,
    /// A secret is missing or cannot be opened.
    Secret,
    /// The worker said so.
    Worker,
    /// The agent is not there any more.
    Agent,
    /// The step asks for an approval that cannot be given.
    Gate,
    /// The server's own fault: its log says more.
    Internal,
}

/// Why a step's work was given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::Released")]
pub enum ReleaseReason {
    /// The worker did not answer in time.
    LeaseExpired,
    /// The server that did it is gone.
    ServerLost,
}

/// How important a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "execution::LogLevel")]
pub enum LogLevel {
    /// Only of interest to whoever looks for an error.
    Debug,
    /// What is going on.
    Info,
    /// Something that may become an error.
    Warn,
    /// Something that went wrong.
    Error,
}
