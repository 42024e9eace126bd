//! Private networks are out of reach unless an operator allows them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::Router;
use countersign::{domain::agent::Method, engine::runners::FailureCode};

use super::{agent, run, runner, runner_with, serve};

#[tokio::test]
async fn private_addresses_are_refused_however_they_are_written() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let router = Router::new().fallback(move || async move { counted.fetch_add(1, Ordering::SeqCst).to_string() });
    let port = serve(router).await.port();
    let closed = runner_with(|_| {});
    for host in [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "0x7f.1",
        "2130706433",
        "0",
        "[::ffff:127.0.0.1]",
        "[::1]",
        // Names are resolved first: what counts is the address that they have.
        "localhost",
        "LOCALHOST",
    ] {
        let failure = run(&closed, &agent(Method::Get, format!("http://{host}:{port}/?k=hunter2")), "{}").await;
        let failure = failure.expect_err(host);
        assert_eq!((failure.code, failure.retryable), (FailureCode::Forbidden, false), "{host}: {}", failure.message);
        assert!(
            failure.message.contains("`http-allow`") && !failure.message.contains("hunter2"),
            "{}",
            failure.message
        );
    }
    // Not every machine knows this name.
    let failure = run(&closed, &agent(Method::Get, format!("http://localhost.:{port}/")), "{}").await;
    assert!(failure.is_err_and(|failure| [FailureCode::Forbidden, FailureCode::Network].contains(&failure.code)));
    assert_eq!(calls.load(Ordering::SeqCst), 0, "nobody was called");

    // Where the name has addresses of both families, the one that is allowed is used.
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
        let output = run(&runner(), &agent(Method::Get, format!("http://{host}:{port}/")), "{}").await;
        assert!(output.is_ok(), "{host}: {output:?}");
    }
    assert_eq!(calls.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_name_that_does_not_exist_can_be_tried_again() {
    let failure = run(&runner(), &agent(Method::Get, "http://nobody.invalid/".to_owned()), "{}").await;
    let failure = failure.expect_err("no such name");
    assert_eq!((failure.code, failure.retryable), (FailureCode::Network, true));
    assert!(failure.message.starts_with("cannot reach `http://nobody.invalid`: "), "{}", failure.message);
}
