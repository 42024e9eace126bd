//! What the engine costs, beside what the bare database costs on the same disk in the same run.
//!
//! `cargo bench --bench engine` prints one table. Times on a busy machine mean little by themselves; the ratios do.
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the real clock")]
#![expect(clippy::panic, reason = "a benchmark that cannot run stops")]

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{Router, extract::State, http::HeaderMap, routing::post};
use countersign::{
    app::App,
    clock::Clock,
    config::{DatabaseUrl, Settings},
    domain::{access::Scope, agent::Kind, execution::Mode, id::ExecutionId, id::WorkflowId, json::Json},
    engine::{
        Engine, Origin,
        commands::{
            AgentFields, CreateAgent, CreateWorkflow, CreateWorkspace, Document, SavedWorkflow, StartExecution,
        },
    },
};
use futures_util::{StreamExt, stream};
use sea_orm::sqlx::{
    Connection, Executor, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use serde_json::{Value, json};

const STEPS: usize = 5;
const IN_FLIGHT: usize = 50;

fn main() {
    countersign::telemetry::install_crypto();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(run());
}

async fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let floor = floor(folder.path()).await;
    println!("{:<58}{floor:>12.0} /s", "bare SQLite, one durable commit a step");

    let bench = Bench::start(folder.path()).await;
    let sequence = bench.workflow("Sequence", "Echo", STEPS).await;
    let (steps, cpu) = bench.sequence(sequence, 4_000).await;
    println!("{:<58}{steps:>12.0} /s  {:.2} x floor", "steps, 50 executions of 5 at once", steps / floor);
    println!("{:<58}{:>12.3} s", "CPU for 1,000 steps", cpu * 1000.0);

    let calls = bench.workflow("Calls", "Call", 20).await;
    println!("{:<58}{:>12.2} ms", "a step's end to the next one's start, median", bench.gap(calls).await);
    bench.sequence(sequence, 100_000).await;
    println!("{:<58}{:>12.2} ms", "the same with 100,000 finished executions", bench.gap(calls).await);

    let before = memory();
    let began = Instant::now();
    let slow = bench.workflow("Slow", "Slow", 1).await;
    let ids = bench.start_many(slow, 11_000).await;
    let most = bench.wait_all(&ids).await;
    let took = began.elapsed().as_secs_f64();
    println!("{:<58}{took:>12.1} s", "11,000 executions of 100 ms, 1,000 at once");
    println!("{:<58}{:>12.1} MiB", "memory that they took at most", (most - before) / 1024.0 / 1024.0);
    bench.app_tasks.stop();
}

/// Durable commits a second, each of one row of about 1 KB.
async fn floor(folder: &std::path::Path) -> f64 {
    let options = SqliteConnectOptions::new()
        .filename(folder.join("floor.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("a database");
    connection.execute("CREATE TABLE step (id INTEGER PRIMARY KEY, data TEXT)").await.expect("a table");
    let data = "x".repeat(1_000);
    let (began, count) = (Instant::now(), 3_000);
    for _ in 0..count {
        let insert = sea_orm::sqlx::query("INSERT INTO step (data) VALUES (?)").bind(&data);
        insert.execute(&mut connection).await.expect("a row");
    }
    f64::from(count) / began.elapsed().as_secs_f64()
}

/// When calls came and were answered.
type Gaps = Arc<Mutex<Vec<(Instant, Instant)>>>;

async fn answer(State(gaps): State<Gaps>, headers: HeaderMap) -> String {
    let came = Instant::now();
    let slow = headers["x-countersign-step"].to_str().is_ok_and(|step| step.starts_with("slow"));
    if slow {
        tokio::time::sleep(Duration::from_millis(100)).await;
    } else {
        gaps.lock().expect("not poisoned").push((came, Instant::now()));
    }
    "{}".to_owned()
}

struct Bench {
    engine: Engine,
    scope: Scope,
    gaps: Gaps,
    app_tasks: countersign::tasks::Tasks,
}

impl Bench {
    async fn start(folder: &std::path::Path) -> Self {
        let gaps = Gaps::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let router = Router::new().route("/", post(answer)).with_state(gaps.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
        let settings = Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database_url: Some(DatabaseUrl::Sqlite(format!("{}/bench.db", folder.display()))),
            http_allow: "127.0.0.0/8".parse().expect("a network"),
            ..Settings::default()
        };
        let app = App::start(settings, Clock::system()).await.unwrap_or_else(|error| panic!("{error}"));
        let (engine, app_tasks) = (app.engine().clone(), app.tasks().clone());
        tokio::spawn(app.run());
        let workspace = CreateWorkspace { slug: "bench".to_owned(), name: "Bench".to_owned() };
        let scope = Scope::system(engine.create_workspace(workspace).await.expect("a workspace").id);
        let bench = Self { engine, scope, gaps, app_tasks };
        bench.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
        bench.agent("Call", Kind::Http, json!({ "url": url })).await;
        bench.agent("Slow", Kind::Http, json!({ "url": url })).await;
        bench
    }

    async fn agent(&self, name: &str, kind: Kind, config: Value) {
        let fields = AgentFields { config: Some(config), ..AgentFields::default() };
        let command = CreateAgent { name: name.to_owned(), kind, fields, idempotency_key: None };
        self.engine.create_agent(self.scope, command, &Origin::default()).await.expect("an agent");
    }

    async fn workflow(&self, name: &str, agent: &str, steps: usize) -> WorkflowId {
        let key = name.to_lowercase();
        let steps: Vec<Value> =
            (0..steps).map(|number| json!({"key": format!("{key}{number}"), "agent": agent})).collect();
        let definition = json!({"name": name, "steps": steps});
        let command =
            CreateWorkflow { document: Document::Definition(definition), draft: false, idempotency_key: None };
        match self.engine.create_workflow(self.scope, command, &Origin::default()).await.expect("an answer") {
            SavedWorkflow::Saved { workflow, .. } => workflow.id,
            SavedWorkflow::Invalid(problems) => panic!("{problems:?}"),
        }
    }

    async fn start_one(&self, workflow: WorkflowId) -> ExecutionId {
        let input = Json::from_value(&json!({"text": "x".repeat(1_000)})).expect("a value");
        let command = StartExecution {
            workflow,
            version: None,
            input,
            mode: Mode::Live,
            correlation_id: None,
            idempotency_key: None,
        };
        self.engine.start_execution(self.scope, command).await.expect("an execution").id
    }

    async fn start_many(&self, workflow: WorkflowId, count: usize) -> Vec<ExecutionId> {
        stream::iter(0..count).map(|_| self.start_one(workflow)).buffer_unordered(64).collect().await
    }

    /// Waits until all have ended, and gives the most memory seen meanwhile.
    async fn wait_all(&self, ids: &[ExecutionId]) -> f64 {
        let mut head = self.engine.store().journal_head();
        let mut most = memory();
        for chunk in ids.chunks(500) {
            loop {
                head.borrow_and_update();
                most = most.max(memory());
                let statuses = self.engine.store().statuses(chunk).await.expect("statuses");
                if statuses.iter().all(|(_, status)| status.is_terminal()) {
                    break;
                }
                head.changed().await.expect("the store lives");
            }
        }
        most
    }

    /// Steps a second, and CPU seconds a step.
    async fn sequence(&self, workflow: WorkflowId, executions: usize) -> (f64, f64) {
        let (began, cpu) = (Instant::now(), cpu());
        stream::iter(0..executions)
            .for_each_concurrent(IN_FLIGHT, |_| async {
                let id = self.start_one(workflow).await;
                self.wait_all(&[id]).await;
            })
            .await;
        let steps = (executions * STEPS) as f64;
        (steps / began.elapsed().as_secs_f64(), (self::cpu() - cpu) / steps)
    }

    /// Milliseconds from an answer to the next call, in the middle.
    async fn gap(&self, workflow: WorkflowId) -> f64 {
        let mut gaps = Vec::new();
        for _ in 0..20 {
            self.gaps.lock().expect("not poisoned").clear();
            let id = self.start_one(workflow).await;
            self.wait_all(&[id]).await;
            let calls = self.gaps.lock().expect("not poisoned").clone();
            gaps.extend(calls.windows(2).map(|pair| (pair[1].0 - pair[0].1).as_secs_f64() * 1000.0));
        }
        gaps.sort_by(f64::total_cmp);
        gaps[gaps.len() / 2]
    }
}

/// Bytes of this process in memory.
fn memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: f64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    pages * 4096.0
}

/// CPU seconds of this process.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = text.rsplit(") ").next().expect("fields").split(' ').collect();
    let ticks = |field: usize| fields[field].parse::<f64>().expect("a number");
    (ticks(11) + ticks(12)) / 100.0
}
