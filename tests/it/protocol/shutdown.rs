//! Stopping the server while it is used.

use std::time::{Duration, Instant};

use countersign::{config, domain::role::Role};
use reqwest::StatusCode;
use serde_json::json;
use tokio::net::{TcpSocket, TcpStream};

use crate::support::{Database, EventStream, Raw, Socket, TestApp, at, text};

const WATCH: &str = "subscription { auditEvents { cursor } }";

/// The head of a request whose body the server asks for when it is about to read it.
fn slow_head(token: &str, body: &str) -> String {
    format!(
        "POST /graphql HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         expect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
}

#[tokio::test]
async fn whoever_is_connected_gets_an_answer_and_nobody_else_gets_in() {
    let mut app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("watch", WATCH, json!({})).await;
    let mut stream = EventStream::open(&app, &token, WATCH, json!({})).await;
    let mut check = Raw::connect(&app).await;
    check.send("GET /readyz HTTP/1.1\r\nhost: test\r\n").await;
    let mut slow = Raw::connect(&app).await;
    let body = json!({"query": "mutation { createGroup(input: {name: \"Last\"}) { group { name } } }"}).to_string();
    slow.send(slow_head(&token, &body)).await;
    assert!(slow.head().await.starts_with("http/1.1 100 "), "the request is under way");
    let mut idle = Raw::connect(&app).await;
    idle.send("GET /readyz HTTP/1.1\r\nhost: test\r\n\r\n").await;
    assert_eq!(idle.answer().await.status, 200);

    app.tasks.stop();
    assert_eq!(socket.next().await, json!({"type": "complete", "id": "watch"}));
    assert_eq!(socket.closed().await, (1001, "The server is stopping".to_owned()));
    stream.completed().await;
    // A connection without a request is closed, which happens after the port was given back.
    assert_eq!(idle.rest().await, b"");
    TcpStream::connect(app.address).await.expect_err("nobody new is let in");

    check.send("\r\n").await;
    let ready = check.answer().await;
    assert_eq!((ready.status, ready.body.as_str()), (503, "stopping\n"));
    slow.send(&body).await;
    let answer = slow.answer().await;
    assert_eq!(answer.status, 200);
    assert_eq!(text(&answer.json(), "/data/createGroup/group/name"), "Last");

    app.stop().await;
    let again = TestApp::start_on(app.database.clone(), app.clock.clone(), |_| {}).await;
    let answer = again.graphql(&token, "{ groups { nodes { name } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/nodes"), &json!([{"name": "Last"}]));
}

#[tokio::test]
async fn idle_connections_do_not_hold_up_the_end() {
    let mut app = TestApp::start(Database::Sqlite).await;
    let silent = Raw::connect(&app).await;
    // The client keeps its connection for the next request.
    assert_eq!(app.http.get(app.url("/healthz")).send().await.expect("an answer").status(), StatusCode::OK);
    let socket = Socket::connect(&app).await;
    let began = Instant::now();
    app.stop().await;
    assert!(began.elapsed() < Duration::from_secs(5), "it took {:?} of 10 s", began.elapsed());
    drop((silent, socket));
}

#[tokio::test]
async fn clients_that_do_nothing_do_not_hold_up_the_end() {
    const BOUND: Duration = Duration::from_secs(2);
    const BIG: usize = 10_000;
    let change = |settings: &mut config::Settings| settings.shutdown_timeout = config::Duration(BOUND);
    let mut app = TestApp::start_with(Database::Sqlite, change).await;
    let token = app.token(Role::Admin).await;
    // More than fits into the buffers between server and client.
    let name = "x".repeat(BIG);
    let before = app.latest_cursor(&token).await;
    let mut tx = app.engine.store().begin(app.engine.clock().now()).await.expect("a transaction");
    for _ in 0..1_000 {
        let action = countersign::domain::audit::Action::GroupCreated;
        tx.audit(app.scope(), action, None, json!({ "name": name }));
    }
    tx.commit().await.expect("a commit");
    let query = "subscription($after: String!) { auditEvents(after: $after) { entry { details } } }";
    let operation = json!({"query": query, "variables": {"after": before}});

    // One that sends no more of its body, one that reads no more of its events, by either way.
    let mut half = Raw::connect(&app).await;
    half.send(slow_head(&token, "{\"query\":")).await;
    assert!(half.head().await.starts_with("http/1.1 100 "));
    let mut deaf_stream = Raw(connect_with_small_buffer(&app).await);
    let body = operation.to_string();
    deaf_stream
        .send(format!(
            "POST /graphql HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {token}\r\naccept: text/event-stream\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ))
        .await;
    assert!(deaf_stream.head().await.starts_with("http/1.1 200 "));
    let mut deaf_socket = Raw::upgrade_on(connect_with_small_buffer(&app).await).await;
    let init = json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}});
    deaf_socket.send_frame(0x81, init.to_string().as_bytes()).await;
    assert_eq!(deaf_socket.frame().await, (0x81, br#"{"type":"connection_ack"}"#.to_vec()));
    let subscribe = json!({"type": "subscribe", "id": "1", "payload": operation});
    deaf_socket.send_frame(0x81, subscribe.to_string().as_bytes()).await;
    // The first event has come: the others are on their way.
    let mut first = [0; 4];
    tokio::io::AsyncReadExt::read_exact(&mut deaf_socket.0, &mut first).await.expect("an event");

    let began = Instant::now();
    app.stop().await;
    let took = began.elapsed();
    assert!(took < BOUND + BOUND / 2, "it took {took:?} of {BOUND:?}");
}

async fn connect_with_small_buffer(app: &TestApp) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4_096).expect("an option");
    socket.connect(app.address).await.expect("a connection")
}

#[tokio::test]
async fn a_request_that_hangs_in_the_database_does_not_hold_up_the_end() {
    const BOUND: Duration = Duration::from_secs(1);
    let change = |settings: &mut config::Settings| settings.shutdown_timeout = config::Duration(BOUND);
    let mut app = TestApp::start_with(Database::Sqlite, change).await;
    let token = app.token(Role::Admin).await;
    app.graphql(&token, "{ __typename }", json!({})).await;
    let lock = app.database.lock_for_writing().await;
    let mut slow = Raw::connect(&app).await;
    let body = json!({"query": "mutation { createGroup(input: {name: \"Last\"}) { group { name } } }"}).to_string();
    slow.send(slow_head(&token, &body)).await;
    assert!(slow.head().await.starts_with("http/1.1 100 "));
    slow.send(&body).await;
    // Another request that needs no lock is answered later than the first has begun.
    app.graphql(&token, "{ viewer { displayName } }", json!({})).await;

    let began = Instant::now();
    app.stop().await;
    let took = began.elapsed();
    assert!(took < BOUND * 3, "it took {took:?} of {BOUND:?}");
    drop(lock);
}
