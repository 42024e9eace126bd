//! Servers that stop in the middle.

use chrono::TimeDelta;
use countersign::{
    config::Settings,
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, FailureCode, Status},
        id::{ExecutionId, WorkflowId},
    },
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Called, Database, Process, Service, TestApp, TestClock,
    flows::{allow_loopback, with_places},
};

fn settings(settings: &mut Settings) {
    allow_loopback(settings);
    settings.shutdown_timeout = "300ms".parse().expect("a duration");
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Stop,
    Kill,
}

async fn end(process: Process, how: End) {
    match how {
        End::Stop => process.stop().await,
        End::Kill => process.kill().await,
    }
}

/// Three calls, one after the other.
async fn three_calls(app: &TestApp, service: &Service) -> WorkflowId {
    app.agent("Caller", Kind::Http, service.config()).await;
    let steps: Vec<_> = ["one", "two", "three"].iter().map(|key| json!({"key": key, "agent": "Caller"})).collect();
    app.workflow(json!({"name": "Three", "steps": steps})).await
}

fn keys(calls: &[Called]) -> Vec<&str> {
    calls.iter().map(|call| call.idempotency_key.as_str()).collect()
}

async fn failure(app: &TestApp, id: ExecutionId) -> FailureCode {
    app.ends(id, CompletionReason::Failed).await;
    match app.events(id).await.pop() {
        Some(Event::Failed { failure, .. }) => failure.code,
        other => panic!("it failed, not {other:?}"),
    }
}

#[rstest]
#[tokio::test]
async fn a_step_that_was_running_runs_again_under_the_same_key(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(End::Stop, End::Kill)] how: End,
) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let (service, gate) = Service::gated().await;
    let first = Process::start(fresh.clone(), clock.clone(), settings).await;
    let workflow = three_calls(&first, &service).await;
    let id = first.start_execution(workflow, json!({})).await;
    gate.add_permits(1);
    service.wait_for_calls(2).await;
    end(first, how).await;
    service.wait_for_abandoned(1).await;
    let app = TestApp::start_on(fresh, clock, settings).await;
    service.wait_for_calls(3).await;
    gate.add_permits(10);
    app.ends(id, CompletionReason::Success).await;
    let expected = ["one", "two", "two", "three"].map(|step| format!("{id}:{step}:1"));
    assert_eq!(keys(&service.calls()), expected);
    assert!(app.kinds(id).await.contains(&"step.released 1".to_owned()));
    app.assert_sound().await;
}

#[tokio::test]
async fn what_ends_while_the_server_stops_is_kept_and_nothing_new_begins() {
    let (fresh, clock) = (Database::Sqlite.fresh().await, TestClock::default());
    let (service, gate) = Service::gated().await;
    let first = Process::start(fresh.clone(), clock.clone(), allow_loopback).await;
    let workflow = three_calls(&first, &service).await;
    let id = first.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let stopping = first.tasks.stopping();
    let permits = gate.clone();
    let answer = tokio::spawn(async move {
        stopping.cancelled().await;
        permits.add_permits(1);
    });
    first.stop().await;
    answer.await.expect("answered");
    assert_eq!(service.calls().len(), 1);
    gate.add_permits(10);
    let app = TestApp::start_on(fresh, clock, settings).await;
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(keys(&service.calls()), ["one", "two", "three"].map(|step| format!("{id}:{step}:1")));
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn everything_goes_on_after_a_restart(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let (service, gate) = Service::gated().await;
    let first = Process::start(fresh.clone(), clock.clone(), with_places(1)).await;
    let workflow = three_calls(&first, &service).await;
    first.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let working = first.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let waiting = first.start_execution(working, json!({})).await;
    let held = first.start_execution(working, json!({})).await;
    let task = first.claim_times("q", 2).await.pop().expect("a task");
    let running = first.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    let queued = first.start_execution(workflow, json!({})).await;
    let paused = first.start_execution(workflow, json!({})).await;
    first.engine.pause_execution(first.scope(), paused).await.expect("paused");
    first.kill().await;
    gate.add_permits(100);
    let app = TestApp::start_on(fresh, clock, with_places(1)).await;
    for id in [running, queued] {
        app.ends(id, CompletionReason::Success).await;
    }
    app.complete(&task, "{}").await.expect("a lease outlasts the server");
    app.ends(task.lease.execution, CompletionReason::Success).await;
    app.wait_for(paused, Status::Paused).await;
    app.engine.resume_execution(app.scope(), paused).await.expect("resumed");
    app.ends(paused, CompletionReason::Success).await;
    app.clock.advance(TimeDelta::seconds(31));
    let task = app.claim_next("q").await;
    app.complete(&task, "{}").await.expect("completed");
    for id in [waiting, held] {
        app.ends(id, CompletionReason::Success).await;
    }
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_fell_due_while_the_server_was_down_happens_at_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let service = Service::start(|_, number| (if number == 0 { 500 } else { 200 }, "{}".to_owned())).await;
    let first = Process::start(fresh.clone(), clock.clone(), allow_loopback).await;
    first.agent("Caller", Kind::Http, service.config()).await;
    first.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    first.agent("Lost", Kind::Worker, json!({"queue": "lost"})).await;
    let calling = first.workflow(json!({"name": "Call", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let limits = json!({"timeoutSeconds": 120});
    let steps = json!([{"key": "work", "agent": "Worker"}]);
    let working = first.workflow(json!({"name": "Work", "limits": limits, "steps": steps})).await;
    let losing = first.workflow(json!({"name": "Lose", "steps": [{"key": "work", "agent": "Lost"}]})).await;
    let retried = first.start_execution(calling, json!({})).await;
    first.wait_for_event(retried, "step.retried 0", 1).await;
    let late = first.start_execution(working, json!({})).await;
    first.wait_for_event(late, "step.scheduled 0", 1).await;
    let lost = first.start_execution(losing, json!({})).await;
    let task = first.claim_next("lost").await;
    first.kill().await;
    clock.advance(TimeDelta::seconds(200));
    let app = TestApp::start_on(fresh, clock, allow_loopback).await;
    app.ends(retried, CompletionReason::Success).await;
    assert_eq!(service.calls()[1].idempotency_key, format!("{retried}:call:2"));
    assert_eq!(failure(&app, late).await, FailureCode::ExecutionTimeout);
    app.wait_for_event(lost, "step.released 0", 1).await;
    app.complete(&task, "{}").await.expect_err("the lease ran out");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_second_server_on_the_same_file_is_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let settings = Settings {
        listen: std::net::SocketAddr::from(([127, 0, 0, 1], 0)),
        database_url: Some(app.database.url.clone()),
        ..Settings::default()
    };
    let Err(error) = countersign::app::App::start(settings, app.clock.clock()).await else { panic!("it is refused") };
    let message = error.to_string();
    assert!(message.contains("another server uses the database "), "{message}");
    assert!(message.ends_with(": stop it, or use PostgreSQL to run several"), "{message}");
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "Any", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    app.ends(app.start_execution(workflow, json!({})).await, CompletionReason::Success).await;
}
