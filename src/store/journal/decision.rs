//! What is to be added to the journal, and what became of it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{blocks::Block, project::Projection, read::Entry};
use crate::{
    domain::{
        access::{Actor, Scope},
        analytics::Fact,
        audit::Entry as AuditEntry,
        execution::Event,
        id::{ExecutionId, TaskId, WorkspaceId},
    },
    store::{deliverables::Put, idempotency::Request, payloads::Payload},
};

/// What somebody decided about one execution.
#[derive(Debug)]
pub struct Append {
    pub workspace: WorkspaceId,
    pub execution: ExecutionId,
    pub actor: Actor,
    pub at: DateTime<Utc>,
    /// The number of the event on which it was decided; 0 for a new execution; nothing for comments alone.
    pub expected: Option<u64>,
    pub events: Vec<Event>,
    /// From which of the events on the server has done by itself what comes next.
    pub by_server_from: Option<usize>,
    /// What of it belongs in the audit log.
    pub audit: Vec<AuditEntry>,
    pub projection: Option<Box<Projection>>,
    /// What the events tell.
    pub facts: Vec<Fact>,
    /// Values that the events refer to.
    pub payloads: Vec<Payload>,
    /// A worker's sign of life.
    pub lease: Option<Prolonged>,
    /// The task and the lease that must still be in the worker's hands.
    pub held: Option<(TaskId, Uuid)>,
    /// The task and the lease that must have run out by now.
    pub lapsed: Option<(TaskId, Uuid)>,
    /// The epoch of the policy by which a rule approved something or a step was let through: it must still be in force.
    pub epoch: Option<i64>,
    /// A creation that may be a retry of an earlier one.
    pub creation: Option<Request>,
    /// Versions of deliverables, each of which is an event.
    pub kept: Vec<Put>,
}

impl Append {
    /// One that only adds comments, and what goes along with them.
    pub fn comment(scope: Scope, execution: ExecutionId, at: DateTime<Utc>, events: Vec<Event>) -> Self {
        Self {
            workspace: scope.workspace(),
            execution,
            actor: scope.actor(),
            at,
            expected: None,
            events,
            by_server_from: None,
            audit: Vec::new(),
            projection: None,
            facts: Vec::new(),
            payloads: Vec::new(),
            lease: None,
            held: None,
            lapsed: None,
            epoch: None,
            creation: None,
            kept: Vec::new(),
        }
    }
}

/// An append with its lines as the database keeps them. Whoever decided makes them, because the journal has one writer:
/// to compress lines takes it longer than to send them.
#[derive(Debug)]
pub struct Prepared {
    pub(super) append: Append,
    pub(super) blocks: Vec<Block>,
}

impl From<Append> for Prepared {
    fn from(append: Append) -> Self {
        let blocks = Block::of_decision(&append.events, append.by_server_from);
        Self { append, blocks }
    }
}

/// A worker goes on with what it took.
#[derive(Debug, Clone)]
pub struct Prolonged {
    pub task: TaskId,
    pub lease: Uuid,
    pub until: DateTime<Utc>,
    pub progress: Option<f64>,
}

/// What became of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    Done,
    /// Somebody else's events came first: decide again.
    Conflict,
    /// The worker gave a sign of life: its lease has not run out.
    Alive,
    /// An earlier try made this.
    Made(String),
    /// The idempotency key was used for something else.
    KeyReused,
}

/// What one commit added to the journal.
#[derive(Debug)]
pub struct Committed {
    pub entries: Vec<Arc<Entry>>,
    /// Up to where the audit log was written by then.
    pub audit_position: i64,
}

/// What a transaction has written, to be announced once it is committed.
#[derive(Debug)]
pub struct Written {
    pub(super) committed: Committed,
    /// Up to where the audit log has been written.
    pub(super) audit_position: Option<i64>,
}
