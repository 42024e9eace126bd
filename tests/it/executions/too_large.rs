//! Values that are larger than allowed.

use countersign::{
    config::Settings,
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, FailureCode},
        refusal::Code,
    },
};
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal, starting},
};

const MOST: usize = 2_000;

fn bounded(settings: &mut Settings) {
    allow_loopback(settings);
    settings.max_value_bytes = MOST;
}

async fn message(app: &TestApp, id: countersign::domain::id::ExecutionId) -> String {
    app.ends(id, CompletionReason::Failed).await;
    let failures: Vec<_> = app
        .events(id)
        .await
        .into_iter()
        .filter_map(|event| match event {
            Event::StepFailed { failure, attempt: 1, .. } => Some(failure),
            _ => None,
        })
        .collect();
    assert_eq!(failures.len(), 1, "the first attempt is the last");
    assert_eq!((failures[0].code, failures[0].retryable), (FailureCode::TooLarge, false));
    failures[0].message.clone()
}

#[tokio::test]
async fn an_output_that_is_too_large_fails_its_step() {
    let app = TestApp::start_with(Database::Sqlite, bounded).await;
    let service = Service::start(|_, _| (200, format!("\"{}\"", "x".repeat(MOST)))).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    app.agent("Doubles", Kind::Transform, json!({"output": "input.text + input.text"})).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let mut workflows = Vec::new();
    for agent in ["Caller", "Doubles", "Worker"] {
        let definition = json!({"name": agent, "steps": [{"key": "make", "agent": agent}]});
        workflows.push(app.workflow(definition).await);
    }
    let input = json!({"text": "x".repeat(1_000)});
    let id = app.start_execution(workflows[0], json!({})).await;
    let said = message(&app, id).await;
    assert!(said.contains("2002 bytes: at most 2000 are taken"), "{said}");
    let id = app.start_execution(workflows[1], input).await;
    assert_eq!(message(&app, id).await, "the output has 2002 bytes: at most 2000 are allowed");
    let id = app.start_execution(workflows[2], json!({})).await;
    let task = app.claim_next("q").await;
    let refused = refusal(app.complete(&task, &format!("\"{}\"", "x".repeat(MOST))).await);
    assert_eq!(refused.code, Code::Invalid);
    assert_eq!(refused.message, "the output has 2002 bytes: at most 2000 are allowed");
    assert_eq!(message(&app, id).await, refused.message);
    app.assert_sound().await;
}

#[tokio::test]
async fn an_input_that_is_too_large_is_refused_and_nothing_is_written() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "Any", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let input = format!(r#"{{"x":"{}"}}"#, "x".repeat(11 * 1024 * 1024));
    let refused = refusal(app.engine.start_execution(app.scope(), starting(workflow, &input)).await);
    assert_eq!(refused.code, Code::Invalid);
    assert_eq!(refused.message, "`input` has 11534344 bytes: at most 10485760 are allowed");
    let found = app.engine.store().execution_ids(None, 10).await.expect("a list");
    assert!(found.is_empty());
    app.assert_sound().await;
}
