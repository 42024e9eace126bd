//! Agents, workflows and executions, made through the engine.

use countersign::{
    config::Settings,
    domain::{
        access::Scope,
        agent::Kind,
        execution::{CompletionReason, Event, Mode, Status, StepStatus},
        id::{AgentId, ExecutionId, WorkflowId},
        json::Json,
        refusal::Refusal,
    },
    engine::{
        Engine, Error, Origin,
        commands::{AgentFields, CreateAgent, CreateWorkflow, Document, SavedWorkflow, StartExecution, UpdateAgent},
    },
    store::{
        Range,
        executions::Execution,
        journal::{Entry, JournalFilter},
    },
};
use serde_json::Value;

use super::{PATIENCE, TestApp};

/// Lets HTTP agents call the test's own services.
pub fn allow_loopback(settings: &mut Settings) {
    settings.http_allow = "127.0.0.0/8".parse().expect("a network");
}

/// The same, and lets so many steps run at a time.
pub fn with_places(places: usize) -> impl Fn(&mut Settings) + Copy {
    move |settings| {
        allow_loopback(settings);
        settings.max_running_steps = places;
    }
}

/// The one thing that a command was refused for.
#[track_caller]
pub fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> Refusal {
    match result {
        Err(Error::Refused(mut refusals)) if refusals.len() == 1 => refusals.remove(0),
        other => panic!("one refusal, not {other:?}"),
    }
}

impl TestApp {
    /// Makes an agent.
    pub async fn agent(&self, name: &str, kind: Kind, config: Value) -> AgentId {
        self.agent_with(name, kind, AgentFields { config: Some(config), ..AgentFields::default() }).await
    }

    pub async fn agent_with(&self, name: &str, kind: Kind, fields: AgentFields) -> AgentId {
        self.agent_in(self.scope(), name, kind, fields).await
    }

    pub async fn agent_in(&self, scope: Scope, name: &str, kind: Kind, fields: AgentFields) -> AgentId {
        let command = CreateAgent { name: name.to_owned(), kind, fields, idempotency_key: None };
        self.engine.create_agent(scope, command, &Origin::default()).await.expect("an agent").id
    }

    /// Changes an agent, which makes its next version.
    pub async fn update_agent(&self, agent: AgentId, base_version: i32, fields: AgentFields) {
        let command = UpdateAgent { agent, base_version, fields };
        self.engine.update_agent(self.scope(), command, &Origin::default()).await.expect("an agent");
    }

    /// Saves the first version of a workflow.
    pub async fn workflow(&self, definition: Value) -> WorkflowId {
        self.workflow_in(self.scope(), definition).await
    }

    pub async fn workflow_in(&self, scope: Scope, definition: Value) -> WorkflowId {
        let command =
            CreateWorkflow { document: Document::Definition(definition), draft: false, idempotency_key: None };
        match self.engine.create_workflow(scope, command, &Origin::default()).await.expect("an answer") {
            SavedWorkflow::Saved { workflow, .. } => workflow.id,
            other => panic!("{other:#?}"),
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

    /// Waits until an execution's journal has an event so often, named as [`TestApp::kinds`] does.
    pub async fn wait_for_event(&self, id: ExecutionId, name: &str, times: usize) {
        let mut head = self.engine.store().journal_head();
        let wait = async {
            loop {
                head.borrow_and_update();
                if self.kinds(id).await.iter().filter(|kind| *kind == name).count() >= times {
                    return;
                }
                head.changed().await.expect("the store lives");
            }
        };
        if tokio::time::timeout(PATIENCE, wait).await.is_err() {
            panic!("waited in vain for `{name}`: {:#?}", self.history(id).await);
        }
    }

    /// Waits until an execution has ended, and expects how.
    #[track_caller]
    pub fn ends(&self, id: ExecutionId, reason: CompletionReason) -> impl Future<Output = Execution> {
        let caller = std::panic::Location::caller();
        async move {
            let execution = self.wait_for_end(id).await;
            let history = self.history(id).await;
            assert_eq!(execution.completion_reason, Some(reason), "{caller}: {history:#?}");
            execution
        }
    }

    /// Proves that all rows are what the journal says.
    pub async fn assert_sound(&self) {
        let report = self.engine.examine(false).await.expect("an examination");
        assert_eq!(report.problems, [""; 0]);
        assert_eq!(report.repaired, 0);
    }

    /// The states of an execution's steps that have begun or were passed over, in the order of the document.
    pub async fn steps(&self, id: ExecutionId) -> Vec<(usize, StepStatus)> {
        let mut runs = self.engine.store().step_runs(self.scope(), &[id]).await.expect("steps");
        runs.remove(&id).unwrap_or_default().iter().map(|run| (run.step, run.status)).collect()
    }

    /// The events of an execution in order.
    pub async fn events(&self, id: ExecutionId) -> Vec<Event> {
        let known = |entry: Entry| entry.event.expect("an event of this version");
        self.history(id).await.into_iter().map(known).collect()
    }

    /// Everything that the journal has of an execution, log lines and other comments included.
    pub async fn whole_journal(&self, id: ExecutionId) -> Vec<Entry> {
        let filter = JournalFilter { execution: Some(id), ..JournalFilter::default() };
        let range = Range { above: None, below: None, newest_first: false, limit: 10_000 };
        self.engine.store().journal(self.scope(), &filter, range).await.expect("a journal")
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
    let command = starting(workflow, &input.to_string());
    engine.start_execution(scope, command).await.expect("an execution").id
}

/// The command that starts the newest version with an input that is kept to the letter.
pub fn starting(workflow: WorkflowId, input: &str) -> StartExecution {
    StartExecution {
        workflow,
        version: None,
        input: Json::parse(input).expect("JSON"),
        mode: Mode::Live,
        correlation_id: None,
        idempotency_key: None,
    }
}
