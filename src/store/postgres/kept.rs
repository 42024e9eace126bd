//! The connection that the journal keeps for itself.
//!
//! A pool asks a connection before and after each use whether it is still there, and gives another one each time. For a
//! batch of the journal these are two round trips more, and statements that each connection has to get to know.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
    time::Duration,
};

use sea_orm::sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

use super::Transaction;
use crate::store::{Error, Result, inline::Fields};

pub struct Kept {
    options: PgConnectOptions,
    /// How long connecting may take.
    patience: Duration,
    statements: Arc<AtomicU64>,
    /// Absent while a transaction has it, and after one that failed.
    free: Mutex<Option<PgConnection>>,
}

impl Kept {
    pub fn new(options: PgConnectOptions, patience: Duration, statements: &Arc<AtomicU64>) -> Self {
        Self { options, patience, statements: Arc::clone(statements), free: Mutex::new(None) }
    }

    /// Begins a transaction with statements that have no values, and gives the row that the last of them has.
    pub async fn begin<T: Fields>(&self, first: &str) -> Result<(Transaction, T)> {
        if let Some(db) = self.take() {
            match Transaction::begin(db, &self.statements, first).await {
                // It was cut while nobody used it, as by a restart of the database. Nothing was begun.
                Err(Error::Unavailable(reason)) => tracing::debug!(reason, "the journal connects again"),
                begun => return begun,
            }
        }
        Transaction::begin(self.open().await?, &self.statements, first).await
    }

    /// Connects before the first transaction needs it.
    pub async fn connect(&self) -> Result<()> {
        let db = self.open().await?;
        self.keep(db);
        Ok(())
    }

    async fn open(&self) -> Result<PgConnection> {
        let connecting = tokio::time::timeout(self.patience, PgConnection::connect_with(&self.options));
        Ok(connecting.await.map_err(|_| Error::Unavailable("the database does not answer".to_owned()))??)
    }

    /// Waits for the disk. `last` is a statement that has no values and no result.
    pub async fn commit(&self, transaction: Transaction, last: &str) -> Result<()> {
        let db = transaction.commit(last).await?;
        self.keep(db);
        Ok(())
    }

    pub async fn roll_back(&self, transaction: Transaction) -> Result<()> {
        let db = transaction.end("ROLLBACK".to_owned()).await?;
        self.keep(db);
        Ok(())
    }

    pub async fn close(&self) {
        if let Some(db) = self.take() {
            // The database notices by itself, if it has to.
            let _ = db.close().await;
        }
    }

    fn take(&self) -> Option<PgConnection> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, db: PgConnection) {
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) = Some(db);
    }
}
