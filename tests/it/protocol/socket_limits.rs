//! How much one caller may keep open.

use countersign::domain::role::Role;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Database, EventStream, Raw, Socket, TestApp, at, code, text};

const WATCH: &str = "subscription($after: String) { auditEvents(after: $after) { cursor } }";

#[tokio::test]
async fn a_caller_has_so_many_sockets_and_leaving_frees_one() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_sockets_per_user = 2).await;
    let (one, other) = (app.token(Role::Viewer).await, app.token(Role::Viewer).await);
    let first = Socket::open(&app, &one).await;
    let mut second = Socket::open(&app, &one).await;
    let refused = async || {
        let mut socket = Socket::connect(&app).await;
        socket.send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {one}")}})).await;
        socket.closed().await
    };
    assert_eq!(refused().await, (1013, "You have 2 sockets open: close some first".to_owned()));
    // Somebody else is not concerned.
    Socket::open(&app, &other).await.close().await;

    first.close().await;
    let _third = Socket::open(&app, &one).await;
    assert_eq!(refused().await.0, 1013);
    // Also whoever is thrown out leaves.
    second.send(json!({"type": "nonsense"})).await;
    assert_eq!(second.closed().await.0, 4400);
    Socket::open(&app, &one).await;
}

#[tokio::test]
async fn a_caller_has_so_many_subscriptions_and_every_end_frees_one() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_subscriptions_per_user = 1).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    app.write_audit_entries(0..1).await;
    let replay = json!({ "after": before });
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", WATCH, replay.clone()).await;
    assert_eq!(text(&socket.next().await, "/type"), "next");

    // Over all connections of the caller, and not for queries.
    let mut other = Socket::open(&app, &token).await;
    other.subscribe("2", WATCH, replay.clone()).await;
    let message = other.next().await;
    assert_eq!(text(&message, "/type"), "error");
    assert_eq!(text(&message, "/payload/0/extensions/code"), "TOO_MANY_SUBSCRIPTIONS");
    assert_eq!(text(&message, "/payload/0/message"), "you have 1 subscriptions open: close some first");
    other.subscribe("3", "{ __typename }", json!({})).await;
    assert_eq!(text(&other.next().await, "/type"), "next");
    assert_eq!(text(&other.next().await, "/type"), "complete");
    let request = app.http.post(app.url("/graphql")).bearer_auth(&token).header("accept", "text/event-stream");
    let response = request.json(&json!({ "query": WATCH })).send().await.expect("an answer");
    assert_eq!(response.status(), 429);
    assert_eq!(code(&response.json().await.expect("JSON")), "TOO_MANY_SUBSCRIPTIONS");

    // The client completes, and subscribes without waiting for anything.
    for (ended, id) in [("1", "4"), ("4", "5"), ("5", "6")] {
        let payload = json!({"query": WATCH, "variables": replay});
        let complete = json!({"type": "complete", "id": ended});
        socket.send_together(&[complete, json!({"type": "subscribe", "id": id, "payload": payload})]).await;
        let message = socket.next().await;
        assert_eq!((text(&message, "/type"), text(&message, "/id")), ("next", id), "{message}");
    }
    // The socket closes.
    socket.close().await;
    other.subscribe("7", WATCH, replay.clone()).await;
    assert_eq!(text(&other.next().await, "/type"), "next");
    other.send(json!({"type": "complete", "id": "7"})).await;
    // The subscription fails.
    for id in ["8", "9"] {
        other.subscribe(id, WATCH, json!({"after": "nonsense"})).await;
        assert_eq!(text(&other.next().await, "/payload/0/extensions/code"), "BAD_USER_INPUT");
    }
    other.subscribe("10", WATCH, replay).await;
    assert_eq!(text(&other.next().await, "/type"), "next");
}

#[tokio::test]
async fn the_end_of_an_event_stream_frees_its_seat() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_subscriptions_per_user = 1).await;
    let token = app.token(Role::Admin).await;
    let body = json!({ "query": WATCH }).to_string();
    let request = format!(
        "POST /graphql HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {token}\r\naccept: text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    for _ in 0..3 {
        let mut raw = Raw::connect(&app).await;
        raw.send(&request).await;
        let head = raw.head().await;
        assert!(head.starts_with("http/1.1 200 "), "{head}");
        // We hang up; the server hangs up, too, when it has noticed.
        tokio::io::AsyncWriteExt::shutdown(&mut raw.0).await.expect("hung up");
        raw.rest().await;
    }
    EventStream::open(&app, &token, WATCH, json!({})).await;
}

#[tokio::test]
async fn a_message_that_is_too_large_closes_with_1009() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_body_bytes = 2_000).await;
    let token = app.token(Role::Viewer).await;
    let message = |bytes: usize| {
        let query = "{ __typename }";
        let message = json!({"type": "subscribe", "id": "1", "payload": {"query": query}, "padding": ""}).to_string();
        let padding = "x".repeat(bytes - message.len());
        message.replace(r#""padding":"""#, &format!(r#""padding":"{padding}""#))
    };
    let mut socket = Socket::open(&app, &token).await;
    socket.send_raw(Message::text(message(2_000))).await;
    assert_eq!(at(&socket.next().await, "/payload/data/__typename"), "Query");
    assert_eq!(text(&socket.next().await, "/type"), "complete");
    socket.send_raw(Message::text(message(2_001))).await;
    assert_eq!(socket.closed().await, (1009, "A message has at most 2000 bytes".to_owned()));
}
