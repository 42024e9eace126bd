//! What becomes of the others when a step fails for good.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Event, Status, StepStatus},
};
use serde_json::json;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

#[tokio::test]
async fn stop_cancels_what_runs_beside_it() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (silent, gate) = Service::gated().await;
    let (broken, opened) = Service::gated().await;
    app.agent("Silent", Kind::Http, silent.config()).await;
    app.agent("Broken", Kind::Http, broken.config()).await;
    let workflow = app
        .workflow(json!({"name": "Stop", "steps": [
            {"key": "long", "agent": "Silent", "needs": []},
            {"key": "broken", "agent": "Broken", "needs": [], "outputSchema": {"type": "string"}},
            {"key": "never", "agent": "Silent", "needs": ["long"]},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({})).await;
    silent.wait_for_calls(1).await;
    opened.add_permits(1);
    let execution = app.ends(id, CompletionReason::Failed).await;
    assert_eq!(execution.status, Status::Failed);
    silent.wait_for_abandoned(1).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::Cancelled), (1, StepStatus::Failed)]);
    gate.add_permits(1);
    assert_eq!(app.kinds(id).await[4..], ["step.failed 1", "execution.failed 1"]);
    assert_eq!(silent.calls().len(), 1);
    app.assert_sound().await;
}

#[tokio::test]
async fn continue_goes_on_with_whatever_does_not_use_the_missing_output() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (400, "{}".to_owned())).await;
    app.agent("Fails", Kind::Http, service.config()).await;
    app.agent("Echo", Kind::Transform, json!({"output": "input"})).await;
    let workflow = app
        .workflow(json!({"name": "Continue", "onError": "CONTINUE", "steps": [
            {"key": "fails", "agent": "Fails"},
            {"key": "copies", "agent": "Echo", "needs": ["fails"], "input": {"x": "/steps/fails/x"}},
            {"key": "named", "agent": "Echo", "needs": ["fails"], "input": {"x": "steps.fails.x"}},
            {"key": "computes", "agent": "Echo", "needs": ["fails"], "input": {"x": "steps.fails.x + 1"}},
            {"key": "asks", "agent": "Echo", "needs": ["fails"], "when": "steps.fails.ok"},
            {"key": "context", "agent": "Echo", "needs": ["fails"]},
            {"key": "after_copies", "agent": "Echo", "needs": ["copies"]},
            {"key": "after_both", "agent": "Echo", "needs": ["copies", "context"]},
            {"key": "beside", "agent": "Echo", "needs": []},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"a": 1})).await;
    let execution = app.ends(id, CompletionReason::Partial).await;
    assert_eq!(execution.status, Status::Completed);
    use StepStatus::{Completed, Failed, Skipped};
    let expected = [Failed, Skipped, Skipped, Skipped, Skipped, Completed, Skipped, Completed, Completed];
    assert_eq!(app.steps(id).await, expected.into_iter().enumerate().collect::<Vec<_>>());
    for event in app.events(id).await {
        if let Event::StepSkipped { step: 1..=4, reason } = event {
            assert!(reason.starts_with("the step `fails` gave no output: "), "{reason}");
        }
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn continue_still_fails_steps_for_their_own_mistakes() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Divides", Kind::Transform, json!({"output": "input.a / input.b"})).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app
        .workflow(json!({"name": "Mistakes", "onError": "CONTINUE", "steps": [
            {"key": "divides", "agent": "Divides", "needs": []},
            {"key": "maps", "agent": "Nothing", "needs": [], "input": {"x": "input.a / input.b"}},
            {"key": "last", "agent": "Nothing", "needs": ["divides", "maps"]},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"a": 1, "b": 0})).await;
    app.ends(id, CompletionReason::Partial).await;
    use StepStatus::{Completed, Failed};
    assert_eq!(app.steps(id).await, [(0, Failed), (1, Failed), (2, Completed)]);
    app.assert_sound().await;
}
