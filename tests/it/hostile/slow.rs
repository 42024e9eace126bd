//! Clients that take their time, to keep connections from others.

use std::time::Duration;

use countersign::config::{self, Settings};
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{Database, PATIENCE, Raw, TestApp};

async fn impatient() -> TestApp {
    let soon = config::Duration(Duration::from_millis(300));
    TestApp::start_with(Database::Sqlite, |settings| settings.request_timeout = soon).await
}

/// The start of a request, or of HTTP/2, after which nothing more comes.
#[rstest]
#[case::nothing("")]
#[case::one_byte("G")]
#[case::half_a_head("GET /healthz HTTP/1.1\r\nhost: te")]
#[case::half_of_what_begins_http_2("PRI * HTTP/2.0\r\n")]
#[case::its_first_byte("P")]
#[tokio::test]
async fn a_request_that_does_not_come_is_not_waited_for(#[case] start: &str) {
    let app = impatient().await;
    let mut raw = Raw::connect(&app).await;
    raw.send(start).await;
    let rest = raw.rest().await;
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408 "), "{:?}", String::from_utf8_lossy(&rest));
}

#[tokio::test]
async fn a_head_that_comes_byte_by_byte_is_not_waited_for() {
    let app = impatient().await;
    let (mut read, mut write) = Raw::connect(&app).await.0.into_split();
    let drip = async {
        write.write_all(b"GET /healthz HTTP/1.1\r\n").await.expect("sent");
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        loop {
            ticks.tick().await;
            if write.write_all(b"x").await.is_err() {
                return std::future::pending().await;
            }
        }
    };
    let mut rest = Vec::new();
    tokio::select! {
        read = tokio::time::timeout(PATIENCE, read.read_to_end(&mut rest)) => drop(read.expect("the server hangs up")),
        () = drip => {}
    }
}

#[tokio::test]
async fn a_body_that_comes_byte_by_byte_is_not_waited_for() {
    let app = impatient().await;
    let (mut read, mut write) = Raw::connect(&app).await.0.into_split();
    let drip = async {
        let head =
            "POST /graphql HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n";
        write.write_all(head.as_bytes()).await.expect("sent");
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        loop {
            ticks.tick().await;
            if write.write_all(b" ").await.is_err() {
                return std::future::pending().await;
            }
        }
    };
    let mut answer = [0; 12];
    tokio::select! {
        read = tokio::time::timeout(PATIENCE, read.read_exact(&mut answer)) => drop(read.expect("in time").expect("an answer")),
        () = drip => {}
    }
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[tokio::test]
async fn a_connection_that_is_not_used_again_is_closed() {
    let app = impatient().await;
    let mut raw = Raw::connect(&app).await;
    raw.send("GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n").await;
    assert_eq!(raw.answer().await.status, 200);
    assert_eq!(raw.rest().await, b"");
}

#[tokio::test]
async fn silent_connections_do_not_keep_others_out_for_ever() {
    let soon = config::Duration(Duration::from_millis(300));
    let change = |settings: &mut Settings| {
        settings.request_timeout = soon;
        settings.max_connections = 5;
    };
    let app = TestApp::start_with(Database::Sqlite, change).await;
    let mut silent = Vec::new();
    for _ in 0..5 {
        silent.push(Raw::connect(&app).await);
    }
    // All seats are taken, so this one waits until one of them is thrown out.
    assert_eq!(app.http.get(app.url("/healthz")).send().await.expect("an answer").status(), 200);
}
