//! Stopping executions for good.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Event, Status, StepStatus},
    refusal::Code,
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal, with_places},
};

#[rstest]
#[tokio::test]
async fn cancelling_drops_the_call_that_runs(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = app.workflow(json!({"name": "Twice", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let cancelled = app.engine.cancel_execution(app.scope(), id, Some("not needed")).await.expect("cancelled");
    assert_eq!((cancelled.status, cancelled.completion_reason), (Status::Cancelled, Some(CompletionReason::Cancelled)));
    service.wait_for_abandoned(1).await;
    gate.add_permits(10);
    let other = app.start_execution(workflow, json!({})).await;
    app.ends(other, CompletionReason::Success).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::Cancelled)]);
    let last = app.whole_journal(id).await.pop().expect("an event");
    assert_eq!(last.event.ok(), Some(Event::Cancelled { reason: Some("not needed".to_owned()), completion: None }));
    assert_eq!(service.calls().len(), 3);
    app.assert_sound().await;
}

#[tokio::test]
async fn what_waits_for_its_place_can_be_cancelled() {
    let app = TestApp::start_with(Database::Sqlite, with_places(1)).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Once", "steps": [{"key": "one", "agent": "Caller"}]})).await;
    let first = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let queued = app.start_execution(workflow, json!({})).await;
    let execution = app.engine.cancel_execution(app.scope(), queued, None).await.expect("cancelled");
    assert_eq!((execution.status, execution.started_at), (Status::Cancelled, None));
    gate.add_permits(10);
    app.ends(first, CompletionReason::Success).await;
    let last = app.start_execution(workflow, json!({})).await;
    app.ends(last, CompletionReason::Success).await;
    assert_eq!(app.kinds(queued).await, ["execution.queued", "execution.cancelled"]);
    assert_eq!(service.calls().len(), 2);
    app.assert_sound().await;
}

#[tokio::test]
async fn what_is_paused_or_waits_for_its_next_attempt_can_be_cancelled() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (500, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Once", "steps": [{"key": "one", "agent": "Caller"}]})).await;
    for pause in [false, true] {
        let id = app.start_execution(workflow, json!({})).await;
        app.wait_for_event(id, "step.retried 0", 1).await;
        if pause {
            app.engine.pause_execution(app.scope(), id).await.expect("paused");
        }
        let before = service.calls().len();
        app.engine.cancel_execution(app.scope(), id, None).await.expect("cancelled");
        app.clock.advance(chrono::TimeDelta::seconds(10));
        assert_eq!(app.steps(id).await, [(0, StepStatus::Cancelled)]);
        let next = app.start_execution(workflow, json!({})).await;
        app.wait_for_event(next, "step.retried 0", 1).await;
        app.engine.cancel_execution(app.scope(), next, None).await.expect("cancelled");
        assert_eq!(service.calls().len(), before + 1, "only the next one was called");
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn a_workers_late_result_is_refused_and_leaves_no_trace() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    app.engine.cancel_execution(app.scope(), id, None).await.expect("cancelled");
    let heartbeat = app.heartbeat(&task).await.expect("an answer");
    assert!(heartbeat.cancelled && heartbeat.lease_until.is_none());
    for refused in [refusal(app.complete(&task, "{}").await), refusal(app.fail(&task, true).await)] {
        assert_eq!(refused.code, Code::Expired);
        assert_eq!(refused.message, "the execution is CANCELLED: the task is not wanted any more");
    }
    assert_eq!(app.whole_journal(id).await.pop().expect("an event").kind(), "execution.cancelled");
    assert!(app.claim("q", 1).await.is_empty());
    app.assert_sound().await;
}
