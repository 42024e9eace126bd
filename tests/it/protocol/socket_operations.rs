//! graphql-transport-ws: operations on an open socket.

use countersign::domain::role::Role;
use serde_json::{Value, json};

use crate::support::{Database, Socket, TestApp, at, text};

const WATCH: &str = "subscription($after: String) { auditEvents(after: $after) { cursor entry { details } } }";

async fn open(role: Role) -> (TestApp, String, Socket) {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(role).await;
    let socket = Socket::open(&app, &token).await;
    (app, token, socket)
}

fn complete(id: &str) -> Value {
    json!({"type": "complete", "id": id})
}

#[tokio::test]
async fn a_query_gives_one_result_and_completes() {
    let (_app, _, mut socket) = open(Role::Viewer).await;
    socket.subscribe("q", "{ viewer { displayName } }", json!({})).await;
    let data = json!({"viewer": {"displayName": "test VIEWER"}});
    assert_eq!(socket.next().await, json!({"type": "next", "id": "q", "payload": {"data": data}}));
    assert_eq!(socket.next().await, complete("q"));
}

#[tokio::test]
async fn a_mutation_takes_effect_once() {
    let (app, token, mut socket) = open(Role::Admin).await;
    let mutation =
        "mutation($name: String!) { createGroup(input: {name: $name}) { group { name } userErrors { code } } }";
    socket.subscribe("m", mutation, json!({"name": "Finance"})).await;
    assert_eq!(text(&socket.next().await, "/payload/data/createGroup/group/name"), "Finance");
    assert_eq!(socket.next().await, complete("m"));
    let answer = app.graphql(&token, "{ groups { nodes { name } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/nodes"), &json!([{"name": "Finance"}]));
}

#[tokio::test]
async fn what_cannot_be_executed_is_an_error_and_leaves_the_socket_open() {
    let (_app, _, mut socket) = open(Role::Viewer).await;
    for (query, code) in [
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("{ nonsense }", "GRAPHQL_VALIDATION_FAILED"),
        ("{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a}}}}}}}}}}}}}}}}", "QUERY_TOO_DEEP"),
        ("subscription { nonsense }", "GRAPHQL_VALIDATION_FAILED"),
        ("subscription { auditEvents { cursor } other: auditEvents { cursor } }", "GRAPHQL_VALIDATION_FAILED"),
        // Whoever may not watch is told so instead of seeing nothing for ever.
        ("subscription { auditEvents { cursor } }", "FORBIDDEN"),
    ] {
        // The id is free again after each error.
        socket.subscribe("1", query, json!({})).await;
        let message = socket.next().await;
        assert_eq!(text(&message, "/type"), "error", "{query}: {message}");
        assert_eq!(text(&message, "/payload/0/extensions/code"), code, "{query}: {message}");
    }
    socket.subscribe("1", "{ __typename }", json!({})).await;
    assert_eq!(at(&socket.next().await, "/payload/data/__typename"), "Query");
}

#[tokio::test]
async fn a_field_that_fails_is_part_of_the_result() {
    let (_app, _, mut socket) = open(Role::Viewer).await;
    socket.subscribe("1", "{ node(id: \"x\") { id } auditEntries { totalCount } }", json!({})).await;
    let message = socket.next().await;
    assert_eq!(text(&message, "/type"), "next");
    assert_eq!(text(&message, "/payload/errors/0/extensions/code"), "FORBIDDEN");
    assert_eq!(at(&message, "/payload/data"), &Value::Null);
    assert_eq!(socket.next().await, complete("1"));
}

#[tokio::test]
async fn an_id_can_be_used_again_after_its_operation() {
    let (app, token, mut socket) = open(Role::Admin).await;
    for _ in 0..3 {
        socket.subscribe("same", "{ __typename }", json!({})).await;
        assert_eq!(text(&socket.next().await, "/type"), "next");
        assert_eq!(socket.next().await, complete("same"));
    }
    // At once after the client's own `complete`, too, and nothing of the first operation comes under the id.
    let before = app.latest_cursor(&token).await;
    app.write_audit_entries(0..100).await;
    socket.subscribe("same", WATCH, json!({ "after": before })).await;
    assert_eq!(at(&socket.next().await, "/payload/data/auditEvents/entry/details/number"), 0);
    socket.send(complete("same")).await;
    socket.subscribe("same", "{ viewer { displayName } }", json!({})).await;
    let result = loop {
        let message = socket.next().await;
        if message.pointer("/payload/data/auditEvents").is_none() {
            break message;
        }
    };
    assert_eq!(text(&result, "/payload/data/viewer/displayName"), "test ADMIN");
    assert_eq!(socket.next().await, complete("same"));
}

#[tokio::test]
async fn a_completed_subscription_is_silent() {
    let (app, token, mut socket) = open(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    socket.subscribe("first", WATCH, json!({ "after": before })).await;
    app.write_audit_entries(0..1).await;
    assert_eq!(text(&socket.next().await, "/id"), "first");
    socket.send(complete("first")).await;
    let before = app.latest_cursor(&token).await;
    socket.subscribe("second", WATCH, json!({ "after": before })).await;
    app.write_audit_entries(0..50).await;
    for number in 0..50 {
        let message = socket.next().await;
        assert_eq!(text(&message, "/id"), "second", "{message}");
        assert_eq!(at(&message, "/payload/data/auditEvents/entry/details/number"), number);
    }
}

#[tokio::test]
async fn a_long_replay_does_not_hold_up_another_subscription() {
    let (app, token, mut socket) = open(Role::Admin).await;
    let start = app.latest_cursor(&token).await;
    app.write_audit_entries(0..1_000).await;
    let end = app.latest_cursor(&token).await;
    app.write_audit_entries(0..1).await;
    socket.subscribe("long", WATCH, json!({ "after": start })).await;
    socket.subscribe("short", WATCH, json!({ "after": end })).await;
    let mut before = 0;
    while text(&socket.next().await, "/id") == "long" {
        before += 1;
    }
    assert!(before < 1_000, "the short subscription waited for the long one");
    for _ in before..1_001 {
        assert_eq!(text(&socket.next().await, "/id"), "long");
    }
}

#[tokio::test]
async fn a_ping_is_answered_with_its_payload_at_any_time() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let mut socket = Socket::connect(&app).await;
    socket.send(json!({"type": "ping"})).await;
    assert_eq!(socket.next().await, json!({"type": "pong"}));
    socket.send(json!({"type": "connection_init", "payload": {"authorization": format!("bearer {token}")}})).await;
    assert_eq!(socket.next().await, json!({"type": "connection_ack"}));
    let payload = json!({"sent": 1.5, "nested": {"list": [1, null, "ü"]}});
    socket.send(json!({"type": "ping", "payload": payload})).await;
    assert_eq!(socket.next().await, json!({"type": "pong", "payload": payload}));
    // A heartbeat that nobody asked for is fine, and so is the end of an operation that is none.
    socket.send(json!({"type": "pong", "payload": null})).await;
    socket.send(complete("nothing")).await;
    socket.send(json!({"type": "ping", "payload": null})).await;
    assert_eq!(socket.next().await, json!({"type": "pong"}));
}
