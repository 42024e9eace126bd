//! What waiting for people costs: saving a checkpoint, going on after an approval, and lists of many that wait.
//!
//! `cargo bench --bench checkpoints` prints one table; `-- 10000 20000` parks that many instead of 10,000 and 100,000.
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the real clock")]
#![expect(clippy::panic, reason = "a benchmark that cannot run stops")]

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{Router, extract::State, http::HeaderMap, routing::post};
use countersign::{
    app::App,
    clock::Clock,
    config::{DatabaseUrl, Settings},
    domain::{
        access::Scope,
        agent::{Kind, RiskLevel},
        checkpoint::{Status, Verdict},
        execution::Mode,
        id::{ExecutionId, WorkflowId},
        json::Json,
        role::{Role, Roles},
    },
    engine::{
        Engine, Origin,
        commands::{
            AgentFields, CreateAgent, CreateWorkflow, CreateWorkspace, DecideCheckpoint, Document, InviteUser,
            SavedWorkflow, StartExecution,
        },
    },
    store::{
        checkpoints::{CheckpointRow, Filter, Sort},
        page::Page,
    },
};
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::task::JoinHandle;

fn main() {
    countersign::telemetry::install_crypto();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run());
}

async fn run() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse::<usize>().ok());
    let (few, many) = (numbers.next().unwrap_or(10_000), numbers.next().unwrap_or(100_000));
    let folder = tempfile::tempdir().expect("a folder");
    let calls = Calls::default();
    let url = serve(calls.clone()).await;
    let server = Server::start(folder.path()).await;
    let bench = Bench::prepare(server.engine.clone(), &url, calls).await;

    let mut saves = Vec::new();
    for _ in 0..200 {
        let began = Instant::now();
        let id = bench.start_one().await;
        bench.waiting(id).await;
        saves.push(began.elapsed());
    }
    line("from the start of an execution to its checkpoint, saved", median(saves));

    bench.park(few).await;
    line(&format!("from an approval to the step's call, {few} parked"), bench.approvals(500).await);
    bench.park(many.saturating_sub(few)).await;
    line(&format!("the same, {many} parked"), bench.approvals(500).await);
    for sort in [Sort::Age, Sort::Risk, Sort::Deadline] {
        line(&format!("the first page of 50, by {}", sort.name()), bench.list(sort).await);
    }
    line("how many wait", bench.count().await);
    let size = std::fs::metadata(folder.path().join("bench.db")).map_or(0, |file| file.len());
    println!("{:<66}{:>10.0} bytes", "of database for each", size as f64 / many as f64);
    println!("{:<66}{:>10.1} MiB", "memory of this process", memory() / 1024.0 / 1024.0);

    let row = bench.some_waiting().await;
    let approver = bench.approver;
    drop(bench);
    server.stop().await;
    let began = Instant::now();
    let server = Server::start(folder.path()).await;
    server.engine.decide_checkpoint(approver, approving(&row), &Origin::default()).await.expect("approved");
    line("from a restart to the first approval answered", began.elapsed());
    server.stop().await;
}

fn line(what: &str, took: Duration) {
    println!("{what:<66}{:>10.2} ms", took.as_secs_f64() * 1000.0);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// When each execution's step was called.
type Calls = Arc<Mutex<HashMap<String, Instant>>>;

async fn called(State(calls): State<Calls>, headers: HeaderMap) -> String {
    let execution = headers["x-countersign-execution"].to_str().unwrap_or_default().to_owned();
    calls.lock().expect("not poisoned").insert(execution, Instant::now());
    "{}".to_owned()
}

async fn serve(calls: Calls) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let router = Router::new().route("/", post(called)).with_state(calls);
    tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
    url
}

struct Server {
    engine: Engine,
    tasks: countersign::tasks::Tasks,
    running: JoinHandle<()>,
}

impl Server {
    async fn start(folder: &std::path::Path) -> Self {
        let settings = Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database_url: Some(DatabaseUrl::Sqlite(format!("{}/bench.db", folder.display()))),
            http_allow: "127.0.0.0/8".parse().expect("a network"),
            ..Settings::default()
        };
        let app = App::start(settings, Clock::system()).await.unwrap_or_else(|error| panic!("{error}"));
        let (engine, tasks) = (app.engine().clone(), app.tasks().clone());
        Self { engine, tasks, running: tokio::spawn(app.run()) }
    }

    async fn stop(self) {
        self.tasks.stop();
        self.running.await.expect("it stops");
    }
}

fn approving(row: &CheckpointRow) -> DecideCheckpoint {
    DecideCheckpoint {
        checkpoint: row.id,
        digest: row.digest.clone(),
        verdict: Verdict::Approve,
        comment: None,
        modified_parameters: None,
        items: None,
        answers: None,
    }
}

struct Bench {
    engine: Engine,
    scope: Scope,
    approver: Scope,
    workflow: WorkflowId,
    calls: Calls,
}

impl Bench {
    async fn prepare(engine: Engine, url: &str, calls: Calls) -> Self {
        let workspace = CreateWorkspace { slug: "bench".to_owned(), name: "Bench".to_owned() };
        let workspace = engine.create_workspace(workspace).await.expect("a workspace").id;
        let (scope, origin) = (Scope::system(workspace), Origin::default());
        let fields = AgentFields {
            config: Some(json!({ "url": url })),
            risk_level: Some(Some(RiskLevel::High)),
            ..AgentFields::default()
        };
        let agent = CreateAgent { name: "Pay".to_owned(), kind: Kind::Http, fields, idempotency_key: None };
        engine.create_agent(scope, agent, &origin).await.expect("an agent");
        let definition = json!({"name": "Pay", "steps": [{"key": "pay", "agent": "Pay"}]});
        let command =
            CreateWorkflow { document: Document::Definition(definition), draft: false, idempotency_key: None };
        let workflow = match engine.create_workflow(scope, command, &origin).await.expect("an answer") {
            SavedWorkflow::Saved { workflow, .. } => workflow.id,
            SavedWorkflow::Invalid(problems) => panic!("{problems:?}"),
        };
        let command = InviteUser {
            email: "ada@example.com".to_owned(),
            display_name: None,
            roles: Roles::from(Role::Approver),
            idempotency_key: None,
        };
        let user = engine.invite_user(scope, command, &origin).await.expect("a person").user.id;
        Self { engine, scope, approver: Scope::as_user(workspace, user), workflow, calls }
    }

    async fn start_one(&self) -> ExecutionId {
        let command = StartExecution {
            workflow: self.workflow,
            version: None,
            input: Json::from_value(&json!({"text": "x".repeat(1_000)})).expect("a value"),
            mode: Mode::Live,
            correlation_id: None,
            idempotency_key: None,
        };
        self.engine.start_execution(self.scope, command).await.expect("an execution").id
    }

    /// The checkpoint at which an execution waits.
    async fn waiting(&self, id: ExecutionId) -> CheckpointRow {
        let mut head = self.engine.store().journal_head();
        loop {
            head.borrow_and_update();
            let found = self.engine.store().checkpoints_of(self.scope, &[id]).await.expect("rows").remove(&id);
            if let Some(row) = found.and_then(|rows| rows.into_iter().next()) {
                return row;
            }
            head.changed().await.expect("the store lives");
        }
    }

    async fn park(&self, count: usize) {
        let park = |_| async {
            let id = self.start_one().await;
            self.waiting(id).await;
        };
        stream::iter(0..count).for_each_concurrent(64, park).await;
    }

    /// From before an approval to the call of the step that it lets through, in the middle.
    async fn approvals(&self, count: usize) -> Duration {
        let filter = Filter { statuses: vec![Status::Pending], ..Filter::default() };
        let mut times = Vec::new();
        while times.len() < count {
            let page = Page::first(100);
            let slice = self.engine.store().checkpoints(self.scope, &filter, Sort::Age, false, &page).await;
            for (_, row) in slice.expect("a page").rows {
                let began = Instant::now();
                self.engine
                    .decide_checkpoint(self.approver, approving(&row), &Origin::default())
                    .await
                    .expect("approved");
                let at = loop {
                    let at = self.calls.lock().expect("not poisoned").get(&row.execution.to_string()).copied();
                    match at {
                        Some(at) => break at,
                        None => tokio::task::yield_now().await,
                    }
                };
                times.push(at - began);
            }
        }
        median(times)
    }

    /// Which checkpoints the approver sees, found out as the API does.
    async fn mine(&self) -> Filter {
        let found = self.engine.store().audiences(self.scope).await.expect("audiences");
        let audiences = Some(found.into_iter().map(|audience| audience.name).collect());
        Filter { statuses: vec![Status::Pending], audiences, ..Filter::default() }
    }

    async fn list(&self, sort: Sort) -> Duration {
        let mut times = Vec::new();
        for _ in 0..50 {
            let began = Instant::now();
            let filter = self.mine().await;
            let page = self.engine.store().checkpoints(self.scope, &filter, sort, false, &Page::first(50)).await;
            assert_eq!(page.expect("a page").rows.len(), 50);
            times.push(began.elapsed());
        }
        median(times)
    }

    async fn count(&self) -> Duration {
        let mut times = Vec::new();
        for _ in 0..20 {
            let began = Instant::now();
            let filter = self.mine().await;
            assert!(self.engine.store().count_checkpoints(self.scope, &filter).await.expect("a count") > 0);
            times.push(began.elapsed());
        }
        median(times)
    }

    async fn some_waiting(&self) -> CheckpointRow {
        let filter = Filter { statuses: vec![Status::Pending], ..Filter::default() };
        let page = Page::first(1);
        let slice = self.engine.store().checkpoints(self.scope, &filter, Sort::Age, true, &page).await;
        slice.expect("a page").rows.remove(0).1
    }
}

/// Bytes of this process in memory.
fn memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: f64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    pages * 4096.0
}
