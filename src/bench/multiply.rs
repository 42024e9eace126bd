//! Makes many executions out of some: rows are copied within the database, under other ids.
//!
//! Running a million of them would take long and measure something else.

use sea_orm::sqlx::{self, Connection, PgConnection, Row, SqliteConnection};

use super::{Place, Result};

/// Which tables are copied, and which of their columns are ids of what is copied.
const TABLES: [(&str, &[&str]); 4] = [
    ("execution", &["id"]),
    ("step_run", &["execution_id"]),
    ("journal", &["execution_id"]),
    ("checkpoint", &["id", "execution_id"]),
];

/// Adds so many copies of everything that is there.
pub async fn multiply(place: &Place, copies: usize) -> Result<()> {
    match place {
        Place::Sqlite(folder) => {
            let mut connection = SqliteConnection::connect(&format!("sqlite://{}/bench.db", folder.display())).await?;
            let last: i64 = sqlx::query_scalar("SELECT max(position) FROM journal").fetch_one(&mut connection).await?;
            let mut transaction = connection.begin().await?;
            for (table, ids) in TABLES {
                let query = format!("SELECT name FROM pragma_table_info('{table}')");
                let columns = sqlx::query(sqlx::AssertSqlSafe(query)).fetch_all(&mut *transaction).await?;
                let columns = columns.iter().map(|row| row.get(0)).collect();
                let numbers = format!(
                    "(WITH RECURSIVE numbers(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM numbers WHERE k < {copies}) SELECT k FROM numbers)"
                );
                let id = |column: &str| {
                    format!("unhex(substr(hex({column}), 1, 12) || printf('%08x', k) || substr(hex({column}), 21))")
                };
                let query = copying(table, columns, ids, &numbers, id, last);
                sqlx::query(sqlx::AssertSqlSafe(query)).execute(&mut *transaction).await?;
            }
            transaction.commit().await?;
        }
        Place::Postgres { url, .. } => {
            let mut connection = PgConnection::connect(url).await?;
            let last: i64 = sqlx::query_scalar("SELECT max(position) FROM journal").fetch_one(&mut connection).await?;
            for (table, ids) in TABLES {
                let query = "SELECT column_name::text FROM information_schema.columns WHERE table_name = $1 AND table_schema = current_schema() ORDER BY ordinal_position";
                let columns = sqlx::query(query).bind(table).fetch_all(&mut connection).await?;
                let columns = columns.iter().map(|row| row.get(0)).collect();
                let numbers = format!("generate_series(1, {copies}) AS numbers(k)");
                let id = |column: &str| {
                    format!(
                        "(substr(replace({column}::text, '-', ''), 1, 12) || lpad(to_hex(k), 8, '0') || substr(replace({column}::text, '-', ''), 21))::uuid"
                    )
                };
                let query = copying(table, columns, ids, &numbers, id, last);
                sqlx::query(sqlx::AssertSqlSafe(query)).execute(&mut connection).await?;
            }
            sqlx::query("ANALYZE").execute(&mut connection).await?;
        }
    }
    Ok(())
}

fn copying(
    table: &str,
    columns: Vec<String>,
    ids: &[&str],
    numbers: &str,
    id: impl Fn(&str) -> String,
    last: i64,
) -> String {
    let values: Vec<String> = columns
        .iter()
        .map(|column| match column.as_str() {
            "position" => format!("position + k * {last}"),
            own if ids.contains(&own) => id(own),
            other => other.to_owned(),
        })
        .collect();
    format!("INSERT INTO {table} ({}) SELECT {} FROM {table}, {numbers}", columns.join(", "), values.join(", "))
}
