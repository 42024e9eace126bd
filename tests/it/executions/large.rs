//! Large values are kept once.

use countersign::{
    domain::{agent::Kind, execution::CompletionReason},
    store::journal,
};
use rstest::rstest;
use sea_orm::{ConnectionTrait, EntityTrait, Statement};
use serde_json::json;

use crate::support::{Database, Process, Service, TestApp, TestClock, flows::allow_loopback};

const KIB: usize = 1024;

fn blob(bytes: usize) -> String {
    format!(r#"{{"blob":"{}"}}"#, "x".repeat(bytes))
}

async fn number(app: &TestApp, query: &str) -> i64 {
    let connection = app.database.connect().await;
    let statement = Statement::from_string(connection.get_database_backend(), query);
    let row = connection.query_one_raw(statement).await.expect("an answer").expect("a row");
    row.try_get_by_index(0).expect("a number")
}

#[rstest]
#[tokio::test]
async fn a_large_output_is_stored_once_and_compressed(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = Service::start(|call, _| match call.step.as_str() {
        "make" => (200, blob(100 * KIB)),
        _ => (200, format!(r#"{{"bytes":{}}}"#, call.body.len())),
    })
    .await;
    app.agent("Caller", Kind::Http, service.config()).await;
    app.agent("Same", Kind::Transform, json!({"output": "input.blob"})).await;
    let workflow = app
        .workflow(json!({"name": "Large", "steps": [
            {"key": "make", "agent": "Caller"},
            {"key": "whole", "agent": "Caller"},
            {"key": "mapped", "agent": "Caller", "input": {"all": "/steps/make", "blob": "steps.make.blob"}},
        ]}))
        .await;
    let first = app.start_execution(workflow, json!({})).await;
    app.ends(first, CompletionReason::Success).await;
    let second = app.start_execution(workflow, json!({})).await;
    app.ends(second, CompletionReason::Success).await;
    let sizes: Vec<usize> = service.calls().iter().map(|call| call.body.len()).collect();
    let whole = blob(100 * KIB).len();
    assert_eq!(sizes[..2], [2, whole]);
    assert!(sizes[2] > 2 * 100 * KIB);
    assert_eq!(number(&app, "SELECT count(*) FROM payload").await, 1, "both executions made the same value");
    assert!(number(&app, "SELECT CAST(length(body) AS BIGINT) FROM payload").await < 4 * 1024);
    assert_eq!(number(&app, "SELECT bytes FROM payload").await, i64::try_from(whole).expect("small"));
    let rows = entity::journal::Entity::find().all(&app.database.connect().await).await.expect("the journal");
    let texts = rows.iter().flat_map(|row| journal::lines(row).expect("texts"));
    let journal: usize = texts.map(|(_, text)| text.len()).sum();
    assert!(journal < 8 * 1024, "the journal has {journal} bytes");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_very_large_output_is_told_once() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (200, blob(6 * KIB * KIB))).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    app.agent("Small", Kind::Transform, json!({"output": {"size": 1}})).await;
    let workflow = app
        .workflow(json!({"name": "Huge", "steps": [
            {"key": "make", "agent": "Caller"},
            {"key": "next", "agent": "Small"},
        ]}))
        .await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    let journal = app.whole_journal(id).await;
    let large: Vec<_> = journal.iter().filter(|entry| entry.kind() == "payload.large").collect();
    assert_eq!(large.len(), 1);
    assert_eq!(large[0].event.as_ref().expect("known").step(), Some(0));
    assert_eq!(large[0].seq, None);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn stored_values_are_there_after_a_restart(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let service = Service::start(|call, number| match (call.step.as_str(), number) {
        ("make", _) => (200, blob(100 * KIB)),
        (_, 1) => (400, "{}".to_owned()),
        _ => (200, "{}".to_owned()),
    })
    .await;
    let first = Process::start(fresh.clone(), clock.clone(), allow_loopback).await;
    first.agent("Caller", Kind::Http, service.config()).await;
    let workflow = first
        .workflow(json!({"name": "Large", "steps": [
            {"key": "make", "agent": "Caller"},
            {"key": "use", "agent": "Caller", "input": {"blob": "/steps/make/blob", "input": "/input/text"}},
        ]}))
        .await;
    let text = "é".repeat(50 * KIB);
    let id = first.start_execution(workflow, json!({"text": text})).await;
    first.ends(id, CompletionReason::Failed).await;
    first.stop().await;
    let app = TestApp::start_on(fresh, clock, allow_loopback).await;
    let resumed = app.engine.resume_failed_execution(app.scope(), id, None).await.expect("resumed").id;
    app.ends(resumed, CompletionReason::Success).await;
    let calls = service.calls();
    let steps: Vec<&str> = calls.iter().map(|call| call.step.as_str()).collect();
    assert_eq!(steps, ["make", "use", "use"], "what was made is used again");
    assert_eq!(calls[2].body, format!(r#"{{"blob":"{}","input":"{text}"}}"#, "x".repeat(100 * KIB)));
    app.assert_sound().await;
}
