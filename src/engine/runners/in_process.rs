//! Steps that this process does itself: from the place that was taken to the result in the journal.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use rand::RngExt;
use tokio_util::sync::CancellationToken;

use crate::{
    domain::{
        agent::{self, Config},
        execution::{Command, Failure, FailureCode, StepStatus, Usage, Wish, Work, late_step, time_left},
        id::AgentId,
        json::Json,
        schema::Schema,
        workflow::{Computed, DEFAULT_STEP_TIMEOUT},
    },
    engine::{
        Engine, Error, Result,
        compute::compute_for_step,
        deliverables::Kept,
        execution::{Alive, Change, Driving, Loaded, Packed, Place, values},
        runners::http::Call,
    },
};

const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Starts to work on a step that has been journaled as started here.
pub fn spawn(engine: &Engine, driving: &Driving, loaded: Arc<Loaded>, step: usize, place: Place) {
    let alive = driving.running.begin(loaded.owner.execution, step, loaded.state.seq);
    let work = run(engine.clone(), Work::Server(driving.server.id), loaded, step, place, alive);
    driving.tasks.spawn(work);
}

async fn run(engine: Engine, work: Work, loaded: Arc<Loaded>, step: usize, place: Place, alive: Alive) {
    let (id, token) = (loaded.owner.execution, &alive.unwanted);
    let outcome = tokio::select! {
        () = token.cancelled() => return,
        late = late(&engine, &loaded, step) => match late {
            Some(failure) => Err(failure),
            // The whole execution took too long and has ended.
            None => return,
        },
        outcome = work_on(&engine, &loaded, step) => match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::error!(execution = %id, step, error = error.explain(), "a step cannot be worked on");
                Err(Failure::passing(FailureCode::Internal, "internal error: the server's log says more"))
            }
        },
    };
    // What comes next may use the place.
    drop(place);
    match outcome {
        Ok(output) => {
            let Some(kept) = keep(&engine, &loaded, step, token, &output).await else { return };
            let packed = Packed::new(output).await;
            report(&engine, id, token, || {
                let command = Command::CompleteStep {
                    step,
                    work: work.clone(),
                    output: packed.data.clone(),
                    usage: Usage::default(),
                    confidence: None,
                    reasoning: None,
                };
                Change { output: Some((step, packed.clone())), kept: kept.clone(), ..Change::by_server(command) }
            })
            .await;
        }
        Err(failure) => {
            report(&engine, id, token, || {
                let (failure, chance) = (failure.clone(), rand::rng().random());
                let command = Command::FailStep { step, work: work.clone(), failure, usage: Usage::default(), chance };
                Change::by_server(command)
            })
            .await;
        }
    }
}

/// Waits until the step has taken as long as it may, and gives its failure. If the execution's time is up first, ends
/// the execution and gives nothing. Pauses are noticed when the time would have been up.
async fn late(engine: &Engine, loaded: &Arc<Loaded>, step: usize) -> Option<Failure> {
    let (id, definition) = (loaded.owner.execution, loaded.plan.definition());
    let timeout = definition.steps.get(step).map_or(DEFAULT_STEP_TIMEOUT, |step| step.timeout);
    let mut latest = Arc::clone(loaded);
    loop {
        let now = engine.clock().now();
        let Some((left, whole)) = time_left(&latest.state, definition, step, now) else {
            return std::future::pending().await;
        };
        if left > TimeDelta::zero() {
            engine.clock().sleep_until(now + left).await;
        } else if !whole {
            return Some(late_step(timeout));
        } else {
            match engine.change(id, Change::by_server(Command::TimeOut)).await {
                Ok(after) if after.state.status.is_terminal() => return None,
                // Somebody paused or ended it meanwhile; whoever ended it tells this work.
                Ok(_) | Err(Error::Refused(_)) => {}
                Err(error) => {
                    tracing::warn!(execution = %id, error = error.explain(), "cannot end an execution; trying again");
                }
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
        match engine.load_execution(id).await {
            Ok(Some(loaded)) => latest = loaded,
            Ok(None) | Err(_) => tokio::time::sleep(TRY_AGAIN).await,
        }
    }
}

/// Prepares what is kept of an output, until the storage takes it; nothing if nobody wants it any more.
async fn keep(engine: &Engine, loaded: &Loaded, step: usize, token: &CancellationToken, output: &Json) -> Option<Kept> {
    while !token.is_cancelled() {
        match engine.keep_outputs(loaded, step, output).await {
            Ok(kept) => return Some(kept),
            Err(error) => {
                let id = loaded.owner.execution;
                tracing::warn!(execution = %id, error = error.explain(), "cannot keep an output; trying again");
                tokio::time::sleep(TRY_AGAIN).await;
            }
        }
    }
    None
}

/// Writes a result. It is kept until the database takes it or nobody wants it any more.
async fn report(
    engine: &Engine,
    id: crate::domain::id::ExecutionId,
    token: &CancellationToken,
    change: impl Fn() -> Change,
) {
    while !token.is_cancelled() {
        match engine.change(id, change()).await {
            // Refused: somebody cancelled the execution, or took the step over.
            Ok(_) | Err(Error::Refused(_)) => return,
            Err(error) => {
                tracing::warn!(execution = %id, error = error.explain(), "cannot write a result; trying again");
                tokio::time::sleep(TRY_AGAIN).await;
            }
        }
    }
}

/// The step's output, or why there is none. The outer error is our own fault.
async fn work_on(engine: &Engine, loaded: &Loaded, step: usize) -> Result<std::result::Result<Json, Failure>> {
    let Some(state) = loaded.state.steps.get(step).filter(|state| state.status == StepStatus::Running) else {
        return Err(Error::Internal("the step is not running".to_owned()));
    };
    let (agent, version) = state.agent.unwrap_or_default();
    let scope = loaded.scope();
    let Some(agent) = engine.prepared_agent(scope, AgentId(agent), version).await? else {
        return Ok(Err(Failure::fatal(FailureCode::Agent, "the agent is gone from the library")));
    };
    let input = match engine.step_input(loaded, step, &agent).await? {
        Ok(input) => input,
        Err(failure) => return Ok(Err(failure)),
    };
    let output = match &agent.spec.config {
        Config::Http(http) => engine.call_http(loaded, step, http, &input).await?,
        Config::Transform(_) => transform(&agent, input).await,
        Config::Worker(_) => Err(Failure::fatal(FailureCode::Agent, "the agent's work is done by workers")),
    };
    let output = match output {
        Ok(output) => output,
        Err(failure) => return Ok(Err(failure)),
    };
    let failure = engine.check_output(loaded, step, &agent, &output).await?;
    Ok(failure.map_or(Ok(output), Err))
}

async fn transform(agent: &Arc<crate::engine::execution::Prepared>, input: Json) -> std::result::Result<Json, Failure> {
    let agent = Arc::clone(agent);
    let compute = move || match &agent.transform {
        Some(transform) => {
            transform.run(&input).map_err(|error| Failure::fatal(FailureCode::Expression, error.to_string()))
        }
        None => Err(Failure::fatal(FailureCode::Agent, "the agent has nothing to compute")),
    };
    let crashed = || Failure::fatal(FailureCode::Internal, "internal error: the computation broke off");
    // A thread of its own: a computation over a long list must not keep anybody else waiting.
    compute_for_step(compute).await.unwrap_or_else(|_| Err(crashed()))
}

impl Engine {
    async fn call_http(
        &self,
        loaded: &Loaded,
        step: usize,
        http: &agent::Http,
        input: &Json,
    ) -> Result<std::result::Result<Json, Failure>> {
        let described = loaded.plan.definition().steps.get(step);
        let agent = described.map_or("", |step| step.agent.as_str());
        let secrets = self.secrets_for(loaded.owner.workspace, agent, http).await?;
        let call = Call {
            input,
            idempotency_key: &idempotency_key(loaded, step),
            execution: loaded.owner.execution,
            step: described.map_or("", |step| step.key.as_str()),
            secrets: &secrets,
            // Whoever waits for this gives it up in time, and knows of pauses.
            timeout: Duration::MAX,
        };
        Ok(self.http().run(http, call).await)
    }

    /// The whole input of a step that has begun, or why its agent cannot work with it.
    pub(crate) async fn step_input(
        &self,
        loaded: &Loaded,
        step: usize,
        agent: &crate::engine::execution::Prepared,
    ) -> Result<std::result::Result<Json, Failure>> {
        let state = loaded.state.steps.get(step);
        let approved = state.and_then(|state| state.approved.as_ref()?.runs.as_ref());
        if let Some(runs) = approved.filter(|runs| runs.specification != agent.digest) {
            let message = format!(
                "version {} of the agent `{}` is not what was approved: its specification was changed in the database",
                runs.version, runs.name
            );
            return Ok(Err(Failure::fatal(FailureCode::Agent, message)));
        }
        let input = match self.prepared_input(loaded, step).await? {
            Ok(input) => input,
            Err(failure) => return Ok(Err(failure)),
        };
        if let Some(schema) = &agent.input_schema
            && let Err(violations) = values::check_of_step(schema, &input).await?
        {
            return Ok(Err(values::mismatch(FailureCode::BadInput, "input", &violations)));
        }
        // What people want otherwise is not the workflow's, so it need not fit the agent's schema.
        match state.and_then(|state| state.wish.as_ref()) {
            Some(wish) => Ok(Ok(self.with_wish(loaded, &input, wish).await?)),
            None => Ok(Ok(input)),
        }
    }

    /// What was approved, exactly; or what the workflow gives a step that nobody was asked about.
    async fn prepared_input(&self, loaded: &Loaded, step: usize) -> Result<std::result::Result<Json, Failure>> {
        let state = loaded.state.steps.get(step);
        let workspace = loaded.owner.workspace;
        if let Some(approved) = state.and_then(|state| state.approved.as_ref()) {
            return Ok(Ok(self.value(workspace, &approved.input).await?));
        }
        let computed = match state.and_then(|state| state.computed.as_ref()) {
            Some(data) => self.value(workspace, data).await?,
            None => Json::object([]),
        };
        let input = loaded.plan.input(step, &Computed::from_json(&computed), &loaded.values);
        Ok(input.map_err(|error| Failure::fatal(FailureCode::Expression, error.to_string())))
    }

    /// An input with what people want otherwise in a field `revision`.
    async fn with_wish(&self, loaded: &Loaded, input: &Json, wish: &Wish) -> Result<Json> {
        let rejected = self.value(loaded.owner.workspace, &wish.parameters).await?;
        let reason = serde_json::Value::from(wish.reason.as_str());
        let reason = Json::from_value(&reason).map_err(|error| Error::Internal(error.to_string()))?;
        let revision = Json::object([("reason", reason.raw()), ("rejected", rejected.raw())]);
        let revision = Json::object([("revision", revision.raw())]);
        Ok(Json::merged([input, &revision]))
    }

    /// What is wrong with a step's output, if anything is.
    pub(crate) async fn check_output(
        &self,
        loaded: &Loaded,
        step: usize,
        agent: &crate::engine::execution::Prepared,
        output: &Json,
    ) -> Result<Option<Failure>> {
        let most = self.settings().max_value_bytes;
        if output.size() > most {
            return Ok(Some(values::too_large("output", output.size(), most)));
        }
        let described = loaded.plan.definition().steps.get(step).and_then(|step| step.output_schema.as_ref());
        let own = described.map(Schema::compile).transpose().map_err(Error::Internal)?;
        let Some(schema) = own.as_ref().or(agent.output_schema.as_ref()) else { return Ok(None) };
        let checked = values::check_of_step(schema, output).await?;
        Ok(checked.err().map(|all| values::mismatch(FailureCode::BadOutput, "output", &all)))
    }
}

/// The key under which the other side may recognise a repeated attempt.
pub fn idempotency_key(loaded: &Loaded, step: usize) -> String {
    let attempt = loaded.state.steps.get(step).map_or(0, |step| step.attempt);
    let key = loaded.plan.definition().steps.get(step).map_or("", |step| step.key.as_str());
    format!("{}:{key}:{attempt}", loaded.owner.execution)
}
