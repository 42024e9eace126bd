//! Going another way from a step on.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, OriginKind, StepStatus},
    json::Json,
    refusal::Code,
};
use serde_json::{Value, json};

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal},
};

fn diamond() -> Value {
    json!({"name": "Diamond", "steps": [
        {"key": "first", "agent": "Caller", "needs": []},
        {"key": "left", "agent": "Caller", "needs": ["first"]},
        {"key": "right", "agent": "Caller", "needs": ["first"]},
        {"key": "last", "agent": "Caller", "needs": ["left", "right"]},
    ]})
}

async fn echo(app: &TestApp) -> Service {
    let service = Service::start(|call, _| (200, format!(r#"{{"{}":true}}"#, call.step))).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    service
}

#[tokio::test]
async fn a_fork_runs_the_step_and_what_comes_after_it() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = echo(&app).await;
    let workflow = app.workflow(diamond()).await;
    let id = app.start_execution(workflow, json!({"n": 1})).await;
    app.ends(id, CompletionReason::Success).await;
    let input = Json::parse(r#"{"n":2.50}"#).expect("JSON");
    let forked = app.engine.fork_execution(app.scope(), id, "left", Some(input), None).await.expect("forked");
    assert_eq!(forked.origin, Some((id, OriginKind::Fork, Some("left".to_owned()))));
    app.ends(forked.id, CompletionReason::Success).await;
    let calls = service.calls();
    let steps: Vec<&str> = calls[4..].iter().map(|call| call.step.as_str()).collect();
    assert_eq!(steps, ["left", "last"]);
    assert_eq!(calls[4].body, r#"{"n":2.50,"first":true}"#);
    assert_eq!(calls[5].body, r#"{"n":2.50,"first":true,"left":true,"right":true}"#);
    assert_eq!(calls[4].execution, forked.id.to_string());
    let same = app.engine.fork_execution(app.scope(), id, "first", None, None).await.expect("forked").id;
    app.ends(same, CompletionReason::Success).await;
    assert_eq!(service.calls().len(), 10, "from the first step on, everything runs");
    assert_eq!(service.calls()[6].body, r#"{"n":1}"#);
    let again = app.engine.fork_execution(app.scope(), forked.id, "last", None, None).await.expect("forked").id;
    app.ends(again, CompletionReason::Success).await;
    assert_eq!(service.calls()[10].body, r#"{"n":2.50,"first":true,"left":true,"right":true}"#);
    assert_eq!(app.steps(again).await.len(), 4);
    app.assert_sound().await;
}

#[tokio::test]
async fn a_fork_needs_everything_before_its_step() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(diamond()).await;
    let id = app.start_execution(workflow, json!({})).await;
    gate.add_permits(1);
    app.wait_for_event(id, "step.completed 0", 1).await;
    service.wait_for_calls(3).await;
    let fork = async |step: &'static str, input: Option<&str>| {
        let input = input.map(|input| Json::parse(input).expect("JSON"));
        app.engine.fork_execution(app.scope(), id, step, input, None).await
    };
    let refused = refusal(fork("last", None).await);
    assert_eq!(refused.code, Code::Conflict);
    assert!(refused.message.contains("comes before `last` and is RUNNING"), "{}", refused.message);
    let refused = refusal(fork("nowhere", None).await);
    assert_eq!(refused.code, Code::NotFound);
    assert_eq!(refused.message, "the workflow has no step `nowhere`: it has first, left, right, last");
    assert_eq!(refusal(fork("left", Some("[1]")).await).code, Code::Invalid);
    assert_eq!(app.engine.store().execution_ids(None, 10).await.expect("a list"), [id], "nothing was written");
    let forked = fork("left", None).await.expect("what it needs is done").id;
    service.wait_for_calls(5).await;
    gate.add_permits(10);
    for id in [id, forked] {
        app.ends(id, CompletionReason::Success).await;
    }
    let first = service.calls().iter().filter(|call| call.step == "first").count();
    assert_eq!(first, 1, "what is done is kept");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_cancelled_execution_can_be_forked_where_it_was() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(diamond()).await;
    let id = app.start_execution(workflow, json!({})).await;
    gate.add_permits(1);
    service.wait_for_calls(3).await;
    app.engine.cancel_execution(app.scope(), id, None).await.expect("cancelled");
    service.wait_for_abandoned(2).await;
    gate.add_permits(10);
    let forked = app.engine.fork_execution(app.scope(), id, "right", None, None).await.expect("forked").id;
    app.ends(forked, CompletionReason::Success).await;
    assert_eq!(app.steps(forked).await, [0, 1, 2, 3].map(|step| (step, StepStatus::Completed)));
    assert_eq!(service.calls().len(), 6);
    app.assert_sound().await;
}

/// What ran in the origin and not in the fork has no output there, neither in memory nor after a restart.
#[tokio::test]
async fn a_fork_does_not_see_what_its_origin_made_of_the_steps_that_run_anew() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = echo(&app).await;
    let workflow = app
        .workflow(json!({"name": "Detour", "steps": [
            {"key": "first", "agent": "Caller", "needs": []},
            {"key": "detour", "agent": "Caller", "needs": ["first"], "when": "input.go"},
            {"key": "last", "agent": "Caller", "needs": ["first", "detour"]},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({"go": true})).await;
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(service.calls()[2].body, r#"{"go":true,"first":true,"detour":true}"#);
    let input = Json::parse(r#"{"go":false}"#).expect("JSON");
    let forked = app.engine.fork_execution(app.scope(), id, "detour", Some(input), None).await.expect("forked").id;
    app.ends(forked, CompletionReason::Success).await;
    assert_eq!(service.calls()[3].body, r#"{"go":false,"first":true}"#);
    app.assert_sound().await;
}
