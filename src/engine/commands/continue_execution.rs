//! New executions that continue others: the same again, on from the failure, or another way from a step on.

use std::{collections::HashSet, sync::Arc};

use serde_json::json;

use super::{idempotent::Creation, start_execution::Beginning};
use crate::{
    domain::{
        access::Scope,
        execution::{CompletionReason, Kept, Origin, OriginKind, StepStatus, Verb, permit},
        id::{ExecutionId, WorkflowId},
        json::Json,
        refusal::{Code, Refusal},
    },
    engine::{
        Engine, Error, Result,
        execution::{Loaded, unknown},
    },
    store::executions::Execution,
};

/// What a continuation keeps of its origin.
struct Continuation {
    kind: OriginKind,
    from_step: Option<String>,
    /// Positions of the steps whose outputs are used again.
    keep: HashSet<usize>,
    /// Replaces the origin's input.
    input: Option<Json>,
}

impl Engine {
    /// The same again, with the same input.
    pub async fn retry_execution(&self, scope: Scope, id: ExecutionId, key: Option<&str>) -> Result<Execution> {
        let origin = self.origin(scope, id, Verb::Retry).await?;
        let continuation = Continuation { kind: OriginKind::Retry, from_step: None, keep: HashSet::new(), input: None };
        self.continue_execution(scope, "retryExecution", &origin, continuation, key).await
    }

    /// Keeps the outputs of what succeeded and goes on from what failed.
    pub async fn resume_failed_execution(&self, scope: Scope, id: ExecutionId, key: Option<&str>) -> Result<Execution> {
        let origin = self.origin(scope, id, Verb::ResumeFailed).await?;
        let reason = origin.state.finish.as_ref().map(|finish| finish.reason);
        if reason == Some(CompletionReason::Success) {
            let message = "the execution is COMPLETED with SUCCESS: nothing failed from which it could be resumed";
            return Err(Refusal::at("executionId", Code::Conflict, message).into());
        }
        let done = |status: StepStatus| matches!(status, StepStatus::Completed | StepStatus::Skipped);
        let again = again(&origin, |position| !done(origin.state.steps[position].status));
        let keep = (0..origin.state.steps.len()).filter(|position| !again.contains(position)).collect();
        let first = origin.plan.graph().order().iter().find(|position| again.contains(position));
        let from_step = first.and_then(|position| key_of(&origin, *position));
        let continuation = Continuation { kind: OriginKind::Resume, from_step, keep, input: None };
        self.continue_execution(scope, "resumeFailedExecution", &origin, continuation, key).await
    }

    /// Runs anew from a step on, with the outputs of everything that does not depend on it.
    pub async fn fork_execution(
        &self,
        scope: Scope,
        id: ExecutionId,
        from_step: &str,
        input: Option<Json>,
        key: Option<&str>,
    ) -> Result<Execution> {
        let origin = self.origin(scope, id, Verb::Fork).await?;
        let steps = &origin.plan.definition().steps;
        let Some(from) = steps.iter().position(|step| step.key == from_step) else {
            let keys: Vec<&str> = steps.iter().map(|step| step.key.as_str()).collect();
            let shown: String = from_step.chars().take(64).collect();
            let message = format!("the workflow has no step `{shown}`: it has {}", keys.join(", "));
            return Err(Refusal::at("fromStep", Code::NotFound, message).into());
        };
        let done = |status: StepStatus| matches!(status, StepStatus::Completed | StepStatus::Skipped);
        let missing = origin.plan.graph().ancestors(from).into_iter().find(|at| !done(origin.state.steps[*at].status));
        if let Some(missing) = missing {
            let message = format!(
                "the step `{}` comes before `{from_step}` and is {}: fork from a step before which everything is done",
                key_of(&origin, missing).unwrap_or_default(),
                origin.state.steps[missing].status
            );
            return Err(Refusal::at("fromStep", Code::Conflict, message).into());
        }
        let again = again(&origin, |position| position == from || !done(origin.state.steps[position].status));
        let keep = (0..origin.state.steps.len()).filter(|position| !again.contains(position)).collect();
        let continuation = Continuation { kind: OriginKind::Fork, from_step: Some(from_step.to_owned()), keep, input };
        self.continue_execution(scope, "forkExecution", &origin, continuation, key).await
    }

    async fn origin(&self, scope: Scope, id: ExecutionId, verb: Verb) -> Result<Arc<Loaded>> {
        self.require_execution(scope, id).await?;
        self.permit_execution(scope, id).await?;
        let loaded = self.load_execution(id).await?.ok_or_else(|| unknown(id))?;
        if loaded.state.version == 0 {
            let message = "the execution is a request that stands alone, without steps: ask again instead";
            return Err(Refusal::at("executionId", Code::Conflict, message).into());
        }
        permit(loaded.state.status, verb).map_err(|refusal| Error::from(refusal).at("executionId"))?;
        Ok(loaded)
    }

    async fn continue_execution(
        &self,
        scope: Scope,
        mutation: &'static str,
        origin: &Loaded,
        continuation: Continuation,
        key: Option<&str>,
    ) -> Result<Execution> {
        let id = origin.owner.execution;
        let given = continuation.input.as_ref().map(Json::text);
        let content = json!([id.to_string(), continuation.from_step, given]).to_string();
        let creation = Creation::new(scope, mutation, key, content)?;
        if let Some(made) = self.made_before(scope, &creation).await? {
            return Ok(made);
        }
        let plan = Arc::clone(&origin.plan);
        self.check_agents(scope, &plan).await.map_err(|error| error.at("executionId"))?;
        let input = match continuation.input {
            Some(input) => self.check_execution_input(&plan, &input).await?,
            None => origin.values.input.clone(),
        };
        let steps = &origin.state.steps;
        let kept = steps.iter().enumerate().filter(|(position, _)| continuation.keep.contains(position));
        let kept = kept.map(|(step, state)| Kept { step, output: state.output.clone() }).collect();
        let outputs = origin
            .values
            .outputs
            .iter()
            .enumerate()
            .map(|(position, output)| output.clone().filter(|_| continuation.keep.contains(&position)));
        let beginning = Beginning {
            workflow: WorkflowId(origin.state.workflow),
            version: origin.state.version,
            plan,
            mode: origin.state.mode,
            input,
            correlation_id: origin.state.correlation_id.clone(),
            origin: Some(Origin { execution: id.0, kind: continuation.kind, from_step: continuation.from_step }),
            root: Some(origin.state.root.unwrap_or(id.0)),
            kept,
            outputs: outputs.collect(),
            creation: creation.into_request(),
        };
        self.begin_execution(scope, beginning).await
    }
}

fn key_of(loaded: &Loaded, position: usize) -> Option<String> {
    loaded.plan.definition().steps.get(position).map(|step| step.key.clone())
}

/// The steps that run anew: those that must, and everything that comes after them.
fn again(origin: &Loaded, must: impl Fn(usize) -> bool) -> HashSet<usize> {
    let graph = origin.plan.graph();
    let mut again: HashSet<usize> = HashSet::new();
    for position in graph.order().iter().copied() {
        if must(position) || graph.needs(position).iter().any(|need| again.contains(need)) {
            again.insert(position);
        }
    }
    again
}
