//! Something that happened and is to be recorded.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::Action;
use crate::domain::{
    access::{Actor, Scope},
    id::{ExecutionId, NodeId, UserId, WorkspaceId},
    words::words,
};

words! {
    /// What of an entry can be personal, and be erased on its own.
    Part {
        /// The name and the address of whoever acted, as they were then.
        Actor = "actor",
        /// The same of the person for whom it was done.
        OnBehalfOf = "onBehalfOf",
        /// The same of the person to whom it was done.
        Subject = "subject",
        /// From where: the network address and the program.
        Origin = "origin",
        /// What people wrote, such as a comment.
        Details = "details",
        /// What a person's account said before.
        Before = "before",
        /// What a person's account said afterwards.
        After = "after",
        /// What was proposed when somebody decided.
        Proposed = "proposed",
        /// What was approved, if it is something else.
        Approved = "approved",
    }
}

/// Whose a personal value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// The person behind the actor: themselves, or whoever made the API token.
    Actor,
    User(UserId),
    /// No account's: it cannot be erased.
    Nobody,
}

/// A value that can be erased.
#[derive(Debug, Clone, PartialEq)]
pub struct Personal {
    pub part: Part,
    pub of: Of,
    pub value: Value,
}

/// From where somebody called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    pub address: Option<String>,
    pub user_agent: Option<String>,
}

/// Something that happened, before it has its place in the chain.
#[derive(Debug, Clone)]
pub struct Entry {
    pub workspace: WorkspaceId,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    pub origin: Origin,
    /// The person in whose place the actor did it.
    pub on_behalf_of: Option<UserId>,
    pub action: Action,
    pub subject: Option<NodeId>,
    pub execution: Option<ExecutionId>,
    /// Of what the actor saw.
    pub digest: Option<String>,
    pub details: Value,
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub personal: Vec<Personal>,
}

impl Entry {
    pub fn new(scope: Scope, at: DateTime<Utc>, action: Action, subject: Option<NodeId>, details: Value) -> Self {
        Self {
            workspace: scope.workspace(),
            at,
            actor: scope.actor(),
            origin: Origin::default(),
            on_behalf_of: None,
            action,
            subject,
            execution: None,
            digest: None,
            details,
            before: None,
            after: None,
            personal: Vec::new(),
        }
    }

    /// What it was before, and what it is now.
    pub fn changing(&mut self, before: Value, after: Value) -> &mut Self {
        self.before = Some(before);
        self.after = Some(after);
        self
    }

    /// A value that belongs to a person.
    pub fn personal(&mut self, part: Part, of: Of, value: Value) -> &mut Self {
        self.personal.push(Personal { part, of, value });
        self
    }
}
