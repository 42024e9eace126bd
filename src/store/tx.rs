//! A write: all of it happens, with its audit entries, or nothing.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};

use super::{Result, Store, actor, journal::Committed};
use crate::domain::{
    access::Scope,
    audit::Action,
    id::{AuditEntryId, NodeId},
};

/// Serialises the appends of all processes, so that positions become visible in their order.
const AUDIT_LOCK: i64 = 0x636f_756e_7465_7201;
pub(super) const AUDIT_CHANNEL: &str = "countersign_audit";

/// An open transaction. Dropping it undoes everything.
pub struct Tx {
    pub(super) db: DatabaseTransaction,
    store: Store,
    now: DateTime<Utc>,
    address: Option<String>,
    entries: Vec<entity::audit_entry::ActiveModel>,
    /// What was added to the journal.
    pub(super) committed: Vec<Committed>,
}

impl Store {
    /// Begins a write at `now`.
    pub async fn begin(&self, now: DateTime<Utc>) -> Result<Tx> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..Default::default()
        };
        let db = self.0.write.begin_with_options(options).await?;
        Ok(Tx { db, store: self.clone(), now, address: None, entries: Vec::new(), committed: Vec::new() })
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
    pub fn from_address(mut self, address: Option<String>) -> Self {
        self.address = address;
        self
    }

    /// Notes what is being done; written with the commit.
    pub fn audit(&mut self, scope: Scope, action: Action, subject: Option<NodeId>, details: serde_json::Value) {
        let (actor_kind, actor_id) = actor::columns(scope.actor());
        self.entries.push(entity::audit_entry::ActiveModel {
            id: Set(AuditEntryId::new(self.now).0),
            workspace_id: Set(scope.workspace().0),
            at: Set(self.now),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
            action: Set(action.as_str().to_owned()),
            subject: Set(subject.map(|id| id.to_string())),
            address: Set(self.address.clone()),
            details: Set(details),
            ..Default::default()
        });
    }

    /// Makes the write durable, then tells whoever watches.
    pub async fn commit(self) -> Result<()> {
        if self.entries.is_empty() {
            self.db.commit().await?;
            self.committed.into_iter().for_each(|committed| self.store.announce(committed));
            return Ok(());
        }
        let postgres = self.store.0.backend == DbBackend::Postgres;
        if postgres {
            self.db.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({AUDIT_LOCK})")).await?;
        }
        for entry in self.entries {
            entity::audit_entry::Entity::insert(entry).exec_without_returning(&self.db).await?;
        }
        if postgres {
            self.db.execute_unprepared(&format!("NOTIFY {AUDIT_CHANNEL}")).await?;
        }
        self.db.commit().await?;
        self.committed.into_iter().for_each(|committed| self.store.announce(committed));
        // The write is done: failing now would tell the caller a lie. The tail catches up.
        if let Err(error) = self.store.refresh_audit_head().await {
            tracing::warn!(%error, "could not announce new audit entries");
        }
        Ok(())
    }
}
