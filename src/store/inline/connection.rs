//! One connection.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rusqlite::params_from_iter;
use sea_orm::{DbErr, RuntimeErr, Statement, Value};

use super::values::{Bound, Reads};
use crate::{
    store::{
        connect::{ACQUIRE_TIMEOUT, LONGEST_WAL, STATEMENTS_KEPT},
        error::sqlite_is_unavailable,
    },
    telemetry::metrics::SQL_SECONDS,
};

pub struct Connection {
    /// Nobody ever waits for it: who has the connection has it alone.
    sqlite: Mutex<rusqlite::Connection>,
    /// How many statements all connections have run.
    statements: Arc<AtomicU64>,
}

impl Connection {
    pub fn open(path: &Path, statements: Arc<AtomicU64>) -> Result<Self, DbErr> {
        let open = || {
            let sqlite = rusqlite::Connection::open(path)?;
            sqlite.busy_timeout(ACQUIRE_TIMEOUT)?;
            sqlite.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
            sqlite.pragma_update(None, "foreign_keys", true)?;
            // The same as for sqlx's connections: what was acknowledged survives a power cut, what is erased is gone.
            sqlite.pragma_update(None, "synchronous", "FULL")?;
            sqlite.pragma_update(None, "secure_delete", true)?;
            sqlite.pragma_update(None, "journal_size_limit", LONGEST_WAL)?;
            Ok(sqlite)
        };
        let sqlite = open().map_err(|error: rusqlite::Error| DbErr::Conn(RuntimeErr::Internal(error.to_string())))?;
        Ok(Self { sqlite: Mutex::new(sqlite), statements })
    }

    /// Runs a statement and says how many rows it changed.
    pub fn run(&self, statement: &Statement) -> Result<u64, DbErr> {
        self.counted(|sqlite| {
            let mut prepared = sqlite.prepare_cached(&statement.sql).map_err(failed)?;
            let changed = prepared.execute(params_from_iter(values(statement).map(Bound))).map_err(failed)?;
            Ok(changed as u64)
        })
    }

    /// Runs a statement once for each row of values.
    pub fn run_for_each(
        &self,
        sql: &str,
        rows: impl Iterator<Item = impl Iterator<Item = Value>>,
    ) -> Result<(), DbErr> {
        self.counted(|sqlite| {
            let mut prepared = sqlite.prepare_cached(sql).map_err(failed)?;
            for row in rows {
                for (number, value) in row.enumerate() {
                    prepared.raw_bind_parameter(number + 1, Bound(&value)).map_err(failed)?;
                }
                prepared.raw_execute().map_err(failed)?;
            }
            Ok(())
        })
    }

    /// Runs a text that has no values.
    pub fn run_text(&self, sql: &str) -> Result<(), DbErr> {
        self.counted(|sqlite| {
            let mut prepared = sqlite.prepare_cached(sql).map_err(failed)?;
            prepared.execute([]).map_err(failed)?;
            Ok(())
        })
    }

    pub fn rows<R: Reads>(&self, statement: &Statement, reader: &R) -> Result<Vec<R::Row>, DbErr> {
        self.counted(|sqlite| {
            let mut prepared = sqlite.prepare_cached(&statement.sql).map_err(failed)?;
            let mut rows = prepared.query(params_from_iter(values(statement).map(Bound))).map_err(failed)?;
            let mut found = Vec::new();
            while let Some(row) = rows.next().map_err(failed)? {
                found.push(reader.read(row)?);
            }
            Ok(found)
        })
    }

    fn counted<T>(&self, run: impl FnOnce(&rusqlite::Connection) -> Result<T, DbErr>) -> Result<T, DbErr> {
        let began = std::time::Instant::now();
        let outcome = run(&self.sqlite.lock().unwrap_or_else(PoisonError::into_inner));
        self.statements.fetch_add(1, Ordering::Relaxed);
        metrics::histogram!(SQL_SECONDS).record(began.elapsed().as_secs_f64());
        outcome
    }
}

/// Changes a row and changes it back, in one transaction: what stays the same, SQLite does not write.
pub fn write_nothing(
    probe: &mut Option<rusqlite::Connection>,
    path: &Path,
    server: i32,
    patience: Duration,
) -> Result<(), DbErr> {
    let connection = match probe {
        Some(connection) => connection,
        None => probe.insert(rusqlite::Connection::open(path).map_err(failed)?),
    };
    let write = || {
        connection.busy_timeout(patience)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        let row = format!("WHERE number = {server}");
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             UPDATE server SET started_at = started_at + 1 {row};
             UPDATE server SET started_at = started_at - 1 {row};
             COMMIT;"
        ))
    };
    let written = write().map_err(failed);
    if written.is_err() {
        // Whatever is half done goes with its connection.
        *probe = None;
    }
    written
}

fn values(statement: &Statement) -> impl Iterator<Item = &Value> {
    statement.values.iter().flat_map(|values| values.iter())
}

/// An error in the words of SQLite, as a kind that [`crate::store::Error`] tells apart.
fn failed(error: rusqlite::Error) -> DbErr {
    let code = error.sqlite_error().map(|error| error.extended_code);
    let text = RuntimeErr::Internal(error.to_string());
    if code.is_some_and(sqlite_is_unavailable) { DbErr::Conn(text) } else { DbErr::Exec(text) }
}
