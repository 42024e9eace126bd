//! graphql-sse, one connection an operation.

use std::time::Duration;

use countersign::{config, domain::role::Role};
use reqwest::header;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Block, Database, EventStream, TestApp, at, code, text};

const WATCH: &str = "subscription($after: String) { auditEvents(after: $after) { cursor entry { details } } }";

#[tokio::test]
async fn a_query_gives_one_result_and_completes() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let mut stream = EventStream::open(&app, &token, "{ viewer { displayName } }", json!({})).await;
    assert_eq!(stream.next().await, json!({"data": {"viewer": {"displayName": "test VIEWER"}}}));
    stream.completed().await;
}

#[tokio::test]
async fn a_mutation_takes_effect_once() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let mutation = "mutation { createGroup(input: {name: \"Finance\"}) { group { name } } }";
    let mut stream = EventStream::open(&app, &token, mutation, json!({})).await;
    assert_eq!(stream.next().await, json!({"data": {"createGroup": {"group": {"name": "Finance"}}}}));
    stream.completed().await;
    let answer = app.graphql(&token, "{ groups { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/totalCount"), 1);
}

#[rstest]
#[tokio::test]
async fn a_subscription_replays_and_goes_on(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    app.write_audit_entries(0..3).await;
    let mut stream = EventStream::open(&app, &token, WATCH, json!({ "after": before })).await;
    let mut last = Value::Null;
    for number in 0..3 {
        let event = stream.next().await;
        assert_eq!(at(&event, "/data/auditEvents/entry/details/number"), number);
        last = at(&event, "/data/auditEvents/cursor").clone();
    }
    app.write_audit_entries(3..5).await;
    for number in 3..5 {
        assert_eq!(at(&stream.next().await, "/data/auditEvents/entry/details/number"), number);
    }
    drop(stream);
    let mut again = EventStream::open(&app, &token, WATCH, json!({ "after": last })).await;
    assert_eq!(at(&again.next().await, "/data/auditEvents/entry/details/number"), 3);
}

/// The protocol wants them within the stream, because a browser's EventSource shows nothing of any other answer.
#[rstest]
#[case::parse("{", "GRAPHQL_PARSE_FAILED")]
#[case::validation("{ nonsense }", "GRAPHQL_VALIDATION_FAILED")]
#[case::subscription("subscription { nonsense }", "GRAPHQL_VALIDATION_FAILED")]
#[case::two_roots("subscription { auditEvents { cursor } b: auditEvents { cursor } }", "GRAPHQL_VALIDATION_FAILED")]
#[case::depth("{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a}}}}}}}}}}}}}}}}", "QUERY_TOO_DEEP")]
#[case::rights("subscription { auditEvents { cursor } }", "FORBIDDEN")]
#[case::cursor("subscription { auditEvents(after: \"nonsense\") { cursor } }", "FORBIDDEN")]
#[tokio::test]
async fn what_cannot_be_executed_is_told_in_the_stream(#[case] query: &str, #[case] expected: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let mut stream = EventStream::open(&app, &token, query, json!({})).await;
    let event = stream.next().await;
    assert_eq!(code(&event), expected, "{event}");
    assert_eq!(event.get("data"), None, "{event}");
    stream.completed().await;
}

#[tokio::test]
async fn a_field_that_fails_is_part_of_the_result() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let mut stream = EventStream::open(&app, &token, "{ auditEntries { totalCount } }", json!({})).await;
    let event = stream.next().await;
    assert_eq!(code(&event), "FORBIDDEN");
    assert_eq!(at(&event, "/data"), &Value::Null);
    stream.completed().await;
}

#[tokio::test]
async fn an_idle_stream_is_kept_alive_with_comments() {
    let often = config::Duration(Duration::from_millis(50));
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.keep_alive = often).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let mut stream = EventStream::open(&app, &token, WATCH, json!({ "after": before })).await;
    for _ in 0..3 {
        assert_eq!(stream.block().await, Some(Block::Comment));
    }
    app.write_audit_entries(0..1).await;
    assert_eq!(at(&stream.next().await, "/data/auditEvents/entry/details/number"), 0);
}

#[tokio::test]
async fn an_event_source_can_read_with_get() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    app.write_audit_entries(0..1).await;
    let variables = json!({ "after": before }).to_string();
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("query", WATCH), ("variables", &variables)])
        .finish();
    // As browsers send them.
    let request = app.http.get(format!("{}?{query}", app.url("/graphql"))).bearer_auth(&token);
    let request = request.header(header::ACCEPT, "text/event-stream").header(header::CACHE_CONTROL, "no-cache");
    let response = request.header("last-event-id", "7").send().await.expect("an answer");
    assert!(response.headers()[header::CACHE_CONTROL].to_str().is_ok_and(|value| value.starts_with("no-")));
    let mut stream = EventStream::read(response);
    assert_eq!(at(&stream.next().await, "/data/auditEvents/entry/details/number"), 0);
}

#[tokio::test]
async fn nobody_watches_without_signing_in() {
    let app = TestApp::start(Database::Sqlite).await;
    let request = app.http.post(app.url("/graphql")).header(header::ACCEPT, "text/event-stream");
    let response = request.json(&json!({ "query": WATCH })).send().await.expect("an answer");
    let mut stream = EventStream::read(response);
    let event = stream.next().await;
    assert_eq!(text(&event, "/errors/0/extensions/code"), "UNAUTHENTICATED");
    stream.completed().await;
}
