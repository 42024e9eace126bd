//! WebSocket frames that no client library sends.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Raw, Socket, TestApp, text};

const TEXT: u8 = 0x81;
const PART_OF_TEXT: u8 = 0x01;
const LAST_PART: u8 = 0x80;

#[rstest]
#[case::no_utf_8(TEXT, b"\xff\xfe", 1007)]
#[case::an_opcode_that_is_none(0x83, b"x", 1002)]
#[case::an_extension_that_is_none(0xc1, b"x", 1002)]
#[case::a_last_part_without_a_first(LAST_PART, b"x", 1002)]
#[case::a_ping_in_parts(0x09, b"x", 1002)]
#[case::a_nul(TEXT, b"\0", 4400)]
#[case::deep(TEXT, &[b'['; 60_000], 4400)]
#[tokio::test]
async fn a_frame_that_is_none_closes_the_socket(#[case] first: u8, #[case] payload: &[u8], #[case] code: u16) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::upgrade(&app).await;
    raw.send_frame(first, payload).await;
    assert_eq!(raw.closed().await.0, code);
}

#[tokio::test]
async fn a_frame_without_a_mask_closes_the_socket() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::upgrade(&app).await;
    raw.send([TEXT, 2, b'{', b'}']).await;
    assert_eq!(raw.closed().await.0, 1002);
}

#[tokio::test]
async fn a_frame_that_is_announced_too_large_closes_the_socket() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::upgrade(&app).await;
    // As large as 63 bits can say.
    raw.send([TEXT, 0x80 | 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]).await;
    assert_eq!(raw.closed().await.0, 1009);
}

#[tokio::test]
async fn parts_that_add_up_to_too_much_close_the_socket() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_body_bytes = 10_000).await;
    let mut raw = Raw::upgrade(&app).await;
    raw.send_frame(PART_OF_TEXT, &[b' '; 6_000]).await;
    raw.send_frame(LAST_PART, &[b' '; 6_000]).await;
    assert_eq!(raw.closed().await.0, 1009);
}

#[tokio::test]
async fn a_message_may_come_in_parts() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::upgrade(&app).await;
    raw.send_frame(PART_OF_TEXT, br#"{"type":"#).await;
    raw.send_frame(0x89, b"between").await;
    raw.send_frame(LAST_PART, br#""ping"}"#).await;
    assert_eq!(raw.frame().await, (0x8a, b"between".to_vec()));
    assert_eq!(raw.frame().await, (TEXT, br#"{"type":"pong"}"#.to_vec()));
}

#[tokio::test]
async fn a_socket_takes_hostile_documents_as_the_others_do() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::open(&app, &app.token(Role::Viewer).await).await;
    let chain: String = (0..5_000).map(|n| format!("fragment f{n} on Query{{...f{}}}", n + 1)).collect();
    for query in ["[".repeat(200_000), format!("{{...f0}}{chain}"), format!("{{{}}}", "a ".repeat(50_000))] {
        socket.subscribe("1", &query, json!({})).await;
        let message = socket.next().await;
        assert_eq!(text(&message, "/type"), "error");
        assert!(text(&message, "/payload/0/extensions/code").starts_with("QUERY_TOO_"), "{message}");
    }
}

#[tokio::test]
async fn what_only_looks_like_an_upgrade_is_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    for headers in [
        "upgrade: websocket\r\n",
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 8\r\nsec-websocket-key: x\r\n",
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n",
    ] {
        let mut raw = Raw::connect(&app).await;
        raw.send(format!("GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: test\r\n{headers}\r\n")).await;
        let answer = raw.answer().await;
        assert!((400..500).contains(&answer.status), "{answer:?}");
    }
}
