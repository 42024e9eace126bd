//! Redirects: followed at home, never to others.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Router,
    body::Bytes,
    extract::Path,
    http::{HeaderMap, Method as HttpMethod, StatusCode, header::LOCATION},
    routing::any,
};
use countersign::{
    domain::agent::Method,
    engine::{runners::FailureCode, secrets::Secrets},
};
use serde_json::json;

use super::{agent, run, run_with, runner, serve, with_header};
use crate::support::{PATIENCE, at, text};

/// `/STATUS/ADDRESS` redirects there, `/again/N` N times, and `/end` tells how it was called.
fn redirecting() -> Router {
    let end = |method: HttpMethod, headers: HeaderMap, body: Bytes| async move {
        let header = |name: &str| headers.get(name).map(|value| value.to_str().expect("text").to_owned());
        let described = json!({
            "method": method.as_str(),
            "body": String::from_utf8_lossy(&body),
            "key": header("idempotency-key"),
            "token": header("x-token"),
            "referer": header("referer"),
        });
        described.to_string()
    };
    let to = |Path((status, location)): Path<(u16, String)>| async move {
        (StatusCode::from_u16(status).expect("a status"), [(LOCATION, location)])
    };
    let again = |Path(times): Path<u32>| async move {
        let next = if times > 1 { format!("/again/{}", times - 1) } else { "/end".to_owned() };
        (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, next)])
    };
    Router::new().route("/end", any(end)).route("/again/{times}", any(again)).route("/{status}/{*location}", any(to))
}

#[tokio::test]
async fn redirects_to_the_same_server_are_followed() {
    let address = serve(redirecting()).await;
    let mut secrets = Secrets::default();
    secrets.insert("TOKEN", Ok("t0ken".into()));
    for (status, method) in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")] {
        let agent = agent(Method::Post, format!("http://{address}/{status}/%2Fend?k=hunter2"));
        let agent = with_header(agent, "X-Token", "{{ secret.TOKEN }}");
        let output = run_with(&runner(), &agent, r#"{"a":1}"#, &secrets, PATIENCE).await.expect("an output").to_value();
        assert_eq!(text(&output, "/method"), method, "{status}");
        assert_eq!(text(&output, "/body"), if method == "POST" { r#"{"a":1}"# } else { "" }, "{status}");
        assert_eq!(
            (text(&output, "/key"), text(&output, "/token")),
            ("key-1", "•••"),
            "it was sent, and does not come back"
        );
        assert_eq!(at(&output, "/referer"), &json!(null), "the address before may hold a secret");
    }
    let output = run(&runner(), &agent(Method::Post, format!("http://{address}/again/5")), "{}").await;
    assert_eq!(text(&output.expect("five are followed").to_value(), "/method"), "POST");
    let failure = run(&runner(), &agent(Method::Post, format!("http://{address}/again/6")), "{}").await;
    let failure = failure.expect_err("six are not");
    assert_eq!((failure.code, failure.retryable), (FailureCode::HttpStatus, false));
    assert_eq!(failure.message, format!("`http://{address}` redirected more than 5 times"));
}

#[tokio::test]
async fn redirects_to_others_are_refused() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let other =
        serve(Router::new().fallback(move || async move { counted.fetch_add(1, Ordering::SeqCst).to_string() }));
    let (other, address) = (other.await, serve(redirecting()).await);
    let port = address.port();
    for (location, shown) in [
        (format!("http:%2F%2F{other}%2Fend%3Fk=hunter2"), format!("http://{other}")),
        (format!("%2F%2F{other}%2Fend"), format!("http://{other}")),
        (format!("http:%2F%2Flocalhost:{port}%2Fend"), format!("http://localhost:{port}")),
        (format!("https:%2F%2F127.0.0.1:{port}%2Fend"), format!("https://127.0.0.1:{port}")),
        (format!("http:%2F%2F127.0.0.2:{port}%2Fend"), format!("http://127.0.0.2:{port}")),
    ] {
        let failure = run(&runner(), &agent(Method::Post, format!("http://{address}/307/{location}")), "{}").await;
        let failure = failure.expect_err(&location);
        assert_eq!((failure.code, failure.retryable), (FailureCode::HttpStatus, false), "{}", failure.message);
        let message = format!("`http://{address}` answered 307 Temporary Redirect and points to `{shown}`: ");
        assert!(failure.message.starts_with(&message), "{}", failure.message);
    }
    for location in ["ftp:%2F%2Fexample.com%2F", "file:%2F%2F%2Fetc%2Fpasswd", "http:%2F%2F"] {
        let failure = run(&runner(), &agent(Method::Post, format!("http://{address}/302/{location}")), "{}").await;
        let failure = failure.expect_err(location);
        assert_eq!((failure.code, failure.retryable), (FailureCode::HttpStatus, false), "{}", failure.message);
    }
    assert_eq!(calls.load(Ordering::SeqCst), 0, "nobody else was called");
}
