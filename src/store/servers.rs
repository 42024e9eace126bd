//! The processes that serve, and which of them are alive.
//!
//! On SQLite there is one at a time, which holds a lock on a file beside the database. On PostgreSQL each holds an
//! advisory lock on a connection of its own, which the database takes back the moment the process is gone.

use std::{collections::HashSet, fs::File, path::PathBuf, sync::Arc};

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect,
    sqlx::{self, Connection, PgConnection},
};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::{Error, Result, Store, micros, private_files};
use crate::{config::DatabaseUrl, domain::id::ExecutionId};

/// The first half of the advisory locks that servers hold; the second is the server's number.
const SERVERS: i32 = 0x636f_756e;

/// This process, for as long as it is held.
#[derive(Clone)]
pub struct Server {
    pub id: Uuid,
    number: i32,
    sign: Arc<Mutex<Sign>>,
}

/// What tells others that a server lives: a lock, which is gone with whatever holds it.
enum Sign {
    File(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File),
    Connection(PgConnection),
    /// It has left.
    Gone,
}

impl Server {
    /// Lets others take over at once.
    pub async fn leave(&self) {
        *self.sign.lock().await = Sign::Gone;
    }
}

impl Store {
    /// Enters this process as a server. Fails if another one has the SQLite file.
    pub async fn enter_server(&self, now: DateTime<Utc>) -> Result<Server> {
        let lock = match &self.0.url {
            DatabaseUrl::Sqlite(path) => Some(lock_file(path)?),
            DatabaseUrl::Postgres(_) => None,
        };
        let id = Uuid::new_v4();
        let row =
            entity::server::ActiveModel { id: Set(id), started_at: Set(micros::from_time(now)), ..Default::default() };
        let number = entity::server::Entity::insert(row).exec(&self.0.write).await?.last_insert_id;
        // An engine that serves in the same process enters once.
        let _ = self.0.server.set(number);
        if let Some(journal) = &self.0.journal {
            // Before anybody reads: where connections are few, the journal has its own.
            journal.connect().await?;
        }
        let sign = match lock {
            Some(lock) => Sign::File(lock),
            None => Sign::Connection(self.lock_number(number).await?),
        };
        let server = Server { id, number, sign: Arc::new(Mutex::new(sign)) };
        self.forget_dead_servers(&server).await?;
        Ok(server)
    }

    async fn lock_number(&self, number: i32) -> Result<PgConnection> {
        let DatabaseUrl::Postgres(url) = &self.0.url else {
            return Err(Error::Unexpected("only PostgreSQL has advisory locks".to_owned()));
        };
        let mut connection = PgConnection::connect(url).await?;
        sqlx::query("SELECT pg_advisory_lock($1, $2)").bind(SERVERS).bind(number).execute(&mut connection).await?;
        Ok(connection)
    }

    /// The servers that live, this one among them.
    pub async fn living_servers(&self, server: &Server) -> Result<HashSet<Uuid>> {
        let mut sign = server.sign.lock().await;
        let Sign::Connection(connection) = &mut *sign else {
            return Ok(HashSet::from([server.id]));
        };
        let alive = "SELECT objid::int4 FROM pg_locks WHERE locktype = 'advisory' AND classid = $1::oid \
                     AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        let numbers: Vec<i32> = match sqlx::query_scalar(alive).bind(SERVERS).fetch_all(&mut *connection).await {
            Ok(numbers) => numbers,
            Err(_) => {
                // The connection is gone, and with it the lock: take it again before anything else.
                *connection = self.lock_number(server.number).await?;
                sqlx::query_scalar(alive).bind(SERVERS).fetch_all(&mut *connection).await?
            }
        };
        drop(sign);
        use entity::server::{Column, Entity};
        let query = Entity::find().select_only().column(Column::Id).filter(Column::Number.is_in(numbers));
        let mut living: HashSet<Uuid> = query.into_tuple::<Uuid>().all(&self.0.background).await?.into_iter().collect();
        living.insert(server.id);
        Ok(living)
    }

    /// Old rows of servers that are gone serve nobody.
    async fn forget_dead_servers(&self, server: &Server) -> Result<()> {
        use entity::server::{Column, Entity};
        let living = self.living_servers(server).await?;
        Entity::delete_many().filter(Column::Id.is_not_in(living)).exec(&self.0.write).await?;
        Ok(())
    }

    /// Steps that a server had begun which lives no more.
    pub async fn orphaned_steps(&self, living: &HashSet<Uuid>, limit: u64) -> Result<Vec<(Uuid, usize, Uuid)>> {
        use entity::step_run::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .columns([Column::ExecutionId, Column::Step, Column::ServerId])
            .filter(Column::ServerId.is_not_null())
            .filter(Column::ServerId.is_not_in(living.iter().copied()))
            .limit(limit);
        let rows: Vec<(Uuid, i32, Uuid)> = query.into_tuple().all(&self.0.background).await?;
        Ok(rows
            .into_iter()
            .map(|(execution, step, server)| (execution, usize::try_from(step).unwrap_or(0), server))
            .collect())
    }

    /// The steps that a server runs, each with the number of its attempt.
    pub async fn steps_run_by(&self, server: Uuid) -> Result<Vec<(ExecutionId, usize, i32)>> {
        use entity::step_run::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .columns([Column::ExecutionId, Column::Step, Column::Attempt])
            .filter(Column::ServerId.eq(server));
        let rows: Vec<(Uuid, i32, i32)> = query.into_tuple().all(&self.0.background).await?;
        let step = |step: i32| usize::try_from(step).unwrap_or(0);
        Ok(rows
            .into_iter()
            .map(|(execution, number, attempt)| (ExecutionId(execution), step(number), attempt))
            .collect())
    }
}

/// Keeps other servers away from an SQLite database for as long as it is open.
pub(super) fn lock_file(database: &str) -> Result<File> {
    let path = PathBuf::from(format!("{database}.lock"));
    let unavailable = |what: String| Error::Unavailable(what);
    private_files::tighten(&path)?;
    let file = private_files::open_or_create(&path)
        .map_err(|error| unavailable(format!("cannot create {}: {error}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(unavailable(format!(
            "another server uses the database {database}: stop it, or use PostgreSQL to run several"
        ))),
    }
}
