//! Requests that take too long.

use std::time::Duration;

use countersign::{
    config::{self, Settings},
    domain::role::Role,
};
use reqwest::{StatusCode, header};
use sea_orm::sqlx::SqliteConnection;
use serde_json::{Value, json};

use crate::support::{Database, EventStream, Raw, Socket, TestApp, code, text};

const CREATE: &str = "mutation { createGroup(input: {name: \"G\"}) { group { name } } }";

/// A server on whose database nobody can write, and a token that it knows.
async fn stuck() -> (TestApp, String, SqliteConnection) {
    let soon = config::Duration(Duration::from_millis(300));
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.request_timeout = soon).await;
    let token = app.token(Role::Admin).await;
    // The token's first use is noted, which needs the lock, too.
    app.graphql(&token, "{ __typename }", json!({})).await;
    let lock = app.database.lock_for_writing().await;
    (app, token, lock)
}

#[tokio::test]
async fn a_request_ends_with_its_time() {
    let (app, token, _lock) = stuck().await;
    for (accept, status) in
        [("application/json", StatusCode::OK), ("application/graphql-response+json", StatusCode::SERVICE_UNAVAILABLE)]
    {
        let request = app.http.post(app.url("/graphql")).bearer_auth(&token).header(header::ACCEPT, accept);
        let response = request.json(&json!({ "query": CREATE })).send().await.expect("an answer");
        assert_eq!(response.status(), status);
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(code(&answer), "TIMEOUT");
        assert_eq!(answer.get("data"), None);
    }
}

#[tokio::test]
async fn an_operation_on_a_socket_ends_with_its_time() {
    let (app, token, _lock) = stuck().await;
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", CREATE, json!({})).await;
    let message = socket.next().await;
    assert_eq!(text(&message, "/type"), "error");
    assert_eq!(text(&message, "/payload/0/extensions/code"), "TIMEOUT");
}

#[tokio::test]
async fn an_operation_in_an_event_stream_ends_with_its_time() {
    let (app, token, _lock) = stuck().await;
    let mut stream = EventStream::open(&app, &token, CREATE, json!({})).await;
    assert_eq!(code(&stream.next().await), "TIMEOUT");
    stream.completed().await;
}

#[tokio::test]
async fn a_subscription_lasts_longer_than_a_request_may() {
    let soon = config::Duration(Duration::from_millis(100));
    let often = config::Duration(Duration::from_millis(50));
    let change = |settings: &mut Settings| {
        settings.request_timeout = soon;
        settings.keep_alive = often;
    };
    let app = TestApp::start_with(Database::Sqlite, change).await;
    let token = app.token(Role::Admin).await;
    let after = app.latest_cursor(&token).await;
    let query = "subscription($after: String!) { auditEvents(after: $after) { entry { action } } }";
    let mut stream = EventStream::open(&app, &token, query, json!({ "after": after })).await;
    for _ in 0..6 {
        assert_eq!(stream.block().await, Some(crate::support::Block::Comment));
    }
    app.write_audit_entries(0..1).await;
    assert_eq!(text(&stream.next().await, "/data/auditEvents/entry/action"), "GROUP_CREATED");
}

#[tokio::test]
async fn a_body_must_come_in_time() {
    let (app, token, _lock) = stuck().await;
    let mut raw = Raw::connect(&app).await;
    raw.send(format!(
        "POST /graphql HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: 100\r\n\r\n{{\"query\":"
    ))
    .await;
    let answer = raw.answer().await;
    assert_eq!(answer.status, 408);
    assert_eq!(code(&answer.json()), "TIMEOUT");
}
