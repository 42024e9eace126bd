//! A whole server on a port of its own, in the test's process.

use std::{net::SocketAddr, ops::Range};

use chrono::Utc;
use countersign::{
    app::{App, DEFAULT_WORKSPACE},
    config::Settings,
    domain::{
        access::Scope,
        audit::Action,
        id::WorkspaceId,
        role::{Role, Roles},
    },
    engine::{
        Engine, Origin,
        commands::{CreateApiToken, CreateWorkspace, InviteUser},
    },
    store::{Store, workspaces::Workspace},
    tasks::Tasks,
};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{Database, TestClock, at, database::Fresh, text};

pub const PASSWORD: &str = "correct horse battery";

/// A running server with a default workspace.
pub struct TestApp {
    pub address: SocketAddr,
    pub engine: Engine,
    pub clock: TestClock,
    pub http: reqwest::Client,
    pub workspace: Workspace,
    pub database: Fresh,
    pub tasks: Tasks,
    pub running: Option<JoinHandle<()>>,
}

/// Somebody who is signed in by password.
pub struct Person {
    pub id: String,
    pub email: String,
    pub access_token: String,
    /// The refresh token's cookie, as `name=value`.
    pub cookie: String,
}

impl TestApp {
    pub async fn start(database: Database) -> Self {
        Self::start_with(database, |_| {}).await
    }

    /// Starts with changed settings.
    pub async fn start_with(database: Database, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_on(database.fresh().await, TestClock::default(), change).await
    }

    /// Starts on a database that exists, as after a restart.
    pub async fn start_on(database: Fresh, clock: TestClock, change: impl FnOnce(&mut Settings)) -> Self {
        countersign::telemetry::install_crypto();
        let mut settings = Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database_url: Some(database.url.clone()),
            database_connections: 4,
            data_dir: database.folder.path().display().to_string(),
            // Tests sign in and call more often than people; the limits have tests of their own.
            sign_in_attempts: 10_000,
            anonymous_rate_limit: 0,
            ..Settings::default()
        };
        change(&mut settings);
        let app = App::start(settings, clock.clock()).await.expect("the server starts");
        let (address, engine, tasks) = (app.address(), app.engine().clone(), app.tasks().clone());
        let workspace = match engine.store().workspace_by_slug(DEFAULT_WORKSPACE).await.expect("a lookup") {
            Some(workspace) => workspace,
            None => create_workspace(&engine, DEFAULT_WORKSPACE).await,
        };
        let running = Some(tokio::spawn(app.run()));
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        Self { address, engine, clock, http, workspace, database, tasks, running }
    }

    /// Another process on the same database, as the command line is.
    pub async fn another_process(&self) -> Engine {
        let settings =
            Settings { database_url: Some(self.database.url.clone()), database_connections: 2, ..Settings::default() };
        let store = Store::open(&settings).await.expect("the database opens twice");
        Engine::new(store, self.clock.clock(), settings).await.expect("an engine")
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn scope(&self) -> Scope {
        Scope::system(self.workspace.id)
    }

    pub async fn create_workspace(&self, slug: &str) -> Workspace {
        create_workspace(&self.engine, slug).await
    }

    /// An API token of the default workspace.
    pub async fn token(&self, role: Role) -> String {
        self.token_in(self.scope(), role).await
    }

    pub async fn token_in(&self, scope: Scope, role: Role) -> String {
        let name = format!("test {role}");
        self.make_token(scope, CreateApiToken { name, roles: Roles::from(role), ..CreateApiToken::default() }).await
    }

    /// The access token of a person with this role, who is signed in. Unlike a program, a person can approve.
    pub async fn signed_in(&self, role: Role) -> String {
        let email = format!("{}@example.com", role.as_str().to_lowercase());
        self.person(&email, &[role]).await.access_token
    }

    /// Makes a token and gives its secret.
    pub async fn make_token(&self, scope: Scope, command: CreateApiToken) -> String {
        let created = self.engine.create_api_token(scope, command, &Origin::default()).await.expect("a token");
        created.secret.expect("shown once").expose_secret().to_owned()
    }

    /// The id of an API token, which is not the token.
    pub async fn token_id(&self, token: &str) -> String {
        let answer = self.graphql(token, "{ viewer { apiToken { id } } }", json!({})).await;
        text(&answer, "/data/viewer/apiToken/id").to_owned()
    }

    /// Somebody new in the default workspace, with a password, signed in.
    pub async fn person(&self, email: &str, roles: &[Role]) -> Person {
        self.person_in(self.scope(), email, roles).await
    }

    pub async fn person_in(&self, scope: Scope, email: &str, roles: &[Role]) -> Person {
        let command = InviteUser {
            email: email.to_owned(),
            display_name: None,
            roles: roles.iter().copied().collect(),
            idempotency_key: None,
        };
        let invited = self.engine.invite_user(scope, command, &Origin::default()).await.expect("an invitation");
        let link = invited.link.expect("a link").expose_secret().to_owned();
        let (session, cookie) = self
            .start_session(
                "mutation($token: String!) { start: redeemSignInLink(input: {token: $token}) { session { accessToken } userErrors { message } } }",
                json!({"token": link}),
            )
            .await;
        let set = "mutation($new: String!) { changePassword(input: {newPassword: $new}) { userErrors { message } } }";
        let answer = self.graphql(&session, set, json!({"new": PASSWORD})).await;
        assert_eq!(at(&answer, "/data/changePassword/userErrors"), &json!([]), "{answer}");
        Person { id: invited.user.id.to_string(), email: email.to_owned(), access_token: session, cookie }
    }

    /// Runs a mutation whose field is aliased to `start` and gives the access token and the cookie.
    pub async fn start_session(&self, mutation: &str, variables: Value) -> (String, String) {
        let response = self.post(None, mutation, variables).await;
        let cookie = cookie_of(&response).expect("a refresh cookie");
        let answer: Value = response.json().await.expect("JSON");
        (text(&answer, "/data/start/session/accessToken").to_owned(), cookie)
    }

    /// Sends an operation and gives the whole answer.
    pub async fn graphql(&self, token: &str, query: &str, variables: Value) -> Value {
        let response = self.post(Some(token), query, variables).await;
        let status = response.status();
        let body = response.text().await.expect("a body");
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{status}: {error}: {body}"))
    }

    pub async fn anonymous(&self, query: &str, variables: Value) -> Value {
        self.post(None, query, variables).await.json().await.expect("JSON")
    }

    /// An operation on its way, to which a test can add headers.
    pub fn request(&self, query: &str, variables: Value) -> reqwest::RequestBuilder {
        self.http.post(self.url("/graphql")).json(&json!({"query": query, "variables": variables}))
    }

    pub async fn post(&self, token: Option<&str>, query: &str, variables: Value) -> reqwest::Response {
        let request = self.request(query, variables);
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().await.expect("an answer")
    }

    /// Adds entries to the audit log of the default workspace, with these numbers in their details.
    pub async fn write_audit_entries(&self, numbers: Range<usize>) {
        write_audit_entries(self.engine.store(), self.workspace.id, numbers).await;
    }

    /// The cursor of the newest audit entry.
    pub async fn latest_cursor(&self, token: &str) -> String {
        let answer = self.graphql(token, "{ auditEntries(first: 1) { pageInfo { endCursor } } }", json!({})).await;
        text(&answer, "/data/auditEntries/pageInfo/endCursor").to_owned()
    }

    /// Stops the server and waits until it has.
    pub async fn stop(&mut self) {
        self.tasks.stop();
        if let Some(running) = self.running.take() {
            running.await.expect("the server stops without a panic");
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.tasks.stop();
    }
}

/// The refresh cookie that a response sets, as `name=value`.
pub fn cookie_of(response: &reqwest::Response) -> Option<String> {
    let header = response.headers().get("set-cookie")?.to_str().ok()?;
    header.split(';').next().map(str::to_owned)
}

/// Adds numbered entries to the audit log, all in one commit.
pub async fn write_audit_entries(store: &Store, workspace: WorkspaceId, numbers: Range<usize>) {
    let mut tx = store.begin(Utc::now()).await.expect("a transaction");
    for number in numbers {
        tx.audit(Scope::system(workspace), Action::GroupCreated, None, json!({ "number": number }));
    }
    tx.commit().await.expect("a commit");
}

async fn create_workspace(engine: &Engine, slug: &str) -> Workspace {
    let command = CreateWorkspace { slug: slug.to_owned(), name: slug.to_owned() };
    engine.create_workspace(command).await.expect("a workspace")
}
