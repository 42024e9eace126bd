//! A server that is killed again and again at bad moments loses nothing and does nothing twice.

use std::{
    collections::HashMap,
    process::Stdio,
    sync::{Arc, Mutex},
};

use axum::{Router, extract::State, http::HeaderMap, response::IntoResponse, routing::post};
use chrono::{DateTime, Utc};
use countersign::{
    clock::Clock,
    config::{DatabaseUrl, Settings},
    domain::{
        access::Scope,
        agent::Kind,
        execution::{Event, Status},
        id::ExecutionId,
    },
    engine::{
        Engine, Origin,
        commands::{AgentFields, CreateAgent, CreateWorkflow, CreateWorkspace, Document, SavedWorkflow},
    },
    store::{Store, Tail},
};
use rand::RngExt;
use serde_json::json;
use tempfile::TempDir;
use tokio::{process::Child, sync::watch};

use crate::{
    soak::rounds,
    support::{PATIENCE, command, flows},
};

/// In each round.
const KILLS: usize = 60;
/// Executions that wait or run at any moment.
const OPEN: usize = 15;

/// A program that counts who calls it, and with which key.
#[derive(Clone, Default)]
struct Counter {
    calls: Arc<Mutex<HashMap<String, Vec<DateTime<Utc>>>>>,
    count: watch::Sender<usize>,
}

async fn count(State(counter): State<Counter>, headers: HeaderMap) -> impl IntoResponse {
    let key = headers["idempotency-key"].to_str().expect("a key").to_owned();
    let first = {
        let mut calls = counter.calls.lock().expect("not poisoned");
        let calls = calls.entry(key.clone()).or_default();
        calls.push(Utc::now());
        calls.len() == 1
    };
    counter.count.send_modify(|count| *count += 1);
    // The first attempt of one of the steps fails, so that retries are cut off too.
    if key.ends_with(":flaky:1") && first {
        return (axum::http::StatusCode::SERVICE_UNAVAILABLE, "{}".to_owned());
    }
    (axum::http::StatusCode::OK, json!({"key": key}).to_string())
}

struct Rig {
    folder: TempDir,
    database: DatabaseUrl,
    engine: Engine,
    scope: Scope,
    counter: Counter,
    workflow: countersign::domain::id::WorkflowId,
}

impl Rig {
    async fn new() -> Self {
        let counter = Counter::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let router = Router::new().route("/", post(count)).with_state(counter.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
        countersign::telemetry::install_crypto();

        let folder = tempfile::tempdir().expect("a folder");
        let database = DatabaseUrl::Sqlite(format!("{}/test.db", folder.path().display()));
        let settings = Settings { database_url: Some(database.clone()), ..Settings::default() };
        let store = Store::open(&settings).await.expect("a database");
        // What the other process writes is noticed.
        tokio::spawn(Tail::new(store.clone()).run());
        let engine = Engine::new(store, Clock::system(), settings).await.expect("an engine");
        let workspace = CreateWorkspace { slug: "default".to_owned(), name: "Default".to_owned() };
        let scope = Scope::system(engine.create_workspace(workspace).await.expect("a workspace").id);
        for (name, kind, config) in [
            ("Counter", Kind::Http, json!({ "url": url })),
            ("Sum", Kind::Transform, json!({"fields": {"n": "input.n + 1"}})),
        ] {
            let fields = AgentFields { config: Some(config), ..AgentFields::default() };
            let command = CreateAgent { name: name.to_owned(), kind, fields, idempotency_key: None };
            engine.create_agent(scope, command, &Origin::default()).await.expect("an agent");
        }
        let retry = json!({"initialDelaySeconds": 0.01, "jitter": 0});
        let definition = json!({"name": "Killed", "steps": [
            {"key": "first", "agent": "Counter", "retry": retry},
            {"key": "sum", "agent": "Sum"},
            {"key": "left", "agent": "Counter", "needs": ["sum"], "retry": retry},
            {"key": "flaky", "agent": "Counter", "needs": ["sum"], "retry": retry},
            {"key": "last", "agent": "Counter", "needs": ["left", "flaky"], "retry": retry},
        ]});
        let command =
            CreateWorkflow { document: Document::Definition(definition), draft: false, idempotency_key: None };
        let saved = engine.create_workflow(scope, command, &Origin::default()).await.expect("an answer");
        let SavedWorkflow::Saved { workflow, .. } = saved else { panic!("{saved:?}") };
        Self { folder, database, engine, scope, counter, workflow: workflow.id }
    }

    fn command(&self, arguments: &[&str]) -> tokio::process::Command {
        let DatabaseUrl::Sqlite(path) = &self.database else { panic!("not SQLite") };
        let mut command = command(self.folder.path());
        command.env("COUNTERSIGN_DATABASE_URL", format!("sqlite://{path}")).args(arguments);
        command
    }

    fn serve(&self) -> Child {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--http-allow", "127.0.0.0/8"];
        self.command(&arguments).stdout(Stdio::null()).spawn().expect("the server starts")
    }

    /// Waits until all have come to their end.
    async fn finished(&self, started: &[ExecutionId]) {
        let mut head = self.engine.store().journal_head();
        loop {
            head.borrow_and_update();
            if self.unfinished(started).await == 0 {
                return;
            }
            head.changed().await.expect("the store lives");
        }
    }

    async fn unfinished(&self, started: &[ExecutionId]) -> usize {
        let statuses = self.engine.store().statuses(started).await.expect("statuses");
        statuses.iter().filter(|(_, status)| !status.is_terminal()).count()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_at_random_moments_loses_nothing_and_repeats_nothing() {
    let rig = Rig::new().await;
    let mut started: Vec<ExecutionId> = Vec::new();
    let kills = rounds().flat_map(|_| 0..KILLS);
    let mut killed = 0;
    for kill in kills {
        killed += 1;
        for _ in rig.unfinished(&started).await..OPEN {
            started.push(flows::start(&rig.engine, rig.scope, rig.workflow, json!({"n": kill})).await);
        }
        let mut child = rig.serve();
        // A moment while it works: after so many more calls.
        let more = rand::rng().random_range(1..30);
        let mut count = rig.counter.count.subscribe();
        let until = *count.borrow() + more;
        let wait = async {
            tokio::select! {
                counted = count.wait_for(|count| *count >= until) => drop(counted.expect("counted")),
                // Those that were open may have had fewer calls left.
                () = rig.finished(&started) => {}
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.expect("the server works after each restart");
        child.kill().await.expect("killed");
    }

    let mut child = rig.serve();
    tokio::time::timeout(PATIENCE * 3, rig.finished(&started)).await.expect("every execution comes to its end");
    child.kill().await.expect("killed");

    let mut again = 0;
    let calls = rig.counter.calls.lock().expect("not poisoned").clone();
    for id in &started {
        let execution = rig.engine.store().execution(rig.scope, *id).await.expect("a lookup").expect("it exists");
        assert_eq!(execution.status, Status::Completed, "{id}");
        for entry in rig.engine.store().history(*id).await.expect("a history") {
            let Ok(Event::StepCompleted { step, attempt, .. }) = entry.event else { continue };
            let key = ["first", "sum", "left", "flaky", "last"][step];
            let calls = calls.get(&format!("{id}:{key}:{attempt}")).map_or(&[][..], Vec::as_slice);
            assert!(key == "sum" || !calls.is_empty(), "{id} {key} was never called");
            assert!(calls.iter().all(|call| *call <= entry.at), "{id} {key} ran again after it was done");
            again += calls.len().saturating_sub(1);
        }
    }
    println!("{killed} kills, {} executions, {again} calls were repeated with their key", started.len());
    let doctor = rig.command(&["doctor"]).output().await.expect("the doctor runs");
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned() + &String::from_utf8_lossy(&doctor.stderr);
    assert!(doctor.status.success() && said.contains("Everything matches the journal."), "{said}");
}
