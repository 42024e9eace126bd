//! The journal's transactions on PostgreSQL.
//!
//! A batch of the journal holds a lock, so what it waits for, everybody waits for. SeaORM sends rows value by value, and
//! each statement as a round trip of its own. Here rows go as one list for each column: one statement for a table,
//! however many rows there are, whose text never changes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use sea_orm::{
    ColumnTrait, ColumnType, DbBackend, DbErr, EntityTrait, FromQueryResult, Iterable, QueryResult, RuntimeErr,
    Statement, Value,
    sea_query::{Expr, Func, OnConflict, PostgresQueryBuilder, Query},
    sqlx::{self, Arguments, AssertSqlSafe, PgPool, Postgres, postgres::PgArguments},
};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::{
    Error, Result,
    bulk::{self, Form, Row},
    inline::Fields,
    session::{Session, Table},
};
use crate::telemetry::metrics::SQL_SECONDS;

/// An open transaction. Dropping it undoes everything.
pub struct Transaction {
    /// Nobody ever waits for it: statements come one after the other.
    db: Mutex<sqlx::Transaction<'static, Postgres>>,
    statements: Arc<AtomicU64>,
}

impl Transaction {
    /// Begins with statements that have no values and no result, all in one round trip.
    pub async fn begin(pool: &PgPool, statements: &Arc<AtomicU64>, first: &str) -> Result<Self> {
        let db = pool.begin_with(AssertSqlSafe(format!("BEGIN; {first}"))).await?;
        statements.fetch_add(1, Ordering::Relaxed);
        Ok(Self { db: Mutex::new(db), statements: Arc::clone(statements) })
    }

    /// Waits for the disk.
    pub async fn commit(self) -> Result<()> {
        self.db.into_inner().commit().await.map_err(failed)?;
        self.statements.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    async fn execute(&self, sql: Arc<str>, values: PgArguments) -> Result<u64> {
        let began = Instant::now();
        let mut db = self.db.lock().await;
        let done = sqlx::query_with(AssertSqlSafe(sql), values).execute(&mut **db).await.map_err(failed)?;
        self.count(began);
        Ok(done.rows_affected())
    }

    async fn rows(&self, statement: Statement) -> Result<Vec<QueryResult>> {
        let began = Instant::now();
        let mut db = self.db.lock().await;
        let values = arguments(statement.values.into_iter().flat_map(|values| values.0))?;
        let query = sqlx::query_with(AssertSqlSafe(statement.sql), values);
        let rows = query.fetch_all(&mut **db).await.map_err(failed)?;
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
        let values = arguments(statement.values.into_iter().flat_map(|values| values.0))?;
        self.execute(statement.sql.into(), values).await
    }

    async fn insert<M: Row>(&self, rows: &[&M], conflict: impl Fn() -> Option<OnConflict> + Send + Sync) -> Result<()> {
        let text = bulk::text::<M>(Form::Columns, || insertion::<M::Table>(conflict()))?;
        let mut lists = PgArguments::default();
        for column in <M::Table as EntityTrait>::Column::iter() {
            let values = rows.iter().map(|row| row.get(column));
            add_list(&mut lists, column.def().get_column_type(), values)?;
        }
        self.execute(text, lists).await?;
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

/// Inserts what lists of the columns' values add up to, row by row.
fn insertion<E: EntityTrait>(conflict: Option<OnConflict>) -> Result<String> {
    let mut rows = Query::select();
    for (number, column) in E::Column::iter().enumerate() {
        let kind = list_type(column.def().get_column_type())?;
        rows.expr(Func::cust("unnest").arg(Expr::cust(format!("${}::{kind}[]", number + 1))));
    }
    let mut insert = Query::insert();
    insert.into_table(E::default()).columns(E::Column::iter());
    insert.select_from(rows.to_owned()).map_err(|error| Error::Unexpected(error.to_string()))?;
    if let Some(conflict) = conflict {
        insert.on_conflict(conflict);
    }
    Ok(insert.to_string(PostgresQueryBuilder))
}

/// What PostgreSQL calls a column's type.
fn list_type(kind: &ColumnType) -> Result<&'static str> {
    Ok(match kind {
        ColumnType::Uuid => "uuid",
        ColumnType::Boolean => "boolean",
        ColumnType::Integer => "integer",
        ColumnType::BigInteger => "bigint",
        ColumnType::Double => "double precision",
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => "bytea",
        ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text => "text",
        other => return Err(Error::Unexpected(format!("a column of type {other:?} is never written in bulk"))),
    })
}

fn add_list(lists: &mut PgArguments, kind: &ColumnType, values: impl Iterator<Item = Value>) -> Result<()> {
    macro_rules! add {
        ($variant:path, $type:ty) => {{
            let list: Vec<Option<$type>> = values
                .map(|value| match value {
                    $variant(value) => Ok(value),
                    other => Err(Error::Unexpected(format!("{other:?} in a column of type {kind:?}"))),
                })
                .collect::<Result<_>>()?;
            lists.add(list)
        }};
    }
    let added = match kind {
        ColumnType::Uuid => add!(Value::Uuid, Uuid),
        ColumnType::Boolean => add!(Value::Bool, bool),
        ColumnType::Integer => add!(Value::Int, i32),
        ColumnType::BigInteger => add!(Value::BigInt, i64),
        ColumnType::Double => add!(Value::Double, f64),
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => add!(Value::Bytes, Vec<u8>),
        _ => add!(Value::String, String),
    };
    added.map_err(|error| Error::Unexpected(error.to_string()))
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
