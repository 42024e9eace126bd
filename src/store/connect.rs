//! Opening a database, and bringing its shape up to date.

use std::{
    io::ErrorKind,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use migration::{Migrator, MigratorTrait};
use sea_orm::{
    DatabaseConnection, DbBackend, SqlxPostgresConnector, SqlxSqliteConnector,
    sqlx::{
        self, ConnectOptions, Connection, SqliteConnection,
        postgres::{PgConnectOptions, PgPoolOptions},
        sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
    },
};
use tokio::sync::{broadcast, watch};

use super::{
    Error, Inner, Result, Store,
    file_guard::{self, FileGuard},
    inline::Inline,
    postgres, private_files,
};
use crate::{
    config::{DatabaseUrl, Settings},
    telemetry::metrics::SQL_SECONDS,
};

pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How many prepared statements a connection keeps: more than there are in everyday use.
pub(super) const STATEMENTS_KEPT: usize = 500;
/// To how many bytes SQLite's log is cut when it begins anew: a few times what it needs while there is no long reader.
pub(super) const LONGEST_WAL: i64 = 16 * 1024 * 1024;
/// How many commits a follower may fall behind before it reads the journal instead.
const COMMITS_KEPT: usize = 1024;
const NOTICES_KEPT: usize = 64;
/// The migration since which the audit log is a chain.
const CHAINS: &str = "m0007_audit_chain";

impl Store {
    /// Opens the database that the settings name and brings it up to date.
    pub async fn open(settings: &Settings) -> Result<Self> {
        let store = Self::connect(settings, Purpose::Serve).await?;
        // Two that make the same tables get in each other's way.
        let alone = store.alone().await?;
        // Only then: whoever takes a chain away later must not get a new one for what they left.
        let before_chains = Migrator::get_pending_migrations(&store.0.write).await?;
        let before_chains = before_chains.iter().any(|pending| pending.name() == CHAINS);
        Migrator::up(&store.0.write, None).await?;
        if before_chains {
            store.chain_old_audit_entries().await?;
        }
        alone.release().await;
        store.refresh_heads().await?;
        if let DatabaseUrl::Sqlite(path) = &store.0.url {
            // After the first statements: SQLite makes the files beside the database when it needs them.
            store.0.guard.get_or_init(|| FileGuard::of(path));
        }
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
        let guard = Arc::default();
        let (mut read, mut write, backend) = match &url {
            DatabaseUrl::Sqlite(path) => {
                let (read, write) = open_sqlite(path, connections, purpose).await?;
                if purpose == Purpose::Serve {
                    inline = Some(Inline::open(Path::new(path), &statements, &guard)?);
                }
                (read, write, DbBackend::Sqlite)
            }
            DatabaseUrl::Postgres(text) => {
                // Two pools: a write that reads on the way can never wait for a connection that only other writes hold.
                let options = match purpose {
                    Purpose::Serve => postgres_options(text)?,
                    Purpose::Read => postgres_options(text)?.options([("default_transaction_read_only", "on")]),
                };
                let pools = postgres::Pools::fitting(&options, connections).await?;
                let write = open_postgres(&options, pools.write).await?;
                let read = open_postgres(&options, pools.read).await?;
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
            guard,
            server: OnceLock::new(),
            backend,
            url,
            statements,
            changes: AtomicU64::new(0),
            audit_head,
            journal_head,
            committed,
            tokens: Default::default(),
            ways_in: broadcast::Sender::new(NOTICES_KEPT),
            chained: Default::default(),
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
            prepare_files(path)?;
            options
                .journal_mode(SqliteJournalMode::Wal)
                // After a long reader it is as long as all that was written meanwhile.
                .pragma("journal_size_limit", LONGEST_WAL.to_string())
                // What was acknowledged survives a power cut.
                .synchronous(SqliteSynchronous::Full)
                // What is erased is overwritten.
                .pragma("secure_delete", "ON")
        }
    };
    let pool = |connections| {
        let pool = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT);
        pool.after_release(|connection, _| Box::pin(is_between_transactions(connection)))
    };
    let write = pool(1).connect_with(options.clone()).await?;
    let read = pool(connections).connect_with(options).await?;
    Ok((SqlxSqliteConnector::from_sqlx_sqlite_pool(read), SqlxSqliteConnector::from_sqlx_sqlite_pool(write)))
}

/// Whether a connection that comes back to its pool can be used again. After some errors, such as a full disk, SQLite
/// undoes a transaction by itself. sqlx does not notice, and makes each transaction from then on a part of one that is never
/// committed.
async fn is_between_transactions(connection: &mut SqliteConnection) -> std::result::Result<bool, sqlx::Error> {
    // An answer comes after all that was asked for before, such as to undo what is not committed.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

async fn open_postgres(options: &PgConnectOptions, connections: u32) -> Result<DatabaseConnection> {
    let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_TIMEOUT);
    Ok(SqlxPostgresConnector::from_sqlx_postgres_pool(pool.connect_with(options.clone()).await?))
}

pub(super) fn postgres_options(url: &str) -> Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    let options = options.application_name("countersign").statement_cache_capacity(STATEMENTS_KEPT);
    Ok(options.disable_statement_logging())
}

/// Sees to it that the database and the files beside it are its owner's alone, before SQLite gives new ones the same
/// rights.
fn prepare_files(path: &str) -> Result<()> {
    let database = Path::new(path);
    if let Some(folder) = database.parent() {
        private_files::create_folder(folder)?;
    }
    match private_files::create(database) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(Error::Unavailable(format!("cannot create {path}: {error}"))),
    }
    for suffix in [""].iter().chain(&file_guard::BESIDE) {
        private_files::tighten(Path::new(&format!("{path}{suffix}")))?;
    }
    Ok(())
}

fn count_statements(connection: &mut DatabaseConnection, statements: &Arc<AtomicU64>) {
    let statements = Arc::clone(statements);
    connection.set_metric_callback(move |info| {
        statements.fetch_add(1, Ordering::Relaxed);
        metrics::histogram!(SQL_SECONDS).record(info.elapsed.as_secs_f64());
    });
}
