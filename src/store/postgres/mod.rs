//! The journal's transactions on PostgreSQL.
//!
//! A batch of the journal holds a lock, so what it waits for, everybody waits for. SeaORM sends rows value by value, and
//! each statement as a round trip of its own. Here rows wait until something else is asked for, and then go in one
//! statement, however many rows of however many tables there are ([`columns`]).

mod columns;
mod kept;
mod pools;

use std::{
    sync::{
        Arc, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use sea_orm::{
    DbBackend, DbErr, FromQueryResult, QueryResult, RuntimeErr, Statement, Value,
    sqlx::{self, Arguments, AssertSqlSafe, PgConnection, postgres::PgArguments},
};
use tokio::sync::Mutex;

pub use self::{kept::Kept, pools::Pools};

use self::columns::Insertion;
use super::{
    Error, Result,
    bulk::{Otherwise, Row},
    inline::Fields,
    session::{Session, Table},
};
use crate::telemetry::metrics::SQL_SECONDS;

/// An open transaction. Dropping it undoes everything, and closes the connection.
pub struct Transaction {
    /// Nobody ever waits for it: statements come one after the other.
    db: Mutex<PgConnection>,
    /// What is to be inserted before anything else is done.
    waiting: std::sync::Mutex<Vec<Insertion>>,
    statements: Arc<AtomicU64>,
}

impl Transaction {
    /// Begins with statements that have no values, all in one round trip, and gives the row that the last of them has.
    async fn begin<T: Fields>(mut db: PgConnection, statements: &Arc<AtomicU64>, first: &str) -> Result<(Self, T)> {
        let mut rows = sqlx::raw_sql(AssertSqlSafe(format!("BEGIN; {first}"))).fetch_all(&mut db).await?;
        statements.fetch_add(1, Ordering::Relaxed);
        let last = rows.pop().ok_or_else(|| Error::Unexpected(format!("no row from {first}")))?;
        let row = T::try_get_many_by_index(&QueryResult::from(last)).map_err(DbErr::from)?;
        let begun = Self { db: Mutex::new(db), waiting: Default::default(), statements: Arc::clone(statements) };
        Ok((begun, row))
    }

    /// Waits for the disk, and gives the connection back.
    async fn commit(self, last: &str) -> Result<PgConnection> {
        self.insert_waiting().await?;
        self.end(format!("{last}; COMMIT")).await
    }

    async fn end(self, how: String) -> Result<PgConnection> {
        let mut db = self.db.into_inner();
        sqlx::raw_sql(AssertSqlSafe(how)).execute(&mut db).await.map_err(failed)?;
        self.statements.fetch_add(1, Ordering::Relaxed);
        Ok(db)
    }

    async fn insert_waiting(&self) -> Result<()> {
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if !waiting.is_empty() {
            let text = columns::text(&waiting)?;
            self.execute(text, columns::values(waiting)?).await?;
        }
        Ok(())
    }

    async fn execute(&self, sql: Arc<str>, values: PgArguments) -> Result<u64> {
        let began = Instant::now();
        let mut db = self.db.lock().await;
        let done = sqlx::query_with(AssertSqlSafe(sql), values).execute(&mut *db).await.map_err(failed)?;
        self.count(began);
        Ok(done.rows_affected())
    }

    async fn rows(&self, statement: Statement) -> Result<Vec<QueryResult>> {
        self.insert_waiting().await?;
        let began = Instant::now();
        let mut db = self.db.lock().await;
        let values = arguments(statement.values.into_iter().flat_map(|values| values.0))?;
        let query = sqlx::query_with(AssertSqlSafe(statement.sql), values);
        let rows = query.fetch_all(&mut *db).await.map_err(failed)?;
        self.count(began);
        Ok(rows.into_iter().map(QueryResult::from).collect())
    }

    fn count(&self, began: Instant) {
        self.statements.fetch_add(1, Ordering::Relaxed);
        metrics::histogram!(SQL_SECONDS).record(began.elapsed().as_secs_f64());
    }
}

impl Session for Transaction {
    fn backend(&self) -> DbBackend {
        DbBackend::Postgres
    }

    async fn run(&self, statement: Statement) -> Result<u64> {
        self.insert_waiting().await?;
        let values = arguments(statement.values.into_iter().flat_map(|values| values.0))?;
        self.execute(statement.sql.into(), values).await
    }

    async fn insert<M: Row>(&self, rows: &[&M], otherwise: Otherwise) -> Result<()> {
        let insertion = Insertion::of(rows, otherwise)?;
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(insertion);
        Ok(())
    }

    async fn models<E: Table>(&self, statement: Statement) -> Result<Vec<E::Model>> {
        let rows = self.rows(statement).await?;
        Ok(rows.iter().map(|row| E::Model::from_query_result(row, "")).collect::<std::result::Result<_, DbErr>>()?)
    }

    async fn pairs<E: Table, F: Table>(&self, statement: Statement) -> Result<Vec<(E::Model, F::Model)>> {
        let rows = self.rows(statement).await?;
        let pair =
            |row: &QueryResult| Ok((E::Model::from_query_result(row, "A_")?, F::Model::from_query_result(row, "B_")?));
        Ok(rows.iter().map(pair).collect::<std::result::Result<_, DbErr>>()?)
    }

    async fn tuples<T: Fields>(&self, statement: Statement) -> Result<Vec<T>> {
        let rows = self.rows(statement).await?;
        rows.iter().map(|row| Ok(T::try_get_many_by_index(row).map_err(DbErr::from)?)).collect()
    }
}

/// The values of a statement.
fn arguments(values: impl Iterator<Item = Value>) -> Result<PgArguments> {
    let mut arguments = PgArguments::default();
    for value in values {
        let added = match value {
            Value::Bool(value) => arguments.add(value),
            Value::Int(value) => arguments.add(value),
            Value::BigInt(value) => arguments.add(value),
            // A limit.
            Value::BigUnsigned(value) => arguments.add(value.map(|value| i64::try_from(value).unwrap_or(i64::MAX))),
            Value::Double(value) => arguments.add(value),
            Value::String(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
            Value::Uuid(value) => arguments.add(value),
            Value::Json(value) => arguments.add(value),
            Value::ChronoDateTimeUtc(value) => arguments.add(value),
            other => return Err(Error::Unexpected(format!("a value such as {other:?} is never sent to PostgreSQL"))),
        };
        added.map_err(|error| Error::Unexpected(error.to_string()))?;
    }
    Ok(arguments)
}

fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(error.into()))
}
