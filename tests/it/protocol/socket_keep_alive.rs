//! Sockets that nobody is at the other end of.

use std::time::Duration;

use countersign::{
    config::{self, Settings},
    domain::role::Role,
};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::support::{Database, Raw, Socket, TestApp, text};

fn often(settings: &mut Settings) {
    settings.keep_alive = config::Duration(Duration::from_millis(50));
    settings.max_sockets_per_user = 1;
}

#[tokio::test]
async fn an_idle_socket_is_pinged_and_stays_open_while_it_answers() {
    let app = TestApp::start_with(Database::Sqlite, often).await;
    let mut socket = Socket::open(&app, &app.token(Role::Viewer).await).await;
    for _ in 0..5 {
        // Reading on answers the ping.
        assert!(matches!(socket.frame().await, Message::Ping(_)));
    }
    socket.subscribe("1", "{ __typename }", json!({})).await;
    assert_eq!(text(&socket.next().await, "/payload/data/__typename"), "Query");
}

#[tokio::test]
async fn a_client_that_does_not_answer_is_dropped() {
    const TEXT: u8 = 0x81;
    const PING: u8 = 0x89;
    let app = TestApp::start_with(Database::Sqlite, often).await;
    let token = app.token(Role::Viewer).await;
    let mut silent = Raw::upgrade(&app).await;
    let init = json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}});
    silent.send_frame(TEXT, init.to_string().as_bytes()).await;
    assert_eq!(silent.frame().await, (TEXT, br#"{"type":"connection_ack"}"#.to_vec()));
    let rest = silent.rest().await;
    assert!(rest.starts_with(&[PING, 0]), "first it is asked: {rest:?}");
    assert!(rest.len() <= 4, "it is not asked for ever: {rest:?}");
    // Its seat is free.
    Socket::open(&app, &token).await;
}
