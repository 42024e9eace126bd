//! Which step runs when.

use std::sync::Arc;

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Event, StepStatus},
};
use serde_json::json;
use tokio::sync::Barrier;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

#[tokio::test]
async fn steps_that_do_not_need_each_other_run_at_the_same_time() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let barrier = Arc::new(Barrier::new(2));
    let service = Service::start_async(move |_, _| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            (200, "{}".to_owned())
        }
    })
    .await;
    app.agent("Meets", Kind::Http, service.config()).await;
    let workflow = app
        .workflow(json!({"name": "Meeting", "steps": [
            {"key": "one", "agent": "Meets", "needs": []},
            {"key": "other", "agent": "Meets", "needs": []},
            {"key": "last", "agent": "Meets", "needs": ["one", "other"]},
            {"key": "beside", "agent": "Meets", "needs": ["one", "other"]},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    assert_eq!((service.calls().len(), service.most_at_once()), (4, 2));
    app.assert_sound().await;
}

#[tokio::test]
async fn without_a_word_a_step_needs_the_one_before_it() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app
        .workflow(json!({"name": "Row", "steps": [
            {"key": "c", "agent": "Nothing", "needs": ["b"]},
            {"key": "a", "agent": "Nothing", "needs": []},
            {"key": "b", "agent": "Nothing"},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    let order: Vec<String> = app.kinds(id).await.into_iter().filter(|kind| kind.starts_with("step.")).collect();
    assert_eq!(
        order,
        [
            "step.started 1",
            "step.completed 1",
            "step.started 2",
            "step.completed 2",
            "step.started 0",
            "step.completed 0"
        ]
    );
    app.assert_sound().await;
}

#[tokio::test]
async fn what_needs_only_skipped_steps_is_skipped_and_the_rest_runs() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app
        .workflow(json!({"name": "Branches", "steps": [
            {"key": "first", "agent": "Nothing"},
            {"key": "off", "agent": "Nothing", "needs": ["first"], "when": "input.go"},
            {"key": "after_off", "agent": "Nothing", "needs": ["off"]},
            {"key": "after_both", "agent": "Nothing", "needs": ["off", "first"]},
            {"key": "on", "agent": "Nothing", "needs": ["first"], "when": "!input.go"},
            {"key": "last", "agent": "Nothing", "needs": ["after_off", "on"]},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"go": false})).await;
    let execution = app.ends(id, CompletionReason::Success).await;
    use StepStatus::{Completed, Skipped};
    assert_eq!(
        app.steps(id).await,
        [(0, Completed), (1, Skipped), (2, Skipped), (3, Completed), (4, Completed), (5, Completed)]
    );
    assert_eq!((execution.steps_total, execution.steps_done), (6, 6));
    let reasons: Vec<String> = app
        .events(id)
        .await
        .into_iter()
        .filter_map(|event| match event {
            Event::StepSkipped { reason, .. } => Some(reason),
            _ => None,
        })
        .collect();
    assert_eq!(reasons, ["its `when` is false", "everything that it needs was skipped"]);
    app.assert_sound().await;
}

#[tokio::test]
async fn an_execution_of_which_everything_is_skipped_succeeds() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app
        .workflow(json!({"name": "Off", "steps": [
            {"key": "off", "agent": "Nothing", "when": "input.go"},
            {"key": "after", "agent": "Nothing"},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"go": false})).await;
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::Skipped), (1, StepStatus::Skipped)]);
    app.assert_sound().await;
}
