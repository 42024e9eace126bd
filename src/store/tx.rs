//! A write: all of it happens, with its audit entries, or nothing.

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseTransaction, DbBackend, SqliteTransactionMode, TransactionOptions, TransactionTrait};
use serde_json::Value;

use super::{
    Result, Store, audit,
    inline::Turn,
    journal::Written,
    ways_in::{self, Notice},
};
use crate::domain::{
    access::Scope,
    audit::{Action, Entry, Origin},
    id::NodeId,
};

/// An open transaction. Dropping it undoes everything.
pub struct Tx {
    pub(super) db: DatabaseTransaction,
    _turn: Option<Turn>,
    store: Store,
    now: DateTime<Utc>,
    origin: Origin,
    entries: Vec<Entry>,
    /// What was added to the journal.
    pub(super) written: Vec<Written>,
    /// Whose ways in have changed.
    notices: Vec<Notice>,
}

impl Store {
    /// Begins a write at `now`.
    pub async fn begin(&self, now: DateTime<Utc>) -> Result<Tx> {
        let (turn, db) = self.begin_pooled().await?;
        Ok(Tx {
            db,
            _turn: turn,
            store: self.clone(),
            now,
            origin: Origin::default(),
            entries: Vec::new(),
            written: Vec::new(),
            notices: Vec::new(),
        })
    }

    /// Begins a write that may take its time. On SQLite, nobody else writes while its turn is held.
    pub(super) async fn begin_pooled(&self) -> Result<(Option<Turn>, DatabaseTransaction)> {
        let turn = match &self.0.inline {
            Some(inline) => Some(inline.turn().await?),
            None => None,
        };
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        Ok((turn, self.0.write.begin_with_options(options).await?))
    }
}

impl Tx {
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// From where the caller calls, for the audit entries that follow.
    pub fn from_origin(mut self, origin: Origin) -> Self {
        self.origin = origin;
        self
    }

    /// Notes what is being done; written with the commit. More can be said about it.
    pub fn audit(&mut self, scope: Scope, action: Action, subject: Option<NodeId>, details: Value) -> &mut Entry {
        let entry = Entry::new(scope, self.now, action, subject, details);
        self.entries.push(Entry { origin: self.origin.clone(), ..entry });
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// Notes whose ways in change; told with the commit.
    pub(super) fn notice(&mut self, notice: Notice) {
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }

    /// Makes the write durable, then tells whoever watches.
    pub async fn commit(self) -> Result<()> {
        let position = match self.entries.as_slice() {
            [] => None,
            _ => Some(audit::write(&self.db, self.entries).await?),
        };
        ways_in::announce(&self.db, &self.notices).await?;
        self.db.commit().await?;
        // What was written to a file that was deleted meanwhile must not be called done.
        self.store.check_files()?;
        self.store.note_change();
        self.written.into_iter().for_each(|written| self.store.announce_written(written));
        if let Some(position) = position {
            self.store.note_audit_position(position);
        }
        // On PostgreSQL this process hears of it as all others do.
        if self.store.0.backend == DbBackend::Sqlite {
            self.notices.into_iter().for_each(|notice| self.store.tell_of_way_in(notice));
        }
        Ok(())
    }
}
