//! Coming to a database: waiting until it is there, and making things once where several servers start together.

use std::time::{Duration, Instant};

use sea_orm::sqlx::{self, Connection, PgConnection, postgres::PgConnectOptions};

use super::{Error, Result, Store, connect};
use crate::config::{DatabaseUrl, Settings};

/// How long to wait between two attempts.
const PAUSE: Duration = Duration::from_millis(500);
/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(5);
/// The lock under which things are made that must exist once. The number is "counter" and 3.
const LOCK: i64 = 0x636f_756e_7465_7203;

/// Waits until PostgreSQL takes connections, for as long as the settings say. What waiting does not help with, such as a
/// wrong password, is an error at once. SQLite is always there.
pub async fn wait_for_database(settings: &Settings) -> Result<()> {
    let DatabaseUrl::Postgres(url) = settings.database() else { return Ok(()) };
    let options: PgConnectOptions = url.parse()?;
    let place = place(&options);
    let (began, patience) = (Instant::now(), settings.database_wait.0);
    let mut told = false;
    loop {
        let error = match tokio::time::timeout(ATTEMPT, PgConnection::connect_with(&options)).await {
            Ok(Ok(connection)) => {
                // The database notices by itself, if it has to.
                let _ = connection.close().await;
                return Ok(());
            }
            Ok(Err(error)) => Error::from(error),
            Err(_) => Error::Unavailable("no answer".to_owned()),
        };
        let Error::Unavailable(reason) = error else { return Err(error) };
        if began.elapsed() + PAUSE > patience {
            let waited = patience.as_secs();
            let problem = format!("{place} did not answer within {waited} s (setting `database-wait`): {reason}");
            return Err(Error::Unavailable(problem));
        }
        if !told {
            tracing::warn!(reason, at_most_seconds = patience.as_secs(), "waiting for the database at {place}");
            told = true;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Where a database is, without the password.
fn place(options: &PgConnectOptions) -> String {
    let database = options.get_database().unwrap_or_default();
    format!("{}:{}/{database}", options.get_host(), options.get_port())
}

/// The right to make what there must be one of. On SQLite there is one server, and nothing to hold.
pub struct Alone(Option<PgConnection>);

impl Alone {
    pub async fn release(self) {
        if let Some(connection) = self.0 {
            // The lock goes with the connection, however that ends.
            let _ = connection.close().await;
        }
    }
}

impl Store {
    /// Waits until no other process makes what there must be one of. On a connection of its own: what is made may need
    /// all others.
    pub async fn alone(&self) -> Result<Alone> {
        let DatabaseUrl::Postgres(url) = &self.0.url else { return Ok(Alone(None)) };
        let mut connection = PgConnection::connect_with(&connect::postgres_options(url)?).await?;
        let free: bool =
            sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK).fetch_one(&mut connection).await?;
        if !free {
            tracing::info!("waiting for another server that is starting on the same database");
            sqlx::query("SELECT pg_advisory_lock($1)").bind(LOCK).execute(&mut connection).await?;
        }
        Ok(Alone(Some(connection)))
    }
}
