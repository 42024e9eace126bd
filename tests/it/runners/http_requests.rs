//! What is sent.

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, Method as HttpMethod, Uri},
    routing::any,
};
use countersign::{
    domain::agent::Method,
    engine::{runners::FailureCode, secrets::Secrets},
};
use serde_json::{Map, Value, json};

use super::{agent, run, run_with, runner, serve, with_header};
use crate::support::{PATIENCE, text};

/// Answers with what it was asked.
fn mirror() -> Router {
    let describe = |method: HttpMethod, uri: Uri, headers: HeaderMap, body: Bytes| async move {
        let headers: Map<String, Value> = headers
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into()))
            .collect();
        let body = String::from_utf8_lossy(&body).into_owned();
        json!({"method": method.as_str(), "uri": uri.to_string(), "headers": headers, "body": body}).to_string()
    };
    Router::new().route("/bytes", any(|body: Bytes| async move { body })).fallback(describe)
}

#[tokio::test]
async fn a_call_carries_its_input_and_where_it_comes_from() {
    let address = serve(mirror()).await;
    let agent = agent(Method::Post, format!("http://{address}/a"));
    let agent = with_header(agent, "X-Customer", "c-{{ input.id }} {{ input.name }}");
    let output = run(&runner(), &agent, r#"{"id": 7,  "name": "Zoë"}"#).await.expect("an output").to_value();
    assert_eq!(text(&output, "/method"), "POST");
    assert_eq!(text(&output, "/body"), r#"{"id": 7,  "name": "Zoë"}"#, "the exact text");
    for (name, value) in [
        ("content-type", "application/json"),
        ("accept", "application/json"),
        ("user-agent", concat!("countersign/", env!("CARGO_PKG_VERSION"))),
        ("idempotency-key", "key-1"),
        ("x-countersign-step", "fetch"),
        ("x-customer", "c-7 Zoë"),
    ] {
        assert_eq!(text(&output, &format!("/headers/{name}")), value);
    }
    assert!(text(&output, "/headers/x-countersign-execution").starts_with("exec_"));
    assert_eq!(output.pointer("/headers/accept-encoding"), None);
}

#[tokio::test]
async fn values_pass_exactly_both_ways() {
    let address = serve(mirror()).await;
    let exact = r#"{"z":123456789012345678901234567890,"a":[1.0,-0.0,0.1000,1E5,[],{}],"":"é\u0001","n":null}"#;
    for method in [Method::Post, Method::Put, Method::Patch] {
        let agent = agent(method, format!("http://{address}/bytes"));
        assert_eq!(run(&runner(), &agent, exact).await.expect("an output").text(), exact);
    }
}

#[tokio::test]
async fn get_and_delete_send_no_body() {
    let address = serve(mirror()).await;
    for method in [Method::Get, Method::Delete] {
        let agent = agent(method, format!("http://{address}/a"));
        let output = run(&runner(), &agent, r#"{"id": 7}"#).await.expect("an output").to_value();
        assert_eq!(text(&output, "/method"), method.as_str());
        assert_eq!(text(&output, "/body"), "");
        assert_eq!(output.pointer("/headers/content-type"), None);
        assert_eq!(output.pointer("/headers/transfer-encoding"), None);
    }
}

#[tokio::test]
async fn what_is_put_into_a_url_stays_in_its_place() {
    let address = serve(mirror()).await;
    let url = format!("http://{address}/users/{{{{ input.id }}}}/x?q={{{{ input.id }}}}&k={{{{ secret.KEY }}}}");
    let mut secrets = Secrets::default();
    secrets.insert("KEY", Ok("s&t".into()));
    let agent = agent(Method::Get, url);
    let output = run_with(&runner(), &agent, r#"{"id": "../a?b#c&d"}"#, &secrets, PATIENCE).await.expect("an output");
    let expected = "/users/..%2Fa%3Fb%23c%26d/x?q=..%2Fa%3Fb%23c%26d&k=s%26t";
    assert_eq!(text(&output.to_value(), "/uri"), expected);
}

#[tokio::test]
async fn headers_can_be_chosen_but_not_ours() {
    let address = serve(mirror()).await;
    let url = format!("http://{address}/a");
    let chosen = with_header(agent(Method::Patch, url.clone()), "Content-Type", "application/merge-patch+json");
    let output = run(&runner(), &chosen, "{}").await.expect("an output").to_value();
    assert_eq!(text(&output, "/headers/content-type"), "application/merge-patch+json");
    for name in ["Idempotency-Key", "X-Countersign-Step", "Host", "Content-Length"] {
        let failure = run(&runner(), &with_header(agent(Method::Post, url.clone()), name, "1"), "{}").await;
        let failure = failure.expect_err(name);
        assert_eq!((failure.code, failure.retryable), (FailureCode::BadInput, false), "{name}");
        assert!(failure.message.contains(name), "{}", failure.message);
    }
}
