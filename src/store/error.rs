//! Database errors, told apart once. None of their texts reaches a client.

use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx};

#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A unique constraint was hit: somebody else has it already.
    #[error("the row exists already: {0}")]
    Duplicate(String),
    /// The database did not answer, or refused for now: trying again may help.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// Something that the code does not expect.
    #[error("database error: {0}")]
    Unexpected(String),
}

impl Error {
    /// Whether a row of this table, as the constraint's name tells, exists already.
    pub fn is_duplicate_of(&self, table: &str) -> bool {
        matches!(self, Error::Duplicate(text) if text.contains(table))
    }

    pub fn is_unavailable(&self) -> bool {
        matches!(self, Error::Unavailable(_))
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(text)) = error.sql_err() {
            return Error::Duplicate(text);
        }
        let text = error.to_string();
        let unavailable = match &error {
            // In the words of SQLite itself, when nothing is in between.
            DbErr::Exec(RuntimeErr::Internal(text)) if text.starts_with(SQLITE_DUPLICATE) => {
                return Error::Duplicate(text.clone());
            }
            DbErr::Conn(RuntimeErr::SqlxError(error))
            | DbErr::Exec(RuntimeErr::SqlxError(error))
            | DbErr::Query(RuntimeErr::SqlxError(error)) => is_unavailable(error),
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
            _ => false,
        };
        if unavailable { Error::Unavailable(text) } else { Error::Unexpected(text) }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        DbErr::Conn(RuntimeErr::SqlxError(error.into())).into()
    }
}

const SQLITE_DUPLICATE: &str = "UNIQUE constraint failed: ";

/// Whether the same statement may succeed later.
fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            let code = error.code().unwrap_or_default();
            match error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
                Some(_) => postgres_is_unavailable(&code),
                None => code.parse().is_ok_and(sqlite_is_unavailable),
            }
        }
        _ => false,
    }
}

/// By SQLSTATE: the connection, the machine's resources, the operator, the system, and who came first.
fn postgres_is_unavailable(code: &str) -> bool {
    let classes = ["08", "53", "57", "58"];
    // Serialisation, deadlock, lock, a standby that takes no writes, and a database that is not there (yet).
    let codes = ["40001", "40P01", "55P03", "25006", "3D000"];
    code.get(..2).is_some_and(|class| classes.contains(&class)) || codes.contains(&code)
}

/// By SQLite's result code, of which the lowest byte says what kind it is.
pub(super) fn sqlite_is_unavailable(code: i32) -> bool {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const READ_ONLY: i32 = 8;
    const IO: i32 = 10;
    const FULL: i32 = 13;
    const CANNOT_OPEN: i32 = 14;
    const PROTOCOL: i32 = 15;
    matches!(code & 0xff, BUSY | LOCKED | READ_ONLY | IO | FULL | CANNOT_OPEN | PROTOCOL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_told_from_what_does_not() {
        for code in ["08006", "53100", "53300", "57P01", "57P03", "58030", "25006", "40P01"] {
            assert!(postgres_is_unavailable(code), "{code}");
        }
        for code in ["", "42P01", "23503", "22P02", "XX001", "28P01"] {
            assert!(!postgres_is_unavailable(code), "{code}");
        }
        // SQLITE_BUSY_SNAPSHOT, SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_READONLY_DBMOVED.
        for code in [5, 517, 13, 778, 1032] {
            assert!(sqlite_is_unavailable(code), "{code}");
        }
        // SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_NOTADB.
        for code in [1, 11, 787, 26] {
            assert!(!sqlite_is_unavailable(code), "{code}");
        }
    }

    #[test]
    fn errors_without_a_code_are_told_by_their_kind() {
        assert!(Error::from(sqlx::Error::PoolTimedOut).is_unavailable());
        assert!(Error::from(sqlx::Error::Io(std::io::ErrorKind::ConnectionRefused.into())).is_unavailable());
        assert!(!Error::from(sqlx::Error::RowNotFound).is_unavailable());
    }
}
