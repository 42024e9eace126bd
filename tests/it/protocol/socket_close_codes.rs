//! graphql-transport-ws: every way in which the server closes a socket on a client that breaks the protocol.

use std::time::Duration;

use countersign::{config, domain::role::Role};
use rstest::rstest;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Database, Raw, Socket, TestApp};

#[rstest]
#[case::no_json("{", "not JSON")]
#[case::a_list("[]", "not an object")]
#[case::a_text("\"ping\"", "not an object")]
#[case::no_type(r#"{"id": "1"}"#, "`type` is missing")]
#[case::type_is_a_number(r#"{"type": 1}"#, "`type` is missing")]
#[case::unknown_type(r#"{"type": "start", "id": "1", "payload": {}}"#, "unknown type `start`")]
#[case::servers_own_type(r#"{"type": "connection_ack"}"#, "unknown type `connection_ack`")]
#[case::subscribe_without_id(r#"{"type": "subscribe", "payload": {"query": "{a}"}}"#, "`subscribe` needs an `id`")]
#[case::id_is_a_number(r#"{"type": "subscribe", "id": 1, "payload": {"query": "{a}"}}"#, "`id` must be a text")]
#[case::id_is_empty(r#"{"type": "subscribe", "id": "", "payload": {"query": "{a}"}}"#, "`id` must be a text")]
#[case::no_payload(r#"{"type": "subscribe", "id": "1"}"#, "`subscribe` needs a `payload`")]
#[case::payload_is_a_text(r#"{"type": "subscribe", "id": "1", "payload": "{a}"}"#, "must be an object")]
#[case::no_query(r#"{"type": "subscribe", "id": "1", "payload": {}}"#, "`query` is missing")]
#[case::query_is_null(r#"{"type": "subscribe", "id": "1", "payload": {"query": null}}"#, "`query` must be a text")]
#[case::variables_are_a_list(
    r#"{"type": "subscribe", "id": "1", "payload": {"query": "{a}", "variables": []}}"#,
    "`variables` must be an object"
)]
#[case::name_is_a_number(
    r#"{"type": "subscribe", "id": "1", "payload": {"query": "{a}", "operationName": 1}}"#,
    "`operationName` must be a text"
)]
#[case::complete_without_id(r#"{"type": "complete"}"#, "`complete` needs an `id`")]
#[case::ping_with_a_text(r#"{"type": "ping", "payload": "now"}"#, "must be an object")]
#[case::pong_with_a_list(r#"{"type": "pong", "payload": []}"#, "must be an object")]
#[tokio::test]
async fn a_message_that_is_none_closes_with_4400(#[case] message: &str, #[case] reason: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::open(&app, &app.token(Role::Viewer).await).await;
    socket.send_raw(Message::text(message)).await;
    let (code, given) = socket.closed().await;
    assert_eq!(code, 4400, "{given}");
    assert!(given.starts_with("Invalid message: ") && given.contains(reason), "{given}");
}

#[tokio::test]
async fn a_binary_message_closes_with_4400() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::open(&app, &app.token(Role::Viewer).await).await;
    socket.send_raw(Message::binary(br#"{"type":"ping"}"#.as_slice())).await;
    assert_eq!(socket.closed().await, (4400, "Invalid message: binary".to_owned()));
}

#[tokio::test]
async fn an_operation_before_the_acknowledgement_closes_with_4401() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::connect(&app).await;
    socket.subscribe("1", "{ __typename }", json!({})).await;
    assert_eq!(socket.closed().await, (4401, "Unauthorized".to_owned()));
}

#[rstest]
#[case::nothing(json!({"type": "connection_init"}), "give `Authorization: Bearer …`")]
#[case::null(json!({"type": "connection_init", "payload": null}), "give `Authorization: Bearer …`")]
#[case::empty(json!({"type": "connection_init", "payload": {}}), "give `Authorization: Bearer …`")]
#[case::a_number(json!({"type": "connection_init", "payload": {"Authorization": 1}}), "give `Authorization: Bearer …`")]
#[case::basic(json!({"type": "connection_init", "payload": {"Authorization": "Basic YTpi"}}), "give `Authorization: Bearer …`")]
#[case::unknown(json!({"type": "connection_init", "payload": {"Authorization": "Bearer cst_x"}}), "the token is unknown")]
#[case::lower_case(json!({"type": "connection_init", "payload": {"authorization": "bearer a.b.c"}}), "the token is unknown")]
#[tokio::test]
async fn without_a_good_token_a_socket_closes_with_4403(#[case] init: Value, #[case] reason: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::connect(&app).await;
    socket.send(init).await;
    let (code, given) = socket.closed().await;
    assert_eq!(code, 4403);
    assert!(given.starts_with("Forbidden: ") && given.contains(reason), "{given}");
}

#[rstest]
#[case::none("")]
#[case::the_old_protocol("sec-websocket-protocol: graphql-ws\r\n")]
#[tokio::test]
async fn another_subprotocol_closes_with_4406(#[case] header: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let (mut raw, head) = Raw::upgrade_to(&app, header).await;
    assert!(!head.contains("sec-websocket-protocol"), "{head}");
    assert_eq!(raw.closed().await, (4406, "Subprotocol not acceptable".to_owned()));
}

#[tokio::test]
async fn ours_is_chosen_among_several_subprotocols() {
    let app = TestApp::start(Database::Sqlite).await;
    let header = "sec-websocket-protocol: graphql-ws, graphql-transport-ws\r\n";
    let (_, head) = Raw::upgrade_to(&app, header).await;
    assert!(head.contains("\r\nsec-websocket-protocol: graphql-transport-ws\r\n"), "{head}");
}

#[tokio::test]
async fn a_socket_that_does_not_initialise_closes_with_4408() {
    let soon = config::Duration(Duration::from_millis(50));
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.socket_init_timeout = soon).await;
    let mut silent = Socket::connect(&app).await;
    assert_eq!(silent.closed().await, (4408, "Connection initialisation timeout".to_owned()));

    // Saying something else does not help.
    let mut chatty = Socket::connect(&app).await;
    chatty.send(json!({"type": "ping"})).await;
    assert_eq!(chatty.closed().await.0, 4408);
}

#[tokio::test]
async fn the_id_of_a_running_operation_closes_with_4409() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::open(&app, &app.token(Role::Admin).await).await;
    socket.subscribe("watch", "subscription { auditEvents { cursor } }", json!({})).await;
    socket.subscribe("watch", "{ __typename }", json!({})).await;
    assert_eq!(socket.closed().await, (4409, "Subscriber for watch already exists".to_owned()));
}

#[tokio::test]
async fn initialising_twice_closes_with_4429() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let mut socket = Socket::open(&app, &token).await;
    socket.send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}})).await;
    assert_eq!(socket.closed().await, (4429, "Too many initialisation requests".to_owned()));
}
