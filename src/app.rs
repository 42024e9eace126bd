//! The server as a whole: put together, started and stopped.

use std::net::SocketAddr;

use secrecy::ExposeSecret;
use tokio::net::TcpListener;

use crate::{
    clock::Clock,
    config::{DatabaseCheck, DatabaseUrl, FileStorage, Settings},
    demo::{self, Demo},
    domain::{
        access::Scope,
        email::Email,
        role::{Role, Roles},
    },
    engine::{
        self, Engine, Origin,
        commands::{CreateWorkspace, InviteUser},
    },
    http::{self, Server},
    realtime::{AccessWatch, Hub},
    store::{self, Store, Tail, Thoroughness, page::Page, users},
    tasks::Tasks,
};

/// The workspace that a first start makes.
pub const DEFAULT_WORKSPACE: &str = "default";
const FIRST_ADMIN: &str = "admin@localhost";

/// Why the server does not start, for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<engine::Error> for Error {
    fn from(error: engine::Error) -> Self {
        Self(error.explain())
    }
}

/// Above this, looking at every page would keep everybody waiting for long.
const LARGE_DATABASE: u64 = 1 << 30;

/// Looks whether an SQLite database is damaged, as thoroughly as the settings say.
async fn check_database(settings: &Settings) -> Result<(), Error> {
    let DatabaseUrl::Sqlite(path) = settings.database() else { return Ok(()) };
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    let thoroughness = match settings.database_check {
        DatabaseCheck::Off => return Ok(()),
        DatabaseCheck::Quick if bytes > LARGE_DATABASE => {
            tracing::info!(
                bytes,
                "the database is too large to be checked at each start; `database-check = full` does"
            );
            return Ok(());
        }
        DatabaseCheck::Quick => Thoroughness::Quick,
        DatabaseCheck::Full => Thoroughness::Full,
    };
    let check = move || store::check_soundness(path.as_ref(), thoroughness);
    let checked = tokio::task::spawn_blocking(check).await.map_err(|error| Error(error.to_string()))?;
    checked.map_err(|error| Error(format!("{error}; bring a backup back with `countersign restore FILE --force`")))
}

/// A server that is ready to take connections.
pub struct App {
    engine: Engine,
    listener: TcpListener,
    server: Server,
    tasks: Tasks,
}

impl App {
    /// Opens the database, starts what runs in the background, and takes the port.
    pub async fn start(mut settings: Settings, clock: Clock) -> Result<Self, Error> {
        // Before anything else: without its policy, the server would decide by one that nobody meant.
        if let Some(path) = &settings.policy {
            engine::policy::file::read(path).await.map_err(Error)?;
        }
        let listen = settings.listen;
        let listener = TcpListener::bind(listen).await.map_err(|error| {
            Error(format!(
                "cannot listen on {listen}: {error}; choose another address with `--listen` or COUNTERSIGN_LISTEN"
            ))
        })?;
        // With port 0 the system has chosen one: links must name it.
        settings.listen = listener.local_addr().map_err(|error| Error(error.to_string()))?;
        for warning in settings.warnings() {
            tracing::warn!("{warning}");
        }
        if let FileStorage::Folder(folder) = settings.files() {
            store::private_files::tighten(folder.as_ref())?;
        }
        // From here on it may take long: until the database is there, and while its shape changes.
        let starting = http::Starting::serve(listener);
        store::wait_for_database(&settings).await?;
        check_database(&settings).await?;
        let store = Box::pin(Store::open(&settings)).await?;
        // Keys, signatures and the demo are made once, also when several servers start together.
        let alone = store.alone().await?;
        let engine = Engine::new(store.clone(), clock, settings).await?;
        // Before anything is written: what there is was left by somebody else.
        engine.take_up_audit_log().await?;
        engine.bind_old_secrets().await?;
        let tasks = Tasks::here();
        let access_watch = AccessWatch::new(store.clone());
        tasks.spawn_endless(Tail::new(store).run());
        tasks.spawn_endless(access_watch.clone().run());
        tasks.spawn_endless(engine::janitor::run(engine.clone()));
        tasks.spawn_endless(engine::audit::run(engine.clone()));
        tasks.spawn_endless(engine::audit::witness::run(engine.clone()));
        // Before anything runs: what the file says holds from the first step on.
        engine::policy::file::start(&engine).await?;
        if engine.settings().policy.is_some() {
            tasks.spawn_endless(engine::policy::file::run(engine.clone()));
        }
        let demo = if engine.settings().demo { Demo::open(&engine, DEFAULT_WORKSPACE).await? } else { None };
        alone.release().await;
        engine::drivers::enter(&engine, &tasks).await?;
        match demo {
            Some(demo) => tasks.spawn_endless(demo.run(tasks.clone())),
            None => {
                if engine.settings().demo {
                    tracing::warn!("the database has content of its own: the demo adds nothing to it");
                }
                engine::drivers::drive(&engine, &tasks);
            }
        }
        tasks.spawn_endless(engine::commands::make_reviewed_changes(engine.clone()));
        tasks.spawn_endless(engine::rollups::run(engine.clone()));
        let hub = Hub::new(engine.store().clone(), access_watch.clone());
        tasks.spawn_endless(hub.clone().run());
        let server = Server::new(engine.clone(), access_watch, hub, tasks.clone());
        let listener = starting.finish().await.ok_or_else(|| Error("the port was lost at the start".to_owned()))?;
        Ok(Self { engine, listener, server, tasks })
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn address(&self) -> SocketAddr {
        self.engine.settings().listen
    }

    /// Stops the server when called, from anywhere.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    /// Makes the first workspace and its admin if there are none. Gives a one-time link for as long as that
    /// admin has no other way in.
    pub async fn first_sign_in(&self) -> Result<Option<String>, Error> {
        let alone = self.engine.store().alone().await?;
        let link = self.sign_in_link().await;
        alone.release().await;
        link
    }

    async fn sign_in_link(&self) -> Result<Option<String>, Error> {
        let store = self.engine.store();
        let workspace = match store.workspaces().await?.as_slice() {
            [] => {
                let command = CreateWorkspace { slug: DEFAULT_WORKSPACE.to_owned(), name: "Default".to_owned() };
                self.engine.create_workspace(command).await?
            }
            [only] => only.clone(),
            _ => return Ok(None),
        };
        let scope = Scope::system(workspace.id);
        if self.engine.settings().demo
            && let Some(link) = self.visitors_link(scope).await?
        {
            return Ok(Some(link));
        }
        let first = Page::first(2);
        let people = store.users(scope, &users::Filter::default(), users::Sort::CreatedAt, false, &first).await?;
        let link = match people.rows.as_slice() {
            [] => {
                let command = InviteUser {
                    email: FIRST_ADMIN.to_owned(),
                    display_name: Some("Admin".to_owned()),
                    roles: Roles::from(Role::Admin),
                    idempotency_key: None,
                };
                self.engine.invite_user(scope, command, &Origin::default()).await?.link
            }
            [(_, admin)] if store.password_hash(scope, admin.id).await?.is_none() && admin.disabled_at.is_none() => {
                Some(self.engine.create_sign_in_link(scope, admin.id, &Origin::default()).await?.1)
            }
            _ => None,
        };
        Ok(link.map(|link| self.engine.sign_in_url(link.expose_secret())))
    }

    /// The demo's own way in for those whom one click does not let in.
    async fn visitors_link(&self, scope: Scope) -> Result<Option<String>, Error> {
        let email = Email::parse(demo::VISITOR.0).map_err(Error)?;
        let Some(visitor) = self.engine.store().user_by_email(scope, &email).await? else { return Ok(None) };
        if visitor.disabled_at.is_some() || self.engine.store().password_hash(scope, visitor.id).await?.is_some() {
            return Ok(None);
        }
        let (_, link) = self.engine.create_sign_in_link(scope, visitor.id, &Origin::default()).await?;
        Ok(Some(self.engine.sign_in_url(link.expose_secret())))
    }

    /// Serves until [`Tasks::stop`] is called; then finishes what runs, within the bound of the settings.
    pub async fn run(self) {
        let settings = self.engine.settings();
        let connections = http::serve(self.listener, self.server.router(), settings, &self.tasks).await;
        // One bound for all of it. The database waits for whoever still uses it, so it can take as long as they do.
        let finish = async {
            connections.shutdown().await;
            self.tasks.finish().await;
            self.engine.leave().await;
            if let Err(error) = self.engine.sign_audit_log(1).await {
                tracing::warn!(error = error.explain(), "cannot sign the audit log; the next start does");
            }
            if let Err(error) = self.engine.tell_witnesses().await {
                tracing::warn!(error = error.explain(), "cannot tell the audit log's witnesses; the next start does");
            }
            self.engine.store().close().await;
        };
        let bound = settings.shutdown_timeout.0;
        if tokio::time::timeout(bound, finish).await.is_err() {
            tracing::warn!(bound_seconds = bound.as_secs(), "some work did not finish in time");
        }
    }
}
