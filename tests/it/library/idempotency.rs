//! Creations that are sent twice and happen once.

use countersign::domain::role::Role;
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};

use super::{change, document, done, make_agent, refusals};
use crate::support::{Database, TestApp, text};

const CREATIONS: [&str; 2] = ["createAgent", "createWorkflow"];

fn input(mutation: &str, name: &str, key: Option<&str>) -> Value {
    match mutation {
        "createAgent" => json!({"name": name, "kind": "WORKER", "idempotencyKey": key}),
        _ => json!({"definition": document(name, "x"), "idempotencyKey": key}),
    }
}

#[rstest]
#[tokio::test]
async fn a_retry_finds_what_the_first_try_made(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    for mutation in CREATIONS {
        let send = |name: &str, key: Option<&str>| change(&app, &author, mutation, input(mutation, name, key));
        let first = send("one", Some("key")).await;
        let retry = send("one", Some("key")).await;
        assert_eq!(text(done(&retry, mutation), "/id"), text(done(&first, mutation), "/id"));
        assert_eq!(refusals(&send("two", Some("key")).await, mutation), ["IDEMPOTENCY_KEY_REUSED"]);
        assert_eq!(refusals(&send("one", None).await, mutation), ["ALREADY_EXISTS"]);
        assert_eq!(refusals(&send("three", Some("")).await, mutation), ["INVALID"]);
        // A key is not used up by a failure.
        assert_eq!(refusals(&send("one", Some("another")).await, mutation), ["ALREADY_EXISTS"]);
        assert_eq!(refusals(&send("two", Some("another")).await, mutation), [""; 0]);
    }
    let drafted = json!({"definition": document("one", "x"), "draft": true, "idempotencyKey": "key"});
    let answer = change(&app, &author, "createWorkflow", drafted).await;
    assert_eq!(refusals(&answer, "createWorkflow"), ["IDEMPOTENCY_KEY_REUSED"], "a draft is another request");
}

#[rstest]
#[tokio::test]
async fn twenty_at_the_same_moment_make_one(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    for mutation in CREATIONS {
        let send = || change(&app, &author, mutation, input(mutation, "one", Some("key")));
        let answers = join_all((0..20).map(|_| send())).await;
        for answer in &answers {
            assert_eq!(text(done(answer, mutation), "/id"), text(done(&answers[0], mutation), "/id"));
        }
    }
}
