//! A server with a fresh database, and somebody who may do everything.

use std::{path::PathBuf, time::Instant};

use rand::RngExt;
use sea_orm::sqlx::{self, Connection, PgConnection};
use serde_json::{Value, json};

use super::{
    Result,
    client::{Client, text_at},
    process::{Server, command},
};

/// Which database, and where what else there is goes.
#[derive(Debug, Clone)]
pub enum Place {
    Sqlite(PathBuf),
    Postgres { url: String, folder: PathBuf },
}

impl Place {
    pub fn name(&self) -> &'static str {
        match self {
            Place::Sqlite(_) => "SQLite",
            Place::Postgres { .. } => "PostgreSQL",
        }
    }

    pub fn url(&self) -> String {
        match self {
            Place::Sqlite(folder) => format!("sqlite://{}/bench.db", folder.display()),
            Place::Postgres { url, .. } => url.clone(),
        }
    }

    /// Another fresh database beside this one.
    pub async fn apart(&self, name: &str) -> Result<Self> {
        let folder = self.folder().join(name);
        std::fs::create_dir_all(&folder)?;
        let Place::Postgres { url, .. } = self else { return Ok(Place::Sqlite(folder)) };
        let mut connection = PgConnection::connect(url).await?;
        let mut url = url::Url::parse(url)?;
        let database = format!("{}_{name}", url.path().trim_start_matches('/'));
        let create = format!("CREATE DATABASE \"{database}\"");
        sqlx::query(sqlx::AssertSqlSafe(create)).execute(&mut connection).await?;
        url.set_path(&database);
        Ok(Place::Postgres { url: url.into(), folder })
    }

    pub fn folder(&self) -> &PathBuf {
        match self {
            Place::Sqlite(folder) | Place::Postgres { folder, .. } => folder,
        }
    }
}

/// A kilobyte of words that nobody has seen before: what is the same in all rows would be compressed away.
pub fn some_text() -> String {
    let mut random = rand::rng();
    let mut text = String::with_capacity(1_010);
    while text.len() < 1_000 {
        let length = random.random_range(2..10);
        text.extend((0..length).map(|_| char::from(random.random_range(b'a'..=b'z'))));
        text.push(' ');
    }
    text.truncate(1_000);
    text
}

const PERSON: &str = "bench@example.com";

pub struct Rig {
    pub place: Place,
    pub server: Server,
    pub client: Client,
    token: String,
}

impl Rig {
    pub async fn start(place: Place) -> Result<Self> {
        let server = Server::start(&place.url(), place.folder()).await?;
        // A person's: only people approve where no rule names a program.
        let roles = ["--role", "admin", "--role", "approver"];
        let cli = || command(&place.url(), place.folder());
        let person = cli()?.args(["user", "invite", "--email", PERSON]).args(roles).output().await?;
        if !person.status.success() {
            return Err(format!("no person: {}", String::from_utf8_lossy(&person.stderr)).into());
        }
        let token = ["token", "create", "--name", "bench", "--user", PERSON];
        let made = cli()?.args(token).args(roles).output().await?;
        let token = String::from_utf8(made.stdout)?.trim().to_owned();
        if token.is_empty() {
            return Err(format!("no token: {}", String::from_utf8_lossy(&made.stderr)).into());
        }
        let client = Client::new(&server.address, &token)?;
        Ok(Self { place, server, client, token })
    }

    /// Stops the server and starts it again on the same database. Gives when the new one was begun.
    pub async fn restart(&mut self) -> Result<Instant> {
        self.server.stop().await?;
        self.start_again().await
    }

    /// Starts the server on the same database after it was stopped.
    pub async fn start_again(&mut self) -> Result<Instant> {
        let began = Instant::now();
        self.server = Server::start(&self.place.url(), self.place.folder()).await?;
        self.client = Client::new(&self.server.address, &self.token)?;
        Ok(began)
    }

    pub async fn agent(&self, name: &str, kind: &str, config: Value) -> Result<()> {
        let input = json!({"name": name, "kind": kind, "config": config, "riskLevel": "LOW"});
        self.client.mutate("createAgent", input, "agent { id }").await?;
        Ok(())
    }

    pub async fn workflow(&self, name: &str, steps: Value) -> Result<String> {
        let input = json!({"definition": {"name": name, "steps": steps}});
        let payload = self.client.mutate("createWorkflow", input, "workflow { id }").await?;
        Ok(text_at(&payload, "/workflow/id")?.to_owned())
    }

    pub async fn start_execution(&self, workflow: &str, input: Value) -> Result<String> {
        let input = json!({"workflowId": workflow, "input": input});
        let payload = self.client.mutate("startExecution", input, "execution { id }").await?;
        Ok(text_at(&payload, "/execution/id")?.to_owned())
    }

    /// The whole database, on disk.
    pub async fn database_bytes(&self) -> Result<f64> {
        match &self.place {
            Place::Sqlite(folder) => {
                let size = |name: &str| std::fs::metadata(folder.join(name)).map_or(0, |file| file.len());
                Ok((size("bench.db") + size("bench.db-wal")) as f64)
            }
            Place::Postgres { url, .. } => {
                let mut connection = PgConnection::connect(url).await?;
                let query = sqlx::query_scalar::<_, i64>("SELECT pg_database_size(current_database())");
                Ok(query.fetch_one(&mut connection).await? as f64)
            }
        }
    }

    pub async fn stop(mut self) -> Result<()> {
        self.server.stop().await
    }
}
