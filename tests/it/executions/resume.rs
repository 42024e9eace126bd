//! Doing the same again, and going on from a failure.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Mode, OriginKind, StepStatus},
    refusal::Code,
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal, starting},
};

/// A service that refuses the step `breaks` until it is mended.
async fn breakable() -> (Service, Arc<AtomicBool>) {
    let mended = Arc::new(AtomicBool::new(false));
    let whole = Arc::clone(&mended);
    let service = Service::start(move |call, _| {
        let works = call.step != "breaks" || whole.load(Ordering::SeqCst);
        (if works { 200 } else { 400 }, format!(r#"{{"{}":1.0}}"#, call.step))
    });
    (service.await, mended)
}

fn called(service: &Service) -> Vec<String> {
    service.calls().into_iter().map(|call| call.step).collect()
}

#[rstest]
#[tokio::test]
async fn resuming_keeps_what_succeeded(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let (service, mended) = breakable().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app
        .workflow(json!({"name": "Resume", "steps": [
            {"key": "first", "agent": "Caller"},
            {"key": "off", "agent": "Caller", "needs": ["first"], "when": "input.go"},
            {"key": "breaks", "agent": "Caller", "needs": ["first"]},
            {"key": "last", "agent": "Caller", "needs": ["breaks", "off"]},
        ]}))
        .await;
    let mut command = starting(workflow, r#"{"go":false,"in":0.50}"#);
    command.mode = Mode::Test;
    command.correlation_id = Some("order 7".to_owned());
    let id = app.engine.start_execution(app.scope(), command).await.expect("an execution").id;
    app.ends(id, CompletionReason::Failed).await;
    mended.store(true, Ordering::SeqCst);
    let resumed = app.engine.resume_failed_execution(app.scope(), id, None).await.expect("resumed");
    assert_eq!(resumed.origin, Some((id, OriginKind::Resume, Some("breaks".to_owned()))));
    assert_eq!((resumed.mode, resumed.correlation_id.as_deref()), (Mode::Test, Some("order 7")));
    app.ends(resumed.id, CompletionReason::Success).await;
    assert_eq!(called(&service), ["first", "breaks", "breaks", "last"]);
    let calls = service.calls();
    assert_eq!(calls[2].idempotency_key, format!("{}:breaks:1", resumed.id), "another execution, another key");
    assert_eq!(calls[3].body, r#"{"go":false,"in":0.50,"first":1.0,"breaks":1.0}"#);
    use StepStatus::{Completed, Skipped};
    assert_eq!(app.steps(resumed.id).await, [(0, Completed), (1, Skipped), (2, Completed), (3, Completed)]);
    assert_eq!(app.wait_for_end(id).await.completion_reason, Some(CompletionReason::Failed), "the origin stays");
    app.assert_sound().await;
}

#[tokio::test]
async fn what_ended_in_part_can_be_resumed() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, mended) = breakable().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app
        .workflow(json!({"name": "Part", "onError": "CONTINUE", "steps": [
            {"key": "breaks", "agent": "Caller", "needs": []},
            {"key": "beside", "agent": "Caller", "needs": []},
            {"key": "uses", "agent": "Caller", "needs": ["breaks"], "input": {"x": "/steps/breaks/breaks"}},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Partial).await;
    mended.store(true, Ordering::SeqCst);
    let resumed = app.engine.resume_failed_execution(app.scope(), id, None).await.expect("resumed").id;
    app.ends(resumed, CompletionReason::Success).await;
    let mut steps = called(&service);
    steps[..2].sort();
    assert_eq!(steps, ["beside", "breaks", "breaks", "uses"]);
    let again = refusal(app.engine.resume_failed_execution(app.scope(), resumed, None).await);
    assert_eq!(again.code, Code::Conflict);
    assert_eq!(again.message, "the execution is COMPLETED with SUCCESS: nothing failed from which it could be resumed");
    app.assert_sound().await;
}

#[tokio::test]
async fn retrying_does_everything_again_with_the_same_input() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, _) = breakable().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = app.workflow(json!({"name": "Twice", "steps": steps})).await;
    let command = starting(workflow, r#"{"big":123456789012345678901234567890}"#);
    let id = app.engine.start_execution(app.scope(), command).await.expect("an execution").id;
    app.ends(id, CompletionReason::Success).await;
    let retried = app.engine.retry_execution(app.scope(), id, None).await.expect("retried");
    assert_eq!(retried.origin, Some((id, OriginKind::Retry, None)));
    app.ends(retried.id, CompletionReason::Success).await;
    assert_eq!(called(&service), ["one", "two", "one", "two"]);
    assert_eq!(service.calls()[2].body, r#"{"big":123456789012345678901234567890}"#);
    app.engine.cancel_execution(app.scope(), retried.id, None).await.expect_err("it is over");
    app.assert_sound().await;
}

#[tokio::test]
async fn keys_make_continuations_happen_once() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, _) = breakable().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Fails", "steps": [{"key": "breaks", "agent": "Caller"}]})).await;
    let one = app.start_execution(workflow, json!({})).await;
    let other = app.start_execution(workflow, json!({})).await;
    for id in [one, other] {
        app.ends(id, CompletionReason::Failed).await;
    }
    let (engine, scope, key) = (&app.engine, app.scope(), Some("k"));
    let first = engine.retry_execution(scope, one, key).await.expect("retried").id;
    assert_eq!(engine.retry_execution(scope, one, key).await.expect("the same").id, first);
    let resumed = engine.resume_failed_execution(scope, one, key).await.expect("resumed").id;
    assert_ne!(resumed, first, "each command has keys of its own");
    assert_eq!(engine.resume_failed_execution(scope, one, key).await.expect("the same").id, resumed);
    let forked = engine.fork_execution(scope, one, "breaks", None, key).await.expect("forked").id;
    assert_eq!(engine.fork_execution(scope, one, "breaks", None, key).await.expect("the same").id, forked);
    for answer in [
        engine.retry_execution(scope, other, key).await,
        engine.resume_failed_execution(scope, other, key).await,
        engine.fork_execution(scope, other, "breaks", None, key).await,
    ] {
        assert_eq!(refusal(answer).code, Code::IdempotencyKeyReused);
    }
    for id in [first, resumed, forked] {
        app.ends(id, CompletionReason::Failed).await;
    }
    assert_eq!(service.calls().len(), 5);
    app.assert_sound().await;
}
