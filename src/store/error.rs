//! Database errors, told apart once. None of their texts reaches a client.

use sea_orm::{DbErr, RuntimeErr, SqlErr};

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
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(text)) = error.sql_err() {
            return Error::Duplicate(text);
        }
        let text = error.to_string();
        match error {
            // In the words of SQLite itself, when nothing is in between.
            DbErr::Exec(RuntimeErr::Internal(text)) if text.starts_with(SQLITE_DUPLICATE) => Error::Duplicate(text),
            DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => Error::Unavailable(text),
            DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => match &*error {
                sea_orm::sqlx::Error::Io(_)
                | sea_orm::sqlx::Error::PoolTimedOut
                | sea_orm::sqlx::Error::PoolClosed
                | sea_orm::sqlx::Error::WorkerCrashed => Error::Unavailable(text),
                sea_orm::sqlx::Error::Database(error) if error.code().is_some_and(|code| is_cut(&code)) => {
                    Error::Unavailable(text)
                }
                _ => Error::Unexpected(text),
            },
            _ => Error::Unexpected(text),
        }
    }
}

const SQLITE_DUPLICATE: &str = "UNIQUE constraint failed: ";

/// Whether PostgreSQL says that it stops, starts, or was told to cut the connection.
fn is_cut(code: &str) -> bool {
    matches!(code, "57P01" | "57P02" | "57P03")
}

impl From<sea_orm::sqlx::Error> for Error {
    fn from(error: sea_orm::sqlx::Error) -> Self {
        DbErr::Conn(RuntimeErr::SqlxError(error.into())).into()
    }
}
