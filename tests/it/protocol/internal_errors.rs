//! When the database fails, nobody outside learns how.

use countersign::domain::{agent::Kind, execution::CompletionReason, role::Role};
use reqwest::{StatusCode, header};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, EventStream, Socket, TestApp, at, text};

const BROKEN: &str = "{ groups { totalCount } }";

/// The error must say what everybody may know, and nothing else.
#[track_caller]
fn check(error: &Value, path: Option<Value>) {
    assert_eq!(text(error, "/message"), "internal error");
    assert_eq!(at(error, "/extensions"), &json!({"code": "INTERNAL"}));
    assert_eq!(error.get("path"), path.as_ref());
    let fields = error.as_object().expect("an object").keys();
    assert!(
        fields.into_iter().all(|name| ["message", "locations", "path", "extensions"].contains(&name.as_str())),
        "{error}"
    );
}

#[rstest]
#[tokio::test]
async fn a_broken_table_is_an_internal_error_everywhere(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let mut socket = Socket::open(&app, &token).await;
    app.database.execute("ALTER TABLE approver_group RENAME TO elsewhere").await;

    let path = Some(json!(["groups"]));
    for accept in ["application/json", "application/graphql-response+json"] {
        let request = app.http.post(app.url("/graphql")).bearer_auth(&token).header(header::ACCEPT, accept);
        let response = request.json(&json!({ "query": BROKEN })).send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK, "it was executed");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(at(&answer, "/data"), &Value::Null);
        check(at(&answer, "/errors/0"), path.clone());
    }
    let create = "mutation { createGroup(input: {name: \"G\"}) { group { id } } }";
    let answer = app.graphql(&token, create, json!({})).await;
    check(at(&answer, "/errors/0"), Some(json!(["createGroup"])));
    socket.subscribe("1", BROKEN, json!({})).await;
    check(at(&socket.next().await, "/payload/errors/0"), path.clone());
    let mut stream = EventStream::open(&app, &token, BROKEN, json!({})).await;
    check(at(&stream.next().await, "/errors/0"), path);

    // What does not need the table goes on.
    let answer = app.graphql(&token, "{ users { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/users/totalCount"), 0);
}

#[rstest]
#[tokio::test]
async fn a_lookup_that_fails_leaves_the_rest(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    app.graphql(&ada.access_token, "mutation { createGroup(input: {name: \"G\"}) { group { id } } }", json!({})).await;
    app.database.execute("ALTER TABLE group_member RENAME TO elsewhere").await;
    let query = "{ viewer { displayName user { email groups { name } } } groups { nodes { name memberCount } } }";
    let answer = app.graphql(&ada.access_token, query, json!({})).await;
    assert!(!answer.to_string().contains("group_member"), "{answer}");
    for error in at(&answer, "/errors").as_array().expect("a list") {
        check(error, error.get("path").cloned());
    }
}

#[rstest]
#[tokio::test]
async fn a_subscription_whose_log_is_gone_ends_with_an_error(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let before = json!({"after": app.latest_cursor(&token).await});
    app.write_audit_entries(0..1).await;
    let mut socket = Socket::open(&app, &token).await;
    let query = "subscription($after: String) { auditEvents(after: $after) { cursor } }";
    // Once the entry has been seen, the server knows that there is something to read.
    socket.subscribe("0", query, before.clone()).await;
    assert_eq!(text(&socket.next().await, "/type"), "next");
    app.database.execute("ALTER TABLE audit_entry RENAME TO elsewhere").await;
    socket.subscribe("1", query, before).await;
    let message = socket.next().await;
    assert_eq!(text(&message, "/type"), "error", "{message}");
    check(at(&message, "/payload/0"), Some(json!(["auditEvents"])));
}

#[rstest]
#[tokio::test]
async fn without_a_database_the_server_says_so(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    app.engine.store().close().await;

    let ready = app.http.get(app.url("/readyz")).send().await.expect("an answer");
    assert_eq!(ready.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ready.text().await.expect("a body"), "the database takes no writes\n");
    // The process itself is well.
    assert_eq!(app.http.get(app.url("/healthz")).send().await.expect("an answer").status(), 200);
    assert_eq!(app.anonymous("{ __typename }", json!({})).await, json!({"data": {"__typename": "Query"}}));

    let response = app.post(Some(&token), "{ __typename }", json!({})).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()[header::RETRY_AFTER], "2");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(answer.get("data"), None);
    assert_eq!(at(&answer, "/errors/0/extensions"), &json!({"code": "UNAVAILABLE", "retryAfterSeconds": 2}));
    let mut socket = Socket::connect(&app).await;
    socket.send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}})).await;
    assert_eq!(socket.closed().await, (1013, "The server cannot reach its database: try again".to_owned()));
}

/// And waits until they are gone.
const CUT_ALL_OTHERS: &str = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[tokio::test]
async fn the_journal_goes_on_when_the_database_cuts_its_connection() {
    let app = TestApp::start(Database::Postgres).await;
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    let workflow = app.workflow(json!({"name": "Echo", "steps": [{"key": "echo", "agent": "Echo"}]})).await;
    for _ in 0..3 {
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
        app.database.execute(CUT_ALL_OTHERS).await;
    }
}

#[tokio::test]
async fn connections_that_the_database_cuts_come_back() {
    let app = TestApp::start(Database::Postgres).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let mut socket = Socket::open(&app, &token).await;
    let query = "subscription($after: String) { auditEvents(after: $after) { entry { details } } }";
    socket.subscribe("1", query, json!({ "after": before })).await;
    app.database.execute(CUT_ALL_OTHERS).await;
    let answer = app.graphql(&token, "{ viewer { displayName } }", json!({})).await;
    assert_eq!(text(&answer, "/data/viewer/displayName"), "test ADMIN", "{answer}");
    // Written past this server, so that only the database can tell it.
    let settings = countersign::config::Settings { database_url: Some(app.database.url.clone()), ..Default::default() };
    let other = countersign::store::Store::open(&settings).await.expect("a second store");
    crate::support::write_audit_entries(&other, app.workspace.id, 0..1).await;
    assert_eq!(at(&socket.next().await, "/payload/data/auditEvents/entry/details/number"), 0);
    other.close().await;
}
