//! How much runs at a time.

use countersign::domain::{agent::Kind, execution::CompletionReason};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, with_places},
};

#[rstest]
#[tokio::test]
async fn never_more_steps_run_than_there_are_places(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, with_places(2)).await;
    let (service, gate) = Service::gated().await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = app.workflow(json!({"name": "Twice", "steps": steps})).await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(app.start_execution(workflow, json!({})).await);
    }
    for answered in 0..40 {
        service.wait_for_calls((answered + 2).min(40)).await;
        gate.add_permits(1);
    }
    for id in ids {
        app.ends(id, CompletionReason::Success).await;
    }
    assert_eq!((service.calls().len(), service.most_at_once()), (40, 2));
    app.assert_sound().await;
}

#[tokio::test]
async fn an_agent_with_one_place_does_not_starve_the_others() {
    let app = TestApp::start_with(Database::Sqlite, with_places(3)).await;
    let (slow, gate) = Service::gated().await;
    let fast = Service::start(|_, _| (200, "{}".to_owned())).await;
    app.agent("Slow", Kind::Http, json!({"url": slow.url, "maxConcurrency": 1})).await;
    app.agent("Fast", Kind::Http, fast.config()).await;
    let of = |agent: &str| json!({"name": agent, "steps": [{"key": "call", "agent": agent}]});
    let (slowly, quickly) = (app.workflow(of("Slow")).await, app.workflow(of("Fast")).await);
    let (mut waiting, mut passing) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        waiting.push(app.start_execution(slowly, json!({})).await);
        passing.push(app.start_execution(quickly, json!({})).await);
    }
    for id in passing {
        app.ends(id, CompletionReason::Success).await;
    }
    assert_eq!(slow.calls().len(), 1);
    gate.add_permits(10);
    for id in waiting {
        app.ends(id, CompletionReason::Success).await;
    }
    assert_eq!((slow.calls().len(), slow.most_at_once()), (10, 1));
    app.assert_sound().await;
}

#[tokio::test]
async fn waiting_steps_run_in_the_order_in_which_they_came() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    app.agent("Narrow", Kind::Http, json!({"url": service.url, "maxConcurrency": 1})).await;
    let workflow = app.workflow(json!({"name": "One", "steps": [{"key": "call", "agent": "Narrow"}]})).await;
    let mut ids = Vec::new();
    for number in 0..6 {
        let id = app.start_execution(workflow, json!({})).await;
        let begun = if number == 0 { "step.started 0" } else { "step.scheduled 0" };
        app.wait_for_event(id, begun, 1).await;
        ids.push(id);
    }
    gate.add_permits(10);
    for id in &ids {
        app.ends(*id, CompletionReason::Success).await;
    }
    let order: Vec<String> = service.calls().into_iter().map(|call| call.execution).collect();
    assert_eq!(order, ids.iter().map(ToString::to_string).collect::<Vec<_>>());
    app.assert_sound().await;
}
