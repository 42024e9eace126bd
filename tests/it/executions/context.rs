//! What a step is given.

use countersign::domain::{agent::Kind, execution::CompletionReason};
use serde_json::json;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

async fn echo(app: &TestApp) -> Service {
    let service = Service::start(|_, _| (200, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    service
}

#[tokio::test]
async fn outputs_are_merged_in_the_order_of_the_steps_and_later_ones_win() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = echo(&app).await;
    app.agent("First", Kind::Transform, json!({"output": {"x": 1, "a": 1}})).await;
    app.agent("Second", Kind::Transform, json!({"output": {"b": 2, "x": 2}})).await;
    app.agent("List", Kind::Transform, json!({"output": [1, 2]})).await;
    let workflow = app
        .workflow(json!({"name": "Merge", "steps": [
            {"key": "first", "agent": "First"},
            {"key": "second", "agent": "Second"},
            {"key": "list", "agent": "List"},
            {"key": "whole", "agent": "Caller"},
            {"key": "own", "agent": "Caller", "input": {
                "one": "/steps/first", "two": "steps.second", "items": "/steps/list", "all": "/context", "x": "context.x"
            }},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"x": 0, "kept": "in"})).await;
    app.ends(id, CompletionReason::Success).await;
    let bodies: Vec<String> = service.calls().into_iter().map(|call| call.body).collect();
    assert_eq!(
        bodies,
        [
            r#"{"x":2,"kept":"in","a":1,"b":2}"#,
            concat!(
                r#"{"one":{"x":1,"a":1},"two":{"b":2,"x":2},"items":[1,2],"#,
                r#""all":{"x":2,"kept":"in","a":1,"b":2},"x":2}"#
            ),
        ]
    );
    app.assert_sound().await;
}

#[tokio::test]
async fn a_step_sees_only_what_comes_before_it() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = echo(&app).await;
    let (slow, gate) = Service::gated().await;
    app.agent("Slow", Kind::Http, slow.config()).await;
    app.agent("Beside", Kind::Transform, json!({"output": {"beside": true}})).await;
    let workflow = app
        .workflow(json!({"name": "Sight", "steps": [
            {"key": "slow", "agent": "Slow", "needs": []},
            {"key": "beside", "agent": "Beside", "needs": []},
            {"key": "after", "agent": "Caller", "needs": ["slow"]},
            {"key": "last", "agent": "Caller", "needs": ["after", "beside"]},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"x": 1})).await;
    app.wait_for_event(id, "step.completed 1", 1).await;
    gate.add_permits(1);
    app.ends(id, CompletionReason::Success).await;
    let bodies: Vec<String> = service.calls().into_iter().map(|call| call.body).collect();
    assert_eq!(bodies, [r#"{"x":1}"#, r#"{"x":1,"beside":true}"#]);
    app.assert_sound().await;
}

#[tokio::test]
async fn defaults_fill_what_the_input_does_not_have() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = echo(&app).await;
    let workflow = app
        .workflow(json!({"name": "Defaults", "defaults": {"size": 10, "name": "none"}, "steps": [
            {"key": "call", "agent": "Caller"},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"name": null})).await;
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(service.calls()[0].body, r#"{"name":null,"size":10}"#);
    app.assert_sound().await;
}
