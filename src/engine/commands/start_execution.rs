//! A new run of a workflow.

use std::sync::Arc;

use serde_json::json;

use super::{
    first_events::{FirstEvents, Written},
    idempotent::{Creation, key_reused},
};
use crate::{
    domain::{
        access::Scope,
        execution::{Event, Kept, Mode, Origin, Queued},
        id::{ExecutionId, WorkflowId},
        json::Json,
        name,
        refusal::{Code, Refusal},
        schema::Schema,
        workflow::{Plan, Values, with_defaults},
    },
    engine::{
        Engine, Error, Result,
        execution::{Loaded, Packed, policy_changed, values},
    },
    store::{
        executions::Execution,
        idempotency::{Known, Request},
        journal::Owner,
        workflows::Workflow,
    },
};

#[derive(Debug, Clone)]
pub struct StartExecution {
    pub workflow: WorkflowId,
    /// The newest one when absent.
    pub version: Option<i32>,
    pub input: Json,
    pub mode: Mode,
    pub correlation_id: Option<String>,
    pub idempotency_key: Option<String>,
}

/// How a new execution begins, once everything about it has been checked.
pub(super) struct Beginning {
    pub workflow: WorkflowId,
    pub version: i32,
    pub plan: Arc<Plan>,
    pub mode: Mode,
    /// With the workflow's defaults.
    pub input: Json,
    pub correlation_id: Option<String>,
    pub origin: Option<Origin>,
    pub root: Option<uuid::Uuid>,
    pub kept: Vec<Kept>,
    /// The outputs behind `kept`, by step.
    pub outputs: Vec<Option<Json>>,
    pub creation: Option<Request>,
}

impl Engine {
    pub async fn start_execution(&self, scope: Scope, command: StartExecution) -> Result<Execution> {
        self.permit_workflow(scope, "workflowId", command.workflow).await?;
        let content = json!([
            command.workflow.to_string(),
            command.version,
            command.input.text(),
            command.mode.as_str(),
            command.correlation_id
        ]);
        let creation = Creation::new(scope, "startExecution", command.idempotency_key.as_deref(), content.to_string())?;
        if let Some(made) = self.made_before(scope, &creation).await? {
            return Ok(made);
        }
        let workflow = self.workflow_to_start(scope, command.workflow).await?;
        if workflow.archived_at.is_some() {
            let message = format!("the workflow `{}` is archived: take it out of the archive first", workflow.name);
            return Err(Refusal::at("workflowId", Code::Conflict, message).into());
        }
        let Some(newest) = workflow.latest_version else {
            let message = format!("the workflow `{}` has only a draft: save a valid version first", workflow.name);
            return Err(Refusal::at("workflowId", Code::Conflict, message).into());
        };
        let version = command.version.unwrap_or(newest);
        if !(1..=newest).contains(&version) {
            let message = format!("the workflow has no version {version}: its versions are 1 to {newest}");
            return Err(Refusal::at("version", Code::NotFound, message).into());
        }
        let correlation_id = check_correlation(command.correlation_id.as_deref())?;
        let plan = self.plan(scope, workflow.id, version).await?;
        let input = self.check_execution_input(&plan, &command.input).await?;
        self.check_agents(scope, &plan).await.map_err(|error| error.at("workflowId"))?;
        let outputs = vec![None; plan.definition().steps.len()];
        self.begin_execution(
            scope,
            Beginning {
                workflow: workflow.id,
                version,
                plan,
                mode: command.mode,
                input,
                correlation_id,
                origin: None,
                root: None,
                kept: Vec::new(),
                outputs,
                creation: creation.into_request(),
            },
        )
        .await
    }

    async fn workflow_to_start(&self, scope: Scope, id: WorkflowId) -> Result<Workflow> {
        let (remembered, key) = (&self.executions().workflows, (scope.workspace(), id));
        let changes = self.store().changes();
        if let Some(workflow) = remembered.get(&key, changes) {
            return Ok(workflow);
        }
        let workflow = self.store().workflow(scope, id).await?.ok_or_else(|| unknown_workflow(id))?;
        remembered.put(key, workflow.clone(), changes);
        Ok(workflow)
    }

    /// The execution that an earlier try made, whatever has become of its workflow and agents since.
    pub(super) async fn made_before(&self, scope: Scope, creation: &Creation) -> Result<Option<Execution>> {
        let Some(request) = creation.request() else { return Ok(None) };
        match self.store().recall(request).await? {
            Known::New => Ok(None),
            Known::Made(subject) => Ok(Some(self.made_execution(scope, &subject).await?)),
            Known::Mismatch => Err(key_reused(&request.key).into()),
        }
    }

    async fn made_execution(&self, scope: Scope, subject: &str) -> Result<Execution> {
        let made: ExecutionId = subject.parse().map_err(|error| Error::Internal(format!("{error}")))?;
        let found = self.store().execution(scope, made).await?;
        found.ok_or_else(|| Error::Internal(format!("{made} is not there after it was made")))
    }

    /// Fills in the defaults and checks an input against the workflow's schema and the bounds of values.
    pub(super) async fn check_execution_input(&self, plan: &Plan, input: &Json) -> Result<Json> {
        let refuse = |message: String| Error::from(Refusal::invalid("input", message));
        if !input.is_object() {
            let shown: String = input.text().chars().take(64).collect();
            return Err(refuse(format!("`input` must be an object, not `{shown}`")));
        }
        let most = self.settings().max_value_bytes;
        let input = with_defaults(&plan.definition().defaults, input);
        if input.size() > most {
            return Err(refuse(format!("`input` has {} bytes: at most {most} are allowed", input.size())));
        }
        if let Some(schema) = &plan.definition().input_schema {
            let schema = Schema::compile(schema).map_err(Error::Internal)?;
            if let Err(violations) = values::check(&schema, &input).await? {
                let refusals = violations.iter().map(|violation| {
                    let explained = values::explain(violation);
                    Refusal::invalid("input", format!("`input` does not fit the workflow's schema: {explained}"))
                });
                return Err(Error::Refused(refusals.collect()));
            }
        }
        Ok(input)
    }

    /// Every agent of the plan must be there and not archived: better now than half-way.
    pub(super) async fn check_agents(&self, scope: Scope, plan: &Plan) -> Result<()> {
        self.permit_plan(scope, plan).await?;
        let names = plan.definition().steps.iter().map(|step| step.agent.as_str());
        let agents = self.newest_agents(scope, names.clone()).await?;
        let mut problems = crate::engine::error::Problems::default();
        for name in names.collect::<std::collections::BTreeSet<_>>() {
            match agents.get(name) {
                None => problems.note(Refusal::new(Code::NotFound, format!("there is no agent named `{name}`"))),
                Some(agent) if agent.archived => {
                    problems.note(Refusal::new(Code::Conflict, format!("the agent `{name}` is archived")));
                }
                Some(_) => {}
            }
        }
        problems.check()
    }

    /// Writes how an execution begins. One that cannot begin at once waits for whoever gives out places.
    pub(super) async fn begin_execution(&self, scope: Scope, beginning: Beginning) -> Result<Execution> {
        let now = self.clock().now();
        let owner = Owner { execution: ExecutionId::new(now), workspace: scope.workspace(), actor: scope.actor() };
        let packed = Packed::new(beginning.input).await;
        let warning = packed.warning(None);
        let queued = Event::Queued(Box::new(Queued {
            workflow: beginning.workflow.0,
            version: beginning.version,
            steps: beginning.plan.definition().steps.len(),
            mode: beginning.mode,
            input: packed.data,
            correlation_id: beginning.correlation_id,
            origin: beginning.origin,
            root: beginning.root,
            kept: beginning.kept,
        }));
        let values = Values { input: packed.json, outputs: beginning.outputs };
        let loaded = Loaded::begin(owner, &queued, beginning.plan, values, now)
            .ok_or_else(|| Error::Internal("an execution that does not begin".to_owned()))?;
        let first = FirstEvents {
            loaded,
            events: std::iter::once(queued).chain(warning).collect(),
            by_server_from: None,
            payloads: packed.payload.into_iter().collect(),
            epoch: None,
            creation: beginning.creation,
        };
        if let Some(begun) = self.begin_at_once(&first.loaded, now).await? {
            let events = [first.events.as_slice(), begun.events.as_slice()].concat();
            let payloads = [first.payloads.as_slice(), begun.payloads.as_slice()].concat();
            let with_steps = FirstEvents {
                loaded: begun.loaded,
                events,
                by_server_from: Some(first.events.len()),
                payloads,
                epoch: begun.epoch,
                creation: first.creation.clone(),
            };
            let (begun, mut places) = (begun.events, begun.places);
            let act = move |engine: &Engine, loaded: &Arc<Loaded>| engine.act(loaded, &begun, &mut places, None);
            match self.write_first_events(with_steps, now, act).await? {
                Written::Now(execution) => return Ok(*execution),
                Written::Before(made) => return self.made_execution(scope, &made).await,
                Written::PolicyChanged => {}
            }
        }
        let queue = move |engine: &Engine, _: &Arc<Loaded>| {
            engine.executions().queue.put(owner.execution, engine.executions().places.free());
            engine.executions().places.freed.notify_one();
        };
        match self.write_first_events(first, now, queue).await? {
            Written::Now(execution) => Ok(*execution),
            Written::Before(made) => self.made_execution(scope, &made).await,
            Written::PolicyChanged => Err(policy_changed()),
        }
    }
}

pub(super) fn unknown_workflow(id: WorkflowId) -> Error {
    Refusal::at("workflowId", Code::NotFound, format!("there is no workflow `{id}` in this workspace")).into()
}

fn check_correlation(text: Option<&str>) -> Result<Option<String>> {
    Ok(text.map(|text| name::check("correlationId", text, 200)).transpose()?)
}
