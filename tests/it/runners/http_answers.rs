//! What comes back.

use std::{convert::Infallible, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::Path,
    http::{HeaderMap, StatusCode},
    response::IntoResponse,
    routing::{get, post},
};
use countersign::{
    domain::{agent::Method, json::Json},
    engine::{
        runners::{Failure, FailureCode},
        secrets::Secrets,
    },
};
use futures_util::{StreamExt, stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{agent, run, run_with, runner, runner_with, serve, with_header};
use crate::support::PATIENCE;

/// Calls a server that has one handler for everything.
async fn answer(response: impl IntoResponse + Clone + Send + Sync + 'static) -> Result<Json, Failure> {
    let address = serve(Router::new().fallback(move || async move { response })).await;
    run(&runner(), &agent(Method::Get, format!("http://{address}/a?key=hunter2")), "{}").await
}

#[tokio::test]
async fn a_secret_that_comes_back_is_taken_out_of_the_output() {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let echo = |headers: HeaderMap| async move {
        let sent = headers["authorization"].to_str().expect("text").to_owned();
        let hex: String = sent.bytes().map(|byte| format!("{byte:02X}")).collect();
        serde_json::json!({"plain": sent, "base64": BASE64_STANDARD.encode(&sent), "hex": [hex], &sent: 1.5})
            .to_string()
    };
    let address = serve(Router::new().fallback(echo)).await;
    let mut secrets = Secrets::default();
    secrets.insert("TOKEN", Ok("correct-horse-battery".into()));
    let agent =
        with_header(agent(Method::Get, format!("http://{address}/")), "Authorization", "Bearer {{ secret.TOKEN }}");
    let output = run_with(&runner(), &agent, "{}", &secrets, PATIENCE).await.expect("an output").text().to_owned();
    assert!(output.starts_with(r#"{"plain":"Bearer •••","base64":""#), "{output}");
    for form in ["horse", "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5", "b3JyZWN0LWhvcnNl", "686F727365"] {
        assert!(!output.contains(form), "{form}: {output}");
    }
    assert!(output.ends_with(r#""Bearer •••":1.5}"#), "{output}");
}

#[tokio::test]
async fn nothing_is_null() {
    assert_eq!(answer(StatusCode::NO_CONTENT).await, Ok(Json::null()));
    assert_eq!(answer((StatusCode::ACCEPTED, "")).await, Ok(Json::null()));
    assert_eq!(answer(" \n").await, Ok(Json::null()));
    assert_eq!(answer("null").await, Ok(Json::null()));
}

#[tokio::test]
async fn what_is_not_json_is_shown() {
    let page = format!("<html>{}", "x".repeat(1_000));
    let failure = answer(([("content-type", "text/html")], page)).await.expect_err("no JSON");
    assert_eq!((failure.code, failure.retryable), (FailureCode::BadOutput, false));
    assert!(failure.message.contains("`text/html`"), "{}", failure.message);
    assert!(failure.message.ends_with(&format!("`<html>{}`", "x".repeat(194))), "{}", failure.message);
    assert!(!failure.message.contains("hunter2"), "{}", failure.message);
    for (body, reason) in [(&b"{\"a\":1,\"a\":2}"[..], "twice"), (b"\"\xff\"", "UTF-8"), (b"{} {}", "trailing")] {
        let failure = answer(body).await.expect_err(reason);
        assert_eq!(failure.code, FailureCode::BadOutput);
        assert!(failure.message.contains(reason), "{}", failure.message);
    }
    let failure = answer(([("content-encoding", "gzip")], &b"\x1f\x8b\x08"[..])).await.expect_err("compressed");
    assert!(failure.message.contains("the encoding `gzip`, which is not read"), "{}", failure.message);
}

#[tokio::test]
async fn a_status_says_whether_another_try_may_help() {
    let router = Router::new().route(
        "/{status}",
        get(|Path(status): Path<u16>| async move { (StatusCode::from_u16(status).expect("a status"), "the reason") }),
    );
    let address = serve(router).await;
    for (status, retryable) in [
        (300, false),
        (304, false),
        (400, false),
        (401, false),
        (404, false),
        (408, true),
        (409, false),
        (425, true),
        (429, true),
        (500, true),
        (501, true),
        (503, true),
        (599, true),
    ] {
        let failure = run(&runner(), &agent(Method::Get, format!("http://{address}/{status}?k=hunter2")), "{}").await;
        let failure = failure.expect_err("no success");
        assert_eq!((failure.code, failure.retryable), (FailureCode::HttpStatus, retryable), "{status}");
        assert!(failure.message.starts_with(&format!("`http://{address}` answered {status}")), "{}", failure.message);
        // Nothing follows 304.
        assert_eq!(failure.details.as_deref(), (status != 304).then_some("the reason"));
    }
}

#[tokio::test]
async fn a_secret_that_comes_back_is_not_shown() {
    let echo = |headers: HeaderMap, body: Bytes| async move {
        let secret = headers["authorization"].to_str().expect("text").to_owned();
        let status = if body.as_ref() == b"1" { StatusCode::FORBIDDEN } else { StatusCode::OK };
        (status, format!("{}{secret} is wrong", "x".repeat(190)))
    };
    let address = serve(Router::new().route("/", post(echo))).await;
    let mut secrets = Secrets::default();
    secrets.insert("TOKEN", Ok("correct-horse-battery".into()));
    let agent = agent(Method::Post, format!("http://{address}"));
    let agent = with_header(agent, "Authorization", "{{ secret.TOKEN }}");
    for input in ["1", "2"] {
        let failure = run_with(&runner(), &agent, input, &secrets, PATIENCE).await.expect_err("no success");
        let shown = format!("{failure:?}");
        assert!(shown.contains("x•••") && !shown.contains("correct"), "{shown}");
    }
}

#[tokio::test]
async fn no_more_than_the_limit_is_read() {
    let endless = || async {
        let chunks = stream::repeat_with(|| Ok::<_, Infallible>(Bytes::from_static(&[b'1'; 100])));
        Body::from_stream(chunks)
    };
    let router = Router::new().route("/endless", get(endless)).route("/long", get(|| async { "1".repeat(1_001) }));
    let address = serve(router.route("/fits", get(|| async { "1".repeat(1_000) }))).await;
    let runner = runner_with(|settings| {
        settings.http_allow = "127.0.0.1/32".parse().expect("a network");
        settings.max_value_bytes = 1_000;
    });
    for (path, size) in [("endless", "more than 1000 bytes"), ("long", "1001 bytes")] {
        let failure = run(&runner, &agent(Method::Get, format!("http://{address}/{path}")), "{}").await;
        let failure = failure.expect_err(path);
        assert_eq!((failure.code, failure.retryable), (FailureCode::TooLarge, false));
        assert_eq!(failure.message, format!("`http://{address}` answered with {size}: at most 1000 are taken"));
    }
    let output = run(&runner, &agent(Method::Get, format!("http://{address}/fits")), "{}").await;
    assert_eq!(output.expect("an output").size(), 1_000);
}

#[tokio::test]
async fn the_time_is_for_all_of_it() {
    let stuck = || stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"{"))]).chain(stream::pending());
    let router = Router::new()
        .route("/silent", get(std::future::pending::<()>))
        .route("/stuck", get(move || async move { Body::from_stream(stuck()) }))
        .route("/broken", get(move || async move { (StatusCode::BAD_REQUEST, Body::from_stream(stuck())) }));
    let address = serve(router).await;
    let secrets = Secrets::default();
    for (path, code, retryable) in [
        ("silent", FailureCode::Timeout, true),
        ("stuck", FailureCode::Timeout, true),
        // What is known by then counts.
        ("broken", FailureCode::HttpStatus, false),
    ] {
        let agent = agent(Method::Get, format!("http://{address}/{path}"));
        let failure = run_with(&runner(), &agent, "{}", &secrets, Duration::from_millis(300)).await;
        let failure = failure.expect_err(path);
        assert_eq!((failure.code, failure.retryable), (code, retryable), "{path}: {}", failure.message);
    }
}

#[tokio::test]
async fn a_broken_connection_can_be_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        for answer in ["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"a\"", "220 mail.example.com ESMTP\r\n"] {
            let (mut socket, _) = listener.accept().await.expect("a connection");
            let mut request = [0; 1_024];
            assert_ne!(socket.read(&mut request).await.expect("a request"), 0);
            socket.write_all(answer.as_bytes()).await.expect("written");
        }
    });
    let agent = agent(Method::Post, format!("http://{address}/a?key=hunter2"));
    for why in ["no answer", "half an answer", "no HTTP", "nobody there"] {
        let failure = run(&runner(), &agent, "{}").await.expect_err(why);
        assert_eq!((failure.code, failure.retryable), (FailureCode::Network, true), "{why}: {}", failure.message);
        assert!(failure.message.contains(&format!("`http://{address}`")), "{why}: {}", failure.message);
        assert!(!failure.message.contains("hunter2"), "{why}: {}", failure.message);
    }
}
