//! Opening a database, and bringing its shape up to date.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use migration::{Migrator, MigratorTrait};
use sea_orm::{
    DatabaseConnection, DbBackend, SqlxPostgresConnector, SqlxSqliteConnector,
    sqlx::{
        ConnectOptions,
        postgres::{PgConnectOptions, PgPoolOptions},
        sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
    },
};
use tokio::sync::{broadcast, watch};

use super::{Error, Inner, Result, Store, inline::Inline, postgres};
use crate::{
    config::{DatabaseUrl, Settings},
    telemetry::metrics::SQL_SECONDS,
};

pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How many prepared statements a connection keeps: more than there are in everyday use.
pub(super) const STATEMENTS_KEPT: usize = 500;
/// How many commits a follower may fall behind before it reads the journal instead.
const COMMITS_KEPT: usize = 1024;
const NOTICES_KEPT: usize = 64;

impl Store {
    /// Opens the database that the settings name and brings it up to date.
    pub async fn open(settings: &Settings) -> Result<Self> {
        let store = Self::connect(settings, Purpose::Serve).await?;
        Migrator::up(&store.0.write, None).await?;
        store.chain_old_audit_entries().await?;
        store.refresh_heads().await?;
        Ok(store)
    }

    /// Opens it as it is, and cannot change anything.
    pub async fn open_to_read(settings: &Settings) -> Result<Self> {
        Self::connect(settings, Purpose::Read).await
    }

    async fn connect(settings: &Settings, purpose: Purpose) -> Result<Self> {
        let url = settings.database();
        let connections = settings.database_connections;
        let statements = Arc::new(AtomicU64::new(0));
        let (mut inline, mut journal) = (None, None);
        let (mut read, mut write, backend) = match &url {
            DatabaseUrl::Sqlite(path) => {
                let (read, write) = open_sqlite(path, connections, purpose).await?;
                if purpose == Purpose::Serve {
                    inline = Some(Inline::open(Path::new(path), &statements)?);
                }
                (read, write, DbBackend::Sqlite)
            }
            DatabaseUrl::Postgres(text) => {
                // Two pools: a write that reads on the way can never wait for a connection that only other writes hold.
                let options = postgres_options(text, purpose)?;
                let write = open_postgres(&options, connections.div_ceil(2)).await?;
                let read = open_postgres(&options, connections).await?;
                journal = Some(postgres::Kept::new(options, ACQUIRE_TIMEOUT, &statements));
                (read, write, DbBackend::Postgres)
            }
        };
        let background = read.clone();
        count_statements(&mut read, &statements);
        count_statements(&mut write, &statements);
        let (audit_head, journal_head) = (watch::Sender::new(0), watch::Sender::new(0));
        let committed = broadcast::Sender::new(COMMITS_KEPT);
        Ok(Self(Arc::new(Inner {
            read,
            background,
            write,
            inline,
            journal,
            backend,
            url,
            statements,
            changes: AtomicU64::new(0),
            audit_head,
            journal_head,
            committed,
            tokens: Default::default(),
            ways_in: broadcast::Sender::new(NOTICES_KEPT),
        })))
    }
}

/// What a database is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Serve,
    Read,
}

async fn open_sqlite(
    path: &str,
    connections: u32,
    purpose: Purpose,
) -> Result<(DatabaseConnection, DatabaseConnection)> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        // Another process, such as the command line, may hold the write lock for a moment.
        .busy_timeout(ACQUIRE_TIMEOUT)
        .statement_cache_capacity(STATEMENTS_KEPT)
        .disable_statement_logging();
    let options = match purpose {
        Purpose::Read => options.read_only(true),
        Purpose::Serve => {
            if let Some(folder) = Path::new(path).parent() {
                create_private_folder(folder)?;
            }
            options
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                // What was acknowledged survives a power cut.
                .synchronous(SqliteSynchronous::Full)
                // What is erased is overwritten.
                .pragma("secure_delete", "ON")
        }
    };
    let pool = |connections| SqlitePoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT);
    let write = pool(1).connect_with(options.clone()).await?;
    let read = pool(connections).connect_with(options).await?;
    Ok((SqlxSqliteConnector::from_sqlx_sqlite_pool(read), SqlxSqliteConnector::from_sqlx_sqlite_pool(write)))
}

async fn open_postgres(options: &PgConnectOptions, connections: u32) -> Result<DatabaseConnection> {
    let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT);
    Ok(SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_with(options.clone()).await?))
}

fn postgres_options(url: &str, purpose: Purpose) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    let options = match purpose {
        Purpose::Serve => options,
        Purpose::Read => options.options([("default_transaction_read_only", "on")]),
    };
    let options = options.application_name("countersign").statement_cache_capacity(STATEMENTS_KEPT);
    Ok(options.disable_statement_logging())
}

/// The folder holds password hashes and keys: only its owner may look inside.
fn create_private_folder(folder: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| Error::Unavailable(format!("cannot create the folder {}: {error}", folder.display())))
}

fn count_statements(connection: &mut DatabaseConnection, statements: &Arc<AtomicU64>) {
    let statements = Arc::clone(statements);
    connection.set_metric_callback(move |info| {
        statements.fetch_add(1, Ordering::Relaxed);
        metrics::histogram!(SQL_SECONDS).record(info.elapsed.as_secs_f64());
    });
}
