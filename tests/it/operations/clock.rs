//! A clock that is set back does not make anything wait for as long.

use chrono::TimeDelta;
use countersign::domain::{agent::Kind, execution::CompletionReason};
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

#[rstest]
#[tokio::test]
async fn a_lease_does_not_last_longer(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let lost = app.claim_next("q").await;
    app.clock.advance(TimeDelta::hours(-6));
    app.wait_for_event(id, "step.released 0", 1).await;
    let again = app.claim_next("q").await;
    assert_eq!(again.idempotency_key, lost.idempotency_key);
    app.complete(&again, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
}

#[rstest]
#[tokio::test]
async fn a_retry_does_not_wait_longer(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = Service::start(|_, number| (if number < 1 { 503 } else { 200 }, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let retry = json!({"attempts": 4, "initialDelaySeconds": 60, "maxDelaySeconds": 60, "jitter": 0});
    let steps = json!([{"key": "call", "agent": "Caller", "retry": retry}]);
    let workflow = app.workflow(json!({"name": "Try", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.retried 0", 1).await;
    app.clock.advance(TimeDelta::hours(-6));
    app.ends(id, CompletionReason::Success).await;
}
