//! Agents that change while their steps run.

use chrono::TimeDelta;
use countersign::{
    domain::{agent::Kind, execution::CompletionReason, id::ExecutionId, refusal::Code},
    engine::{Origin, commands::AgentFields},
};
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal, starting},
};

fn calling(service: &Service) -> AgentFields {
    AgentFields { config: Some(service.config()), ..AgentFields::default() }
}

async fn versions(app: &TestApp, id: ExecutionId) -> Vec<i32> {
    let mut runs = app.engine.store().step_runs(app.scope(), &[id]).await.expect("steps");
    runs.remove(&id).unwrap_or_default().iter().filter_map(|run| Some(run.agent?.1)).collect()
}

#[tokio::test]
async fn a_started_step_keeps_its_version_and_the_next_one_gets_the_new() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (old, gate) = Service::gated().await;
    let new = Service::start(|_, _| (200, "{}".to_owned())).await;
    let agent = app.agent("Caller", Kind::Http, old.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = app.workflow(json!({"name": "Twice", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    old.wait_for_calls(1).await;
    app.update_agent(agent, 1, calling(&new)).await;
    gate.add_permits(1);
    app.ends(id, CompletionReason::Success).await;
    assert_eq!((old.calls().len(), new.calls().len()), (1, 1));
    assert_eq!(versions(&app, id).await, [1, 2]);
    app.assert_sound().await;
}

#[tokio::test]
async fn the_next_attempt_uses_the_mended_agent() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let broken = Service::start(|_, _| (500, "{}".to_owned())).await;
    let mended = Service::start(|_, _| (200, "{}".to_owned())).await;
    let agent = app.agent("Caller", Kind::Http, broken.config()).await;
    let workflow = app.workflow(json!({"name": "Mend", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.retried 0", 1).await;
    app.update_agent(agent, 1, calling(&mended)).await;
    app.clock.advance(TimeDelta::seconds(1));
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(mended.calls()[0].idempotency_key, format!("{id}:call:2"));
    assert_eq!(versions(&app, id).await, [2]);
    app.assert_sound().await;
}

#[tokio::test]
async fn an_archived_agent_finishes_what_began_and_nothing_new_begins() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    let agent = app.agent("Caller", Kind::Http, service.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = app.workflow(json!({"name": "Twice", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.engine.archive_agent(app.scope(), agent, &Origin::default()).await.expect("archived");
    let refused = refusal(app.engine.start_execution(app.scope(), starting(workflow, "{}")).await);
    assert_eq!((refused.code, refused.message.as_ref()), (Code::Conflict, "the agent `Caller` is archived"));
    gate.add_permits(2);
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(service.calls().len(), 2);
    let refused = refusal(app.engine.retry_execution(app.scope(), id, None).await);
    assert_eq!(refused.message, "the agent `Caller` is archived");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_waiting_task_keeps_the_version_it_was_made_for() {
    let app = TestApp::start(Database::Sqlite).await;
    let agent = app.agent("Worker", Kind::Worker, json!({"queue": "old"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    let fields = AgentFields { config: Some(json!({"queue": "new"})), ..AgentFields::default() };
    app.update_agent(agent, 1, fields).await;
    assert!(app.claim("new", 1).await.is_empty());
    let task = app.claim_next("old").await;
    app.complete(&task, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(versions(&app, id).await, [1]);
    app.assert_sound().await;
}
