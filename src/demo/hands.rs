//! What a worker does with a task in its hands, through the commands that every worker has.

use serde_json::{Value, json};

use super::work::{Asks, Content, End, File, Wish};
use crate::{
    domain::{
        access::Scope,
        checkpoint::Status,
        execution::{LogLevel, Usage},
        id::{CheckpointId, ExecutionId},
        json::Json,
    },
    engine::{
        Engine, Error, Origin, Result,
        commands::{
            AddDeliverableVersion, Asking, CompleteTask, CreateDeliverable, FailTask, Given, Handed, HeartbeatTask,
            Home, Lease, RequestApproval, RequestClarification, Settle,
        },
    },
    store::checkpoints::CheckpointRow,
};

pub const LEASE_SECONDS: i32 = 30;

pub fn json_of(value: &Value) -> Result<Json> {
    Json::from_value(value).map_err(|error| Error::Internal(format!("the demo's values cannot be kept: {error}")))
}

/// Says that it is still at it. Tells whether anybody still wants the result.
pub async fn report(
    engine: &Engine,
    scope: Scope,
    lease: &Lease,
    progress: Option<f64>,
    line: Option<&str>,
) -> Result<bool> {
    let log = line.map(|line| (LogLevel::Info, line.to_owned()));
    let command = HeartbeatTask { lease: lease.clone(), lease_seconds: LEASE_SECONDS, progress, log };
    Ok(!engine.heartbeat_task(scope, command).await?.cancelled)
}

/// Asks people in the middle of a task. Asking again, after a restart, finds what was asked before.
pub async fn ask(engine: &Engine, scope: Scope, lease: &Lease, asks: &Asks) -> Result<CheckpointRow> {
    let asking = Asking { lease: Some(lease.clone()), key: Some("ask".to_owned()), ..Asking::default() };
    put(engine, scope, asking, asks).await
}

/// Asks people without a task.
pub async fn ask_alone(engine: &Engine, scope: Scope, correlation: &str, asks: &Asks) -> Result<CheckpointRow> {
    let asking = Asking { correlation_id: Some(correlation.to_owned()), ..Asking::default() };
    put(engine, scope, asking, asks).await
}

async fn put(engine: &Engine, scope: Scope, asking: Asking, asks: &Asks) -> Result<CheckpointRow> {
    match asks {
        Asks::Approval(wish) => engine.request_approval(scope, request(wish, asking)?).await,
        Asks::Questions { description, questions, supporting_data } => {
            let question = |(id, text, schema): &(&'static str, String, Value)| {
                Ok((Some((*id).to_owned()), text.clone(), Some(json_of(schema)?)))
            };
            let command = RequestClarification {
                asking,
                description: Some(description.clone()),
                questions: questions.iter().map(question).collect::<Result<_>>()?,
                supporting_data: Some(json_of(supporting_data)?),
            };
            engine.request_clarification(scope, command).await
        }
    }
}

pub fn request(wish: &Wish, asking: Asking) -> Result<RequestApproval> {
    Ok(RequestApproval {
        asking,
        operation_type: wish.operation_type.to_owned(),
        description: wish.description.clone(),
        parameters: json_of(&wish.parameters)?,
        risk_level: wish.risk_level,
        reasoning: Some(wish.reasoning.clone()),
        confidence: Some(wish.confidence),
        estimated_cost: wish.cost_micros,
        supporting_data: Some(json_of(&wish.supporting_data)?),
        alternatives: wish.alternatives.clone(),
        items: None,
    })
}

/// What people said: whether it may be done, and with what, or their answers.
pub async fn answer(engine: &Engine, scope: Scope, execution: ExecutionId, id: CheckpointId) -> Result<Value> {
    let inspected = engine.inspect_executions(scope, &[execution]).await?;
    let found = inspected.get(&execution).and_then(|inspected| inspected.state.checkpoint(id.0));
    let Some((checkpoint, current)) = found.and_then(|found| Some((found, found.current()?))) else {
        return Ok(Value::Null);
    };
    let status = checkpoint.status.as_str();
    if !matches!(checkpoint.status, Status::Approved | Status::AutoApproved) {
        return Ok(json!({"status": status, "reason": checkpoint.reason}));
    }
    let answers = checkpoint.decisions.iter().rev().find_map(|decision| decision.made.answers.as_ref());
    let said = engine.value(scope.workspace(), answers.unwrap_or(&current.proposal.parameters)).await?;
    Ok(json!({"status": status, "said": said.to_value()}))
}

/// Hands in what a task leaves behind.
pub async fn hand_in(engine: &Engine, scope: Scope, lease: &Lease, files: Vec<File>) -> Result<()> {
    let origin = Origin::default();
    for file in files {
        let File { name, description, r#type, mime_type, versions, is_final } = file;
        let mut handed = None;
        for content in versions {
            let given = match content {
                Content::Bytes(bytes) => Given::Body(bytes),
                Content::Link { url, metadata } => Given::External { url, metadata: Some(json_of(&metadata)?) },
            };
            let mime_type = mime_type.map(str::to_owned);
            let result = match handed {
                None => {
                    let command = CreateDeliverable {
                        home: Home::Task(lease.clone()),
                        name: name.to_owned(),
                        description: description.to_owned(),
                        r#type,
                        mime_type,
                        given,
                        idempotency_key: None,
                    };
                    engine.create_deliverable(scope, command, &origin).await?
                }
                Some(deliverable) => {
                    let command = AddDeliverableVersion { deliverable, base_version: None, mime_type, given };
                    engine.add_deliverable_version(scope, command, &origin).await?
                }
            };
            if let Handed::Deliverable(made) = result {
                handed = Some(made.id);
            }
        }
        if let Some(deliverable) = handed.filter(|_| is_final) {
            engine.settle_deliverable(scope, deliverable, Settle::Finalize { version: None }, &origin).await?;
        }
    }
    Ok(())
}

/// Hands in the result, with what people said meanwhile.
pub async fn finish(engine: &Engine, scope: Scope, lease: Lease, end: End, answer: Option<Value>) -> Result<()> {
    match end {
        End::Done { mut output, confidence, reasoning, usage } => {
            if let (Some(fields), Some(answer)) = (output.as_object_mut(), answer) {
                fields.insert("answer".to_owned(), answer);
            }
            let command = CompleteTask { lease, output: json_of(&output)?, usage, confidence, reasoning };
            engine.complete_task(scope, command).await?;
        }
        End::Failed { message, details, retryable } => {
            let usage = Usage { llm_calls: 0, tokens: 0, cost_micros: 0 };
            engine.fail_task(scope, FailTask { lease, message, stack: details, retryable, usage }).await?;
        }
    }
    Ok(())
}
