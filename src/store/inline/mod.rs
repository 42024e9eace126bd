//! SQLite on the thread that asks.
//!
//! sqlx gives every SQLite connection a thread of its own. For a statement that takes a few microseconds, waking that
//! thread and being woken by it costs many times what SQLite does. So what is short and frequent runs right here: the
//! journal's batches, on the writer's thread, and reads of single rows. So does what has thousands of rows, each of which
//! would be a message, but on a thread that may wait. Everything else stays with sqlx, because a long statement would
//! keep the thread from serving others.

mod connection;
mod transaction;
mod values;

use std::{
    path::Path,
    sync::{Arc, Mutex, OnceLock, PoisonError, atomic::AtomicU64},
    time::Duration,
};

use sea_orm::{DbBackend, DbErr, Statement};
use tokio::sync::OwnedMutexGuard;

use super::{
    Error, Result,
    file_guard::FileGuard,
    session::{Session, Table},
};
use connection::Connection;
pub use transaction::Transaction;
pub use values::{Columns, Fields, FromColumns};
use values::{Models, Pairs, Tuples, Whole};

/// The connections to one database.
pub struct Inline {
    path: Box<Path>,
    guard: Arc<OnceLock<FileGuard>>,
    statements: Arc<AtomicU64>,
    /// Whoever writes has it, also through sqlx: nobody then has to try again because another one writes.
    writer: Arc<tokio::sync::Mutex<Connection>>,
    /// As many as there ever were reads at the same time.
    readers: Mutex<Vec<Connection>>,
    /// The connection of those who ask whether anything can be written, since they first did.
    probe: Arc<Mutex<Option<rusqlite::Connection>>>,
}

/// The right to write, until it is dropped.
pub type Turn = OwnedMutexGuard<Connection>;

impl Inline {
    pub fn open(path: &Path, statements: &Arc<AtomicU64>, guard: &Arc<OnceLock<FileGuard>>) -> Result<Self> {
        let writer = Connection::open(path, Arc::clone(statements))?;
        Ok(Self {
            path: path.into(),
            guard: Arc::clone(guard),
            statements: Arc::clone(statements),
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            readers: Mutex::default(),
            probe: Arc::default(),
        })
    }

    /// Waits until no other write is in progress. Fails if what would be written is lost.
    pub async fn turn(&self) -> Result<Turn> {
        let turn = Arc::clone(&self.writer).lock_owned().await;
        self.guard.get().map_or(Ok(()), FileGuard::check)?;
        Ok(turn)
    }

    pub async fn begin(&self) -> Result<Transaction> {
        Transaction::begin(self.turn().await?)
    }

    /// Writes to a server's row what it says already, so that the disk has to take it.
    pub async fn write_nothing(&self, server: i32, patience: Duration) -> Result<()> {
        let turn = self.turn().await?;
        let (probe, path) = (Arc::clone(&self.probe), self.path.clone());
        let write = move || {
            // Others wait for it only as long as for any write.
            let _turn = turn;
            let mut probe = probe.lock().unwrap_or_else(PoisonError::into_inner);
            connection::write_nothing(&mut probe, &path, server, patience)
        };
        let written = tokio::task::spawn_blocking(write).await;
        Ok(written.map_err(|error| Error::Unexpected(error.to_string()))??)
    }

    fn reading<T>(&self, read: impl FnOnce(&Connection) -> std::result::Result<T, DbErr>) -> Result<T> {
        let readers = || self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        let free = readers().pop();
        let connection = match free {
            Some(connection) => connection,
            None => Connection::open(&self.path, Arc::clone(&self.statements))?,
        };
        let outcome = read(&connection);
        readers().push(connection);
        Ok(outcome?)
    }

    /// Many rows. Whoever asks sees to it that nobody waits for the thread.
    pub fn many<T: FromColumns>(&self, statement: &Statement) -> Result<Vec<T>> {
        self.reading(|connection| connection.rows(statement, &Whole::default()))
    }

    /// Closes what only reads; the writer's connection goes with the last who has it.
    pub fn close(&self) {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        *self.probe.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Reads, each of which sees what is committed when it begins.
impl Session for Inline {
    fn backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    async fn run(&self, statement: Statement) -> Result<u64> {
        self.reading(|connection| connection.run(&statement))
    }

    async fn models<E: Table>(&self, statement: Statement) -> Result<Vec<E::Model>> {
        self.reading(|connection| connection.rows(&statement, &Models::<E>::default()))
    }

    async fn pairs<E: Table, F: Table>(&self, statement: Statement) -> Result<Vec<(E::Model, F::Model)>> {
        self.reading(|connection| connection.rows(&statement, &Pairs::<E, F>::default()))
    }

    async fn tuples<T: Fields>(&self, statement: Statement) -> Result<Vec<T>> {
        self.reading(|connection| connection.rows(&statement, &Tuples::default()))
    }
}
