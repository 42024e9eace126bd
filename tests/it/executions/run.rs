//! Workflows that run to their end.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Status},
};
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

#[rstest]
#[tokio::test]
async fn steps_run_one_after_the_other(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = Service::start(|call, _| (200, format!(r#"{{"seen":{}}}"#, call.body))).await;
    app.agent("Adder", Kind::Transform, json!({"fields": {"sum": "input.a + input.b"}})).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app
        .workflow(json!({"name": "Sum", "steps": [
            {"key": "add", "agent": "Adder"},
            {"key": "call", "agent": "Caller", "input": {"total": "/steps/add/sum", "twice": "steps.add.sum * 2"}},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"a": 1, "b": 2})).await;
    let execution = app.wait_for_end(id).await;
    assert_eq!(
        (execution.status, execution.completion_reason),
        (Status::Completed, Some(CompletionReason::Success)),
        "{:#?}",
        app.history(id).await
    );
    let calls = service.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].body, r#"{"total":3,"twice":6}"#);
    assert_eq!(calls[0].idempotency_key, format!("{id}:call:1"));
    assert_eq!((calls[0].execution.clone(), calls[0].step.as_str()), (id.to_string(), "call"));
    assert_eq!(
        app.kinds(id).await,
        [
            "execution.queued",
            "execution.started",
            "step.started 0",
            "step.completed 0",
            "step.started 1",
            "step.completed 1",
            "execution.completed"
        ]
    );
    app.assert_sound().await;
}
