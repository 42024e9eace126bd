//! Attempts and the time between them.

use chrono::TimeDelta;
use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Event, FailureCode, StepStatus},
    id::ExecutionId,
};
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

/// When each failed attempt ended and when the next one was due.
async fn retries(app: &TestApp, id: ExecutionId) -> Vec<TimeDelta> {
    let history = app.history(id).await;
    let wait = |entry: &countersign::store::journal::Entry| match &entry.event {
        Ok(Event::StepRetried { retry_at, .. }) => Some(*retry_at - entry.at),
        _ => None,
    };
    history.iter().filter_map(wait).collect()
}

#[rstest]
#[tokio::test]
async fn a_server_error_is_tried_three_times_in_all(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = Service::start(|_, _| (500, r#"{"error":"out of order"}"#.to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Try", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    for attempt in 1..=2 {
        app.wait_for_event(id, "step.retried 0", attempt).await;
        app.clock.advance(TimeDelta::seconds(2));
    }
    app.ends(id, CompletionReason::Failed).await;
    let keys: Vec<String> = service.calls().into_iter().map(|call| call.idempotency_key).collect();
    assert_eq!(keys, [1, 2, 3].map(|attempt| format!("{id}:call:{attempt}")));
    assert_eq!(app.steps(id).await, [(0, StepStatus::Failed)]);
    let waits = retries(&app, id).await;
    assert_eq!(waits.len(), 2);
    // A fifth of the delay may be taken off by chance.
    assert!((800..=1_000).contains(&waits[0].num_milliseconds()), "{waits:?}");
    assert!((1_600..=2_000).contains(&waits[1].num_milliseconds()), "{waits:?}");
    let Some(Event::Failed { step, failure, .. }) = app.events(id).await.pop() else { panic!("it failed") };
    assert_eq!((step, failure.code), (Some(0), FailureCode::HttpStatus));
    assert!(failure.message.contains("500 Internal Server Error"), "{failure:?}");
    assert_eq!(failure.details.as_deref(), Some(r#"{"error":"out of order"}"#));
    app.assert_sound().await;
}

#[tokio::test]
async fn retries_wait_as_the_step_says() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, number| (if number < 3 { 503 } else { 200 }, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let retry = json!({"attempts": 4, "initialDelaySeconds": 10, "factor": 3, "maxDelaySeconds": 20, "jitter": 0});
    let step = json!({"key": "call", "agent": "Caller", "retry": retry});
    let workflow = app.workflow(json!({"name": "Patient", "steps": [step]})).await;
    let other = app.workflow(json!({"name": "Other", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    for (attempt, seconds) in [(1, 10), (2, 20), (3, 20)] {
        app.wait_for_event(id, "step.retried 0", attempt).await;
        app.clock.advance(TimeDelta::seconds(seconds - 1));
        // Something else that comes to its end in the meantime.
        let passing = app.start_execution(other, json!({})).await;
        app.ends(passing, CompletionReason::Success).await;
        assert_eq!(service.calls().len(), attempt, "a second is left");
        app.clock.advance(TimeDelta::seconds(1));
        service.wait_for_calls(attempt + 1).await;
    }
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(retries(&app, id).await, [10, 20, 20].map(TimeDelta::seconds));
    app.assert_sound().await;
}

#[tokio::test]
async fn what_the_other_side_refuses_is_not_tried_again() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    for status in [400, 401, 403, 404, 409, 410, 422, 451] {
        let service = Service::start(move |_, _| (status, "{}".to_owned())).await;
        let name = format!("Refuses {status}");
        app.agent(&name, Kind::Http, service.config()).await;
        let workflow = app.workflow(json!({"name": name, "steps": [{"key": "call", "agent": name}]})).await;
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Failed).await;
        assert_eq!(service.calls().len(), 1, "{status}");
        let Some(Event::Failed { failure, .. }) = app.events(id).await.pop() else { panic!("it failed") };
        assert!(failure.message.contains(&status.to_string()), "{failure:?}");
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn somebody_who_is_not_there_is_tried_again() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    drop(listener);
    app.agent("Gone", Kind::Http, json!({"url": url})).await;
    let step = json!({"key": "call", "agent": "Gone", "retry": {"attempts": 2}});
    let workflow = app.workflow(json!({"name": "Gone", "steps": [step]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.retried 0", 1).await;
    app.clock.advance(TimeDelta::seconds(1));
    app.ends(id, CompletionReason::Failed).await;
    let Some(Event::Failed { failure, .. }) = app.events(id).await.pop() else { panic!("it failed") };
    assert_eq!(failure.code, FailureCode::Network);
    app.assert_sound().await;
}
