//! The only place that knows SQL and the `entity` crate. Everything above speaks in domain types.
//!
//! Reads go through a pool; writes through [`Tx`]. On SQLite one transaction writes at a time, so that no two can
//! deadlock, and begins with `BEGIN IMMEDIATE`, so that none fails when it turns from reading to writing.

pub mod absences;
mod actor;
pub mod agents;
pub mod api_tokens;
mod arrival;
mod audiences;
pub mod audit;
mod backup;
mod bulk;
pub mod checkpoints;
mod connect;
pub mod deliverables;
pub mod durations;
mod error;
pub mod executions;
mod file_guard;
mod fixed;
mod grouped;
pub mod groups;
pub mod idempotency;
mod inline;
pub mod journal;
pub mod learning_cases;
mod micros;
pub mod outside_identities;
pub mod page;
pub mod payloads;
#[cfg(test)]
mod plans;
pub mod policies;
mod postgres;
pub mod private_files;
pub mod projections;
mod range;
mod readiness;
pub mod reviewed_changes;
pub mod rollups;
pub mod rule_modes;
mod scoped;
mod search;
pub mod secret;
pub mod secrets;
pub mod server_keys;
pub mod servers;
pub mod service_accounts;
mod session;
pub mod sessions;
mod shared;
pub mod sign_in_links;
mod tail;
pub mod tasks;
mod together;
mod tx;
pub mod users;
pub mod ways_in;
pub mod workflow_drafts;
pub mod workflow_versions;
pub mod workflows;
pub mod workspaces;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use sea_orm::{DatabaseConnection, DbBackend};
use tokio::sync::{broadcast, watch};

pub use arrival::{Alone, wait_for_database};
pub use backup::{Thoroughness, back_up, check_soundness, restore};
pub use error::Error;
pub use grouped::grouped;
pub use range::Range;
pub use tail::Tail;
pub use tx::Tx;

pub type Result<T> = std::result::Result<T, Error>;

/// The database.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    read: DatabaseConnection,
    /// The same pool, for background work that must not show in what a request costs.
    background: DatabaseConnection,
    write: DatabaseConnection,
    /// SQLite without a thread in between, for what is short and frequent.
    inline: Option<inline::Inline>,
    /// PostgreSQL's connection for the journal alone.
    journal: Option<postgres::Kept>,
    /// What tells that SQLite's files are still those that were opened.
    guard: Arc<OnceLock<file_guard::FileGuard>>,
    /// This process among those that serve, once it does.
    server: OnceLock<i32>,
    backend: DbBackend,
    url: crate::config::DatabaseUrl,
    statements: Arc<AtomicU64>,
    /// How often this process has written something outside the journal.
    changes: AtomicU64,
    /// The highest position of the audit log that is known to be committed.
    audit_head: watch::Sender<i64>,
    /// The same of the journal.
    journal_head: watch::Sender<i64>,
    /// What this process has added to the journal.
    committed: broadcast::Sender<Arc<journal::Committed>>,
    /// Who comes with which token.
    tokens: api_tokens::Lookups,
    /// Whose sessions and API tokens change.
    ways_in: broadcast::Sender<ways_in::Notice>,
    /// The workspaces whose audit log this process has chained.
    chained: std::sync::Mutex<std::collections::HashSet<uuid::Uuid>>,
}

impl Store {
    fn read(&self) -> &DatabaseConnection {
        &self.0.read
    }

    /// How many SQL statements this store has run for its callers: what a page costs is counted, not guessed.
    pub fn statements(&self) -> u64 {
        self.0.statements.load(Ordering::Relaxed)
    }

    /// Grows whenever this process has written something other than the journal: what was read before may be old.
    pub fn changes(&self) -> u64 {
        self.0.changes.load(Ordering::SeqCst)
    }

    fn note_change(&self) {
        self.0.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Changes whenever entries were added to the audit log.
    pub fn audit_head(&self) -> watch::Receiver<i64> {
        self.0.audit_head.subscribe()
    }

    /// Changes whenever something was added to the journal.
    pub fn journal_head(&self) -> watch::Receiver<i64> {
        self.0.journal_head.subscribe()
    }

    /// What this process adds to the journal, commit by commit. Who is too slow misses some and reads the journal.
    pub fn committed(&self) -> broadcast::Receiver<Arc<journal::Committed>> {
        self.0.committed.subscribe()
    }

    fn move_journal_head(&self, position: i64) {
        move_up(&self.0.journal_head, position);
    }

    /// Fails if the files of an SQLite database are not those that were opened: what is written to them is lost.
    fn check_files(&self) -> Result<()> {
        self.0.guard.get().map_or(Ok(()), file_guard::FileGuard::check)
    }

    /// Gives connections back to the database before the process ends.
    pub async fn close(&self) {
        if let Some(inline) = &self.0.inline {
            inline.close();
        }
        if let Some(journal) = &self.0.journal {
            journal.close().await;
        }
        for connection in [&self.0.read, &self.0.write] {
            if let Err(error) = connection.clone().close().await {
                tracing::warn!(%error, "a database connection did not close");
            }
        }
    }
}

fn move_up(head: &watch::Sender<i64>, position: i64) {
    head.send_if_modified(|head| {
        let moved = position > *head;
        *head = (*head).max(position);
        moved
    });
}
