//! Steps and executions that take too long.

use chrono::TimeDelta;
use countersign::{
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, Failure, FailureCode, StepStatus},
        id::ExecutionId,
        refusal::Code,
    },
    engine::commands::{ClaimTasks, ClaimedTask, HeartbeatTask},
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal},
    worker::{alive, claiming},
};

fn seconds(number: i64) -> TimeDelta {
    TimeDelta::seconds(number)
}

async fn failure(app: &TestApp, id: ExecutionId) -> Failure {
    app.ends(id, CompletionReason::Failed).await;
    match app.events(id).await.pop() {
        Some(Event::Failed { failure, .. }) => failure,
        other => panic!("it failed, not {other:?}"),
    }
}

/// A workflow of one step.
fn one_step(agent: &str, limit: i64, timeout: i64) -> Value {
    json!({"name": "One", "limits": {"timeoutSeconds": limit}, "steps": [
        {"key": "only", "agent": agent, "timeoutSeconds": timeout, "retry": {"attempts": 1}},
    ]})
}

/// A claim that lasts for an hour.
async fn claim_for_long(app: &TestApp, id: ExecutionId) -> ClaimedTask {
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    let command = ClaimTasks { lease_seconds: 3600, ..claiming("q", 1) };
    app.engine.claim_tasks(app.scope(), command).await.expect("a claim").remove(0)
}

#[rstest]
#[tokio::test]
async fn a_service_that_never_answers_fails_its_step(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = Service::silent().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(one_step("Caller", 900, 60)).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.clock.advance(seconds(60));
    let failed = failure(&app, id).await;
    assert_eq!((failed.code, failed.retryable), (FailureCode::Timeout, true));
    assert_eq!(failed.message, "the step took longer than its limit of 60 s (`timeoutSeconds`)");
    service.wait_for_abandoned(1).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_step_that_took_too_long_is_tried_again() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start_async(|_, number| async move {
        if number == 0 {
            std::future::pending::<()>().await;
        }
        (200, "{}".to_owned())
    })
    .await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let step = json!({"key": "call", "agent": "Caller", "timeoutSeconds": 60});
    let workflow = app.workflow(json!({"name": "Again", "steps": [step]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.clock.advance(seconds(60));
    app.wait_for_event(id, "step.retried 0", 1).await;
    app.clock.advance(seconds(1));
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(service.calls().len(), 2);
    app.assert_sound().await;
}

#[tokio::test]
async fn a_workers_time_counts_from_its_claim_whatever_its_heart_says() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(one_step("Worker", 900, 60)).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    app.clock.advance(seconds(100));
    let task = claim_for_long(&app, id).await;
    for _ in 0..2 {
        app.clock.advance(seconds(29));
        let command = HeartbeatTask { lease_seconds: 3600, ..alive(&task) };
        app.engine.heartbeat_task(app.scope(), command).await.expect("alive");
    }
    app.clock.advance(seconds(2));
    let failed = failure(&app, id).await;
    assert_eq!(failed.code, FailureCode::Timeout);
    let refused = refusal(app.complete(&task, "{}").await);
    assert_eq!(refused.code, Code::Expired);
    app.assert_sound().await;
}

#[tokio::test]
async fn an_execution_does_not_wait_for_a_worker_for_ever() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(one_step("Worker", 120, 300)).await;
    let waiting = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(waiting, "step.scheduled 0", 1).await;
    app.clock.advance(seconds(120));
    let failed = failure(&app, waiting).await;
    assert_eq!(failed.code, FailureCode::ExecutionTimeout);
    assert_eq!(failed.message, "the execution ran for longer than its limit of 120 s (`limits.timeoutSeconds`)");
    assert_eq!(app.steps(waiting).await, [(0, StepStatus::Cancelled)]);
    assert!(app.claim("q", 1).await.is_empty());
    let claimed = app.start_execution(workflow, json!({})).await;
    let task = claim_for_long(&app, claimed).await;
    app.clock.advance(seconds(120));
    assert_eq!(failure(&app, claimed).await.code, FailureCode::ExecutionTimeout);
    assert!(app.heartbeat(&task).await.expect("an answer").cancelled);
    app.assert_sound().await;
}

#[tokio::test]
async fn an_execution_that_runs_too_long_is_stopped_in_the_middle_of_a_step() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::silent().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(one_step("Caller", 120, 300)).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    app.clock.advance(seconds(120));
    assert_eq!(failure(&app, id).await.code, FailureCode::ExecutionTimeout);
    service.wait_for_abandoned(1).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::Cancelled)]);
    app.assert_sound().await;
}
