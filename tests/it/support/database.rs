//! A fresh real database for each test, cloned from a migrated template.

use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use countersign::{
    config::{DatabaseUrl, Settings},
    store::Store,
};
use sea_orm::{
    DatabaseConnection,
    sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection, query_as, query_scalar},
};
use tempfile::TempDir;
use uuid::Uuid;

const POSTGRES_VARIABLE: &str = "COUNTERSIGN_TEST_POSTGRES_URL";
/// Serialises the making of the template and of its clones between test processes.
const LOCK: &str = "SELECT pg_advisory_lock(4711)";

const OWNERS_PASSWORD: &str = "hunter2";

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Database {
    Sqlite,
    Postgres,
}

/// A database that goes away with the test.
#[derive(Clone)]
pub struct Fresh {
    pub url: DatabaseUrl,
    /// For files, and the database if it is one.
    pub folder: Arc<TempDir>,
    _postgres: Option<Arc<ClonedDatabase>>,
}

impl Fresh {
    /// Keeps everybody else from writing to an SQLite file until it is dropped.
    pub async fn lock_for_writing(&self) -> SqliteConnection {
        let mut connection = self.connect_sqlite().await;
        connection.execute("BEGIN IMMEDIATE").await.expect("the lock");
        connection
    }

    /// Runs a statement past the server, such as one that breaks something.
    pub async fn execute(&self, statement: &'static str) {
        match &self.url {
            DatabaseUrl::Sqlite(_) => {
                self.connect_sqlite().await.execute(statement).await.expect("a statement");
            }
            DatabaseUrl::Postgres(_) => {
                self.connect_postgres().await.execute(statement).await.expect("a statement");
            }
        }
    }

    pub async fn connect_postgres(&self) -> PgConnection {
        let DatabaseUrl::Postgres(url) = &self.url else { panic!("not a PostgreSQL") };
        PgConnection::connect(url).await.expect("the test PostgreSQL answers")
    }

    /// A connection past the server.
    pub async fn connect_sqlite(&self) -> SqliteConnection {
        let DatabaseUrl::Sqlite(path) = &self.url else { panic!("not an SQLite file") };
        SqliteConnection::connect(&format!("sqlite://{path}")).await.expect("a connection")
    }
}

impl Fresh {
    /// A PostgreSQL without any table, and its owner, who may have so many connections.
    pub async fn empty_postgres(connections: i32) -> Self {
        let server = postgres_server();
        let name = format!("countersign_test_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect(&server).await.expect("the test PostgreSQL answers");
        let role = format!("CREATE ROLE {name} LOGIN PASSWORD '{OWNERS_PASSWORD}' CONNECTION LIMIT {connections}");
        execute(&mut connection, role).await;
        execute(&mut connection, format!("CREATE DATABASE {name} OWNER {name}")).await;
        let mut url = url::Url::parse(&with_database(&server, &name)).expect("a URL");
        url.set_username(&name).expect("a name");
        url.set_password(Some(OWNERS_PASSWORD)).expect("a password");
        let folder = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        let url = DatabaseUrl::Postgres(url.into());
        Self { url, folder, _postgres: Some(Arc::new(ClonedDatabase { server, name })) }
    }
}

impl Database {
    pub async fn fresh(self) -> Fresh {
        let folder = Arc::new(tempfile::tempdir().expect("a temporary folder"));
        match self {
            Database::Sqlite => {
                let url = DatabaseUrl::Sqlite(format!("{}/test.db", folder.path().display()));
                Fresh { url, folder, _postgres: None }
            }
            Database::Postgres => {
                let server = postgres_server();
                let name = clone_template(&server).await;
                let url = DatabaseUrl::Postgres(with_database(&server, &name));
                Fresh { url, folder, _postgres: Some(Arc::new(ClonedDatabase { server, name })) }
            }
        }
    }
}

impl Fresh {
    /// A connection beside the server's own, to look at rows.
    pub async fn connect(&self) -> DatabaseConnection {
        let url = match &self.url {
            DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
            DatabaseUrl::Postgres(url) => url.clone(),
        };
        sea_orm::Database::connect(url).await.expect("the test's database answers")
    }

    /// Whether a text occurs anywhere in the database: in any column of any table, and in SQLite's files.
    pub async fn holds(&self, text: &str) -> bool {
        match &self.url {
            DatabaseUrl::Sqlite(path) => [path.clone(), format!("{path}-wal")].iter().any(|file| {
                let bytes = std::fs::read(file).unwrap_or_default();
                bytes.windows(text.len()).any(|window| window == text.as_bytes())
            }),
            DatabaseUrl::Postgres(url) => {
                let mut connection = PgConnection::connect(url).await.expect("the test PostgreSQL answers");
                any_row_holds(&mut connection, text).await
            }
        }
    }
}

async fn any_row_holds(connection: &mut PgConnection, text: &str) -> bool {
    let tables: Vec<String> = query_scalar("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
        .fetch_all(&mut *connection)
        .await
        .expect("a list of tables");
    // Binary columns are shown in hexadecimal.
    let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    for table in tables {
        let statement =
            format!("SELECT count(*) FROM \"{table}\" t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0");
        let rows: i64 = query_scalar(AssertSqlSafe(statement))
            .bind(text)
            .bind(&hex)
            .fetch_one(&mut *connection)
            .await
            .expect("a count");
        if rows > 0 {
            return true;
        }
    }
    false
}

fn postgres_server() -> String {
    std::env::var(POSTGRES_VARIABLE)
        .unwrap_or_else(|_| panic!("{POSTGRES_VARIABLE} is not set: run the tests with `make test`"))
}

fn with_database(server: &str, name: &str) -> String {
    let mut url = url::Url::parse(server).expect("a PostgreSQL URL");
    url.set_path(name);
    url.to_string()
}

/// The template's name changes with the migrations, so that an old one is never used.
fn template_name() -> String {
    use migration::MigratorTrait;
    let names: String = migration::Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    use sha2::Digest;
    let hash = sha2::Sha256::digest(names.as_bytes());
    format!("countersign_template_{:02x}{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2], hash[3])
}

async fn clone_template(server: &str) -> String {
    let template = template_name();
    let name = format!("countersign_test_{}", Uuid::new_v4().simple());
    let mut connection = PgConnection::connect(server).await.expect("the test PostgreSQL answers");
    connection.execute(LOCK).await.expect("the lock");
    let exists: Option<(i32,)> = query_as("SELECT 1 FROM pg_database WHERE datname = $1")
        .bind(&template)
        .fetch_optional(&mut connection)
        .await
        .expect("a list of databases");
    if exists.is_none() {
        execute(&mut connection, format!("CREATE DATABASE {template}")).await;
        let url = DatabaseUrl::Postgres(with_database(server, &template));
        let settings = Settings { database_url: Some(url), ..Settings::default() };
        Store::open(&settings).await.expect("a migrated template").close().await;
    }
    execute(&mut connection, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    name
}

async fn execute(connection: &mut PgConnection, statement: String) {
    connection.execute(AssertSqlSafe(statement)).await.expect("a statement of the test's own");
}

/// A cloned PostgreSQL database.
struct ClonedDatabase {
    server: String,
    name: String,
}

impl Drop for ClonedDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        let (done, dropped) = mpsc::channel();
        // A runtime of its own: the test's may be on its way out.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let mut connection = PgConnection::connect(&server).await.expect("the test PostgreSQL answers");
                execute(&mut connection, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
                execute(&mut connection, format!("DROP ROLE IF EXISTS {name}")).await;
            });
            done.send(()).ok();
        });
        // PostgreSQL waits for connections that are still signing in, and those of the test's own runtime stand still
        // while we wait here. It goes on by itself when they are gone.
        let waited = dropped.recv_timeout(Duration::from_secs(1));
        assert_ne!(waited, Err(mpsc::RecvTimeoutError::Disconnected), "the test's database is dropped");
    }
}
