//! Time in which an execution is paused does not count.

use chrono::TimeDelta;
use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Event, FailureCode},
    id::ExecutionId,
};
use serde_json::{Value, json};

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

fn limited(agent: &str) -> Value {
    json!({"name": "Limited", "limits": {"timeoutSeconds": 120}, "steps": [
        {"key": "only", "agent": agent, "timeoutSeconds": 86_400, "retry": {"attempts": 1}},
    ]})
}

async fn pause_for(app: &TestApp, id: ExecutionId, seconds: i64) {
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    app.clock.advance(TimeDelta::seconds(seconds));
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
}

async fn times_out(app: &TestApp, id: ExecutionId) {
    app.ends(id, CompletionReason::Failed).await;
    match app.events(id).await.pop() {
        Some(Event::Failed { failure, .. }) => assert_eq!(failure.code, FailureCode::ExecutionTimeout),
        other => panic!("it failed, not {other:?}"),
    }
}

#[tokio::test]
async fn a_pause_while_a_worker_is_awaited_does_not_count() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(limited("Worker")).await;
    let (one, other) = (app.start_execution(workflow, json!({})).await, app.start_execution(workflow, json!({})).await);
    for id in [one, other] {
        app.wait_for_event(id, "step.scheduled 0", 1).await;
    }
    app.clock.advance(TimeDelta::seconds(100));
    for id in [one, other] {
        app.engine.pause_execution(app.scope(), id).await.expect("paused");
    }
    app.clock.advance(TimeDelta::seconds(1_000));
    for id in [one, other] {
        app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    }
    let task = app.claim_next("q").await;
    app.complete(&task, "{}").await.expect("completed");
    let done = task.lease.execution;
    let execution = app.ends(done, CompletionReason::Success).await;
    assert!((100..120).contains(&execution.ran_for.num_seconds()), "{execution:?}");
    app.clock.advance(TimeDelta::seconds(20));
    times_out(&app, if done == one { other } else { one }).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_pause_while_a_step_runs_does_not_count() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(limited("Caller")).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.clock.advance(TimeDelta::seconds(100));
    pause_for(&app, id, 1_000).await;
    gate.add_permits(1);
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_step_may_come_to_its_end_long_after_its_execution_was_paused() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(limited("Caller")).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    app.clock.advance(TimeDelta::seconds(1_000));
    gate.add_permits(1);
    app.wait_for_event(id, "step.completed 0", 1).await;
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn after_a_pause_the_rest_of_the_time_counts_for_a_step_that_runs() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::silent().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(limited("Caller")).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.clock.advance(TimeDelta::seconds(100));
    pause_for(&app, id, 1_000).await;
    app.clock.advance(TimeDelta::seconds(20));
    times_out(&app, id).await;
    service.wait_for_abandoned(1).await;
    app.assert_sound().await;
}
