//! Stopping executions for now.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Status, StepStatus},
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, with_places},
};

#[rstest]
#[tokio::test]
async fn what_runs_comes_to_its_end_and_nothing_new_begins(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = app.workflow(json!({"name": "Twice", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let paused = app.engine.pause_execution(app.scope(), id).await.expect("paused");
    assert_eq!((paused.status, paused.running_since), (Status::Paused, None));
    gate.add_permits(10);
    app.wait_for_event(id, "step.completed 0", 1).await;
    let other = app.start_execution(workflow, json!({})).await;
    app.ends(other, CompletionReason::Success).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::Completed)]);
    assert_eq!(app.wait_for(id, Status::Paused).await.steps_done, 1);
    app.assert_sound().await;
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(service.calls().len(), 4);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn tasks_of_a_paused_execution_cannot_be_claimed(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    app.agent("Other", Kind::Worker, json!({"queue": "other"})).await;
    let steps = json!([
        {"key": "one", "agent": "Worker", "needs": []},
        {"key": "two", "agent": "Other", "needs": []},
        {"key": "three", "agent": "Worker", "needs": ["one"]},
    ]);
    let workflow = app.workflow(json!({"name": "Work", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let claimed = app.claim_next("q").await;
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    assert!(app.claim("other", 10).await.is_empty());
    assert!(!app.heartbeat(&claimed).await.expect("alive").cancelled);
    app.complete(&claimed, "{}").await.expect("what runs may end");
    assert!(app.claim("q", 10).await.is_empty(), "what comes next waits");
    app.assert_sound().await;
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    for queue in ["q", "other"] {
        let task = app.claim_next(queue).await;
        app.complete(&task, "{}").await.expect("completed");
    }
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_lease_that_runs_out_during_a_pause_gives_the_task_back_after_it() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let lost = app.claim_next("q").await;
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    app.clock.advance(chrono::TimeDelta::seconds(31));
    app.wait_for_event(id, "step.released 0", 1).await;
    assert!(app.claim("q", 1).await.is_empty());
    app.assert_sound().await;
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    let task = app.claim_next("q").await;
    assert_eq!(task.idempotency_key, lost.idempotency_key);
    app.complete(&task, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn an_execution_can_be_paused_before_it_begins() {
    let app = TestApp::start_with(Database::Sqlite, with_places(1)).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Once", "steps": [{"key": "one", "agent": "Caller"}]})).await;
    let first = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let second = app.start_execution(workflow, json!({})).await;
    app.engine.pause_execution(app.scope(), second).await.expect("paused");
    gate.add_permits(10);
    let third = app.start_execution(workflow, json!({})).await;
    app.ends(first, CompletionReason::Success).await;
    app.ends(third, CompletionReason::Success).await;
    assert_eq!(app.kinds(second).await, ["execution.queued", "execution.paused"]);
    let resumed = app.engine.resume_execution(app.scope(), second).await.expect("resumed");
    assert_eq!(resumed.started_at, None);
    app.ends(second, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_retry_that_fell_due_during_a_pause_starts_after_it() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, number| (if number == 0 { 500 } else { 200 }, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Once", "steps": [{"key": "one", "agent": "Caller"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.retried 0", 1).await;
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    app.clock.advance(chrono::TimeDelta::seconds(100));
    let other = app.start_execution(workflow, json!({})).await;
    app.ends(other, CompletionReason::Success).await;
    assert_eq!(service.calls().len(), 2);
    app.engine.resume_execution(app.scope(), id).await.expect("resumed");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(service.calls()[2].idempotency_key, format!("{id}:one:2"));
    app.assert_sound().await;
}
