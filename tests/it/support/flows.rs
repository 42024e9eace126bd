//! Agents, workflows and executions, made through the engine.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, response::IntoResponse, routing::any};
use countersign::{
    domain::{
        access::Scope,
        agent::Kind,
        execution::{Mode, Status},
        id::{ExecutionId, WorkflowId},
        json::Json,
    },
    engine::{
        Engine, Origin,
        commands::{AgentFields, CreateAgent, CreateWorkflow, Document, SavedWorkflow, StartExecution},
    },
    store::{executions::Execution, journal::Entry},
};
use serde_json::{Value, json};

use super::{PATIENCE, TestApp};

impl TestApp {
    /// Makes an agent.
    pub async fn agent(&self, name: &str, kind: Kind, config: Value) {
        self.agent_with(name, kind, AgentFields { config: Some(config), ..AgentFields::default() }).await;
    }

    pub async fn agent_with(&self, name: &str, kind: Kind, fields: AgentFields) {
        let command = CreateAgent { name: name.to_owned(), kind, fields, idempotency_key: None };
        self.engine.create_agent(self.scope(), command, &Origin::default()).await.expect("an agent");
    }

    /// Saves the first version of a workflow.
    pub async fn workflow(&self, definition: Value) -> WorkflowId {
        let command =
            CreateWorkflow { document: Document::Definition(definition), draft: false, idempotency_key: None };
        match self.engine.create_workflow(self.scope(), command, &Origin::default()).await.expect("an answer") {
            SavedWorkflow::Saved { workflow, .. } => workflow.id,
            SavedWorkflow::Invalid(problems) => panic!("{problems:#?}"),
        }
    }

    /// Starts an execution of the newest version.
    pub async fn start_execution(&self, workflow: WorkflowId, input: Value) -> ExecutionId {
        start(&self.engine, self.scope(), workflow, input).await
    }

    /// Waits until an execution is in a state, and gives it.
    pub async fn wait_for(&self, id: ExecutionId, status: Status) -> Execution {
        self.wait_until(id, &format!("{id} is {status}"), |execution| execution.status == status).await
    }

    /// Waits until an execution has ended.
    pub async fn wait_for_end(&self, id: ExecutionId) -> Execution {
        self.wait_until(id, &format!("{id} ends"), |execution| execution.status.is_terminal()).await
    }

    pub async fn wait_until(&self, id: ExecutionId, what: &str, done: impl Fn(&Execution) -> bool) -> Execution {
        let mut head = self.engine.store().journal_head();
        let mut last = None;
        let wait = async {
            loop {
                head.borrow_and_update();
                let found = self.engine.store().execution(self.scope(), id).await.expect("a lookup");
                let found = found.expect("the execution exists");
                if done(&found) {
                    return found;
                }
                last = Some(found);
                head.changed().await.expect("the store lives");
            }
        };
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(found) => found,
            Err(_) => panic!("waited in vain until {what}: {last:#?}"),
        }
    }

    /// The numbered events of an execution.
    pub async fn history(&self, id: ExecutionId) -> Vec<Entry> {
        self.engine.store().history(id).await.expect("a history")
    }

    /// The kinds of an execution's events, with their steps.
    pub async fn kinds(&self, id: ExecutionId) -> Vec<String> {
        let named = |entry: &Entry| {
            let step = entry.event.as_ref().ok().and_then(|event| event.step());
            step.map_or(entry.kind().to_owned(), |step| format!("{} {step}", entry.kind()))
        };
        self.history(id).await.iter().map(named).collect()
    }
}

pub async fn start(engine: &Engine, scope: Scope, workflow: WorkflowId, input: Value) -> ExecutionId {
    let command = StartExecution {
        workflow,
        version: None,
        input: Json::from_value(&input).expect("a value"),
        mode: Mode::Live,
        correlation_id: None,
        idempotency_key: None,
    };
    engine.start_execution(scope, command).await.expect("an execution").id
}

/// What an HTTP agent sent.
#[derive(Debug, Clone)]
pub struct Called {
    pub idempotency_key: String,
    pub execution: String,
    pub step: String,
    pub body: String,
}

type Answer = Arc<dyn Fn(&Called, usize) -> (u16, String) + Send + Sync>;

/// A program that HTTP agents call.
#[derive(Clone)]
pub struct Service {
    pub url: String,
    calls: Arc<std::sync::Mutex<Vec<Called>>>,
    count: Arc<AtomicUsize>,
    answer: Answer,
}

impl Service {
    /// Answers each call, counted from 0.
    pub async fn start(answer: impl Fn(&Called, usize) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let service = Self { url, calls: Arc::default(), count: Arc::default(), answer: Arc::new(answer) };
        let router = Router::new().route("/", any(called)).with_state(service.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
        service
    }

    pub fn calls(&self) -> Vec<Called> {
        self.calls.lock().expect("not poisoned").clone()
    }

    pub fn config(&self) -> Value {
        json!({"url": self.url})
    }
}

async fn called(State(service): State<Service>, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let call = Called {
        idempotency_key: header("idempotency-key"),
        execution: header("x-countersign-execution"),
        step: header("x-countersign-step"),
        body: String::from_utf8(body.to_vec()).expect("UTF-8"),
    };
    let number = service.count.fetch_add(1, Ordering::SeqCst);
    service.calls.lock().expect("not poisoned").push(call.clone());
    let (status, body) = (service.answer)(&call, number);
    (axum::http::StatusCode::from_u16(status).expect("a status"), [("content-type", "application/json")], body)
}
