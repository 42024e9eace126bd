//! Starting once, however often it is asked for.

use std::collections::HashSet;

use countersign::{
    domain::{agent::Kind, execution::Mode, id::WorkflowId, refusal::Code},
    engine::commands::StartExecution,
};
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, TestApp,
    flows::{refusal, starting},
};

fn keyed(workflow: WorkflowId, input: &str, key: &str) -> StartExecution {
    StartExecution { idempotency_key: Some(key.to_owned()), ..starting(workflow, input) }
}

async fn work(app: &TestApp) -> WorkflowId {
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await
}

#[rstest]
#[tokio::test]
async fn one_key_starts_one_execution(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let workflow = work(&app).await;
    let start = async |command: StartExecution| app.engine.start_execution(app.scope(), command).await;
    let first = start(keyed(workflow, r#"{"a":1}"#, "k")).await.expect("started").id;
    assert_eq!(start(keyed(workflow, r#"{"a":1}"#, "k")).await.expect("the same").id, first);
    let others = [
        keyed(workflow, r#"{"a":2}"#, "k"),
        keyed(workflow, r#"{"a":1.0}"#, "k"),
        StartExecution { mode: Mode::Test, ..keyed(workflow, r#"{"a":1}"#, "k") },
        StartExecution { version: Some(1), ..keyed(workflow, r#"{"a":1}"#, "k") },
        StartExecution { correlation_id: Some("c".to_owned()), ..keyed(workflow, r#"{"a":1}"#, "k") },
    ];
    for command in others {
        let refused = refusal(start(command).await);
        assert_eq!(refused.code, Code::IdempotencyKeyReused);
        assert_eq!(refused.message, "the idempotency key `k` was used for a different request: use a new one");
    }
    assert_eq!(app.engine.store().execution_ids(None, 10).await.expect("a list"), [first]);
    let second = start(keyed(workflow, r#"{"a":2}"#, "l")).await.expect("another").id;
    assert_ne!(first, second);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_starts_one_execution_also_at_the_same_moment(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = work(&app).await;
    let starts = (0..20).map(|_| app.engine.start_execution(app.scope(), keyed(workflow, "{}", "k")));
    let ids: HashSet<_> = join_all(starts).await.into_iter().map(|started| started.expect("started").id).collect();
    assert_eq!(ids.len(), 1);
    let mixed = (0..20).map(|number| {
        let input = if number % 2 == 0 { "{}" } else { r#"{"other":1}"# };
        app.engine.start_execution(app.scope(), keyed(workflow, input, "m"))
    });
    let (made, refused): (Vec<_>, Vec<_>) = join_all(mixed).await.into_iter().partition(Result::is_ok);
    let made: HashSet<_> = made.into_iter().map(|started| started.expect("started").id).collect();
    assert_eq!((made.len(), refused.len()), (1, 10));
    for answer in refused {
        assert_eq!(refusal(answer).code, Code::IdempotencyKeyReused);
    }
    assert_eq!(app.engine.store().execution_ids(None, 10).await.expect("a list").len(), 2);
    app.assert_sound().await;
}

#[tokio::test]
async fn keys_that_cannot_be_kept_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = work(&app).await;
    for key in ["", "a\0", "a\nb", &"x".repeat(201)] {
        let refused = refusal(app.engine.start_execution(app.scope(), keyed(workflow, "{}", key)).await);
        assert_eq!(refused.code, Code::Invalid);
    }
    assert!(app.engine.store().execution_ids(None, 10).await.expect("a list").is_empty());
}

#[tokio::test]
async fn a_repeated_request_finds_what_it_made_whatever_was_archived_since() {
    let app = TestApp::start(Database::Sqlite).await;
    let agent = app.agent("Copies", Kind::Transform, json!({"output": "/input"})).await;
    let workflow = app.workflow(json!({"name": "Copy", "steps": [{"key": "a", "agent": "Copies"}]})).await;
    let scope = app.scope();
    let first = app.engine.start_execution(scope, keyed(workflow, "{}", "start")).await.expect("started").id;
    app.wait_for_end(first).await;
    let again = app.engine.retry_execution(scope, first, Some("retry")).await.expect("retried").id;
    let forked = app.engine.fork_execution(scope, first, "a", None, Some("fork")).await.expect("forked").id;
    let origin = countersign::engine::Origin::default();
    app.engine.archive_workflow(scope, workflow, &origin).await.expect("archived");
    app.engine.archive_agent(scope, agent, &origin).await.expect("archived");
    assert_eq!(app.engine.start_execution(scope, keyed(workflow, "{}", "start")).await.expect("the same").id, first);
    assert_eq!(app.engine.retry_execution(scope, first, Some("retry")).await.expect("the same").id, again);
    let repeated = app.engine.fork_execution(scope, first, "a", None, Some("fork")).await;
    assert_eq!(repeated.expect("the same").id, forked);
    let refused = refusal(app.engine.retry_execution(scope, first, Some("new")).await);
    assert_eq!(refused.message, "the agent `Copies` is archived");
}
