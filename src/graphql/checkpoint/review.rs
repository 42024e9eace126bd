//! Changes of the rules that people review.

use async_graphql::{Enum, SimpleObject};
use chrono::{DateTime, Utc};

use crate::domain::checkpoint;

/// What the server changes once it is approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "checkpoint::Subject")]
pub enum ReviewSubject {
    /// The policy.
    Policy,
    /// An agent's risk level, and what else was changed with it.
    Agent,
    /// A workflow's gates, and what else was changed with them.
    Workflow,
}

/// A change that the server makes once it is approved, exactly as the parameters say.
#[derive(SimpleObject)]
pub struct ReviewedChange {
    /// What is changed.
    pub subject: ReviewSubject,
    /// When it was made, or found that it cannot be; null while it waits.
    pub done_at: Option<DateTime<Utc>>,
    /// Why it could not be made although it was approved, such as because of another change meanwhile.
    pub problem: Option<String>,
}
