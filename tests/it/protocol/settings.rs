//! What operators can turn off, and what they look at.

use reqwest::{StatusCode, header};
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, TestApp, at, code, text};

#[tokio::test]
async fn introspection_can_be_turned_off() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.introspection = false).await;
    for query in ["{ __schema { types { name } } }", "{ __type(name: \"User\") { fields { name } } }"] {
        let answer = app.anonymous(query, json!({})).await;
        assert_eq!(code(&answer), "GRAPHQL_VALIDATION_FAILED", "{answer}");
        assert_eq!(text(&answer, "/errors/0/message"), "introspection is turned off on this server");
    }
    // Neither is the schema told piece by piece.
    let answer = app.anonymous("{ viewr { displayName } }", json!({})).await;
    assert!(!text(&answer, "/errors/0/message").contains("viewer"), "{answer}");
    assert_eq!(at(&app.anonymous("{ __typename }", json!({})).await, "/data/__typename"), "Query");
}

#[tokio::test]
async fn introspection_is_on_by_default() {
    let app = TestApp::start(Database::Sqlite).await;
    let answer = app.anonymous("{ __schema { queryType { name } } viewr }", json!({})).await;
    assert!(text(&answer, "/errors/0/message").contains("\"viewer\""), "a typo is recognised: {answer}");
    let answer = app.anonymous("{ __schema { queryType { name } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/__schema/queryType/name"), "Query");
}

#[tokio::test]
async fn graphiql_can_be_turned_off() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.graphiql = false).await;
    assert_eq!(app.http.get(app.url("/graphiql")).send().await.expect("an answer").status(), StatusCode::NOT_FOUND);
    // Nor does the console answer in its place.
    let browser = app.http.get(app.url("/graphiql")).header(header::ACCEPT, "text/html");
    assert_eq!(browser.send().await.expect("an answer").status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn metrics_are_open_to_this_machine_unless_there_is_a_token() {
    countersign::telemetry::metrics::install();
    let app = TestApp::start(Database::Sqlite).await;
    app.anonymous("{ __typename }", json!({})).await;
    let response = app.http.get(app.url("/metrics")).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/plain; version=0.0.4; charset=utf-8");
    let body = response.text().await.expect("a body");
    for line in ["# TYPE countersign_http_requests_total counter", "countersign_sockets ", "process_"] {
        assert!(body.contains(line), "no `{line}` in\n{body}");
    }
}

#[tokio::test]
async fn metrics_ask_for_their_token() {
    let secret = "a metrics token";
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.metrics_token = Some(secret.into())).await;
    for authorization in [None, Some("Bearer wrong"), Some("Basic a"), Some("Bearer a metrics toke"), Some(secret)] {
        let mut request = app.http.get(app.url("/metrics"));
        if let Some(value) = authorization {
            request = request.header(header::AUTHORIZATION, value);
        }
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{authorization:?}");
        assert_eq!(response.headers()[header::WWW_AUTHENTICATE], "Bearer");
        assert!(!response.text().await.expect("a body").contains("countersign_"));
    }
    let response = app.http.get(app.url("/metrics")).bearer_auth(secret).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
}

#[rstest]
#[case("0.0.0.0:0")]
#[case("[::]:0")]
#[tokio::test]
async fn metrics_are_closed_to_other_machines_without_a_token(#[case] listen: &str) {
    for (token, status) in [(None, StatusCode::FORBIDDEN), (Some("a metrics token"), StatusCode::OK)] {
        let app = TestApp::start_with(Database::Sqlite, |settings| {
            settings.listen = listen.parse().expect("an address");
            settings.metrics_token = token.map(Into::into);
        })
        .await;
        let url = format!("http://127.0.0.1:{}/metrics", app.address.port());
        let response = app.http.get(url).bearer_auth(token.unwrap_or("guess")).send().await.expect("an answer");
        assert_eq!(response.status(), status, "{listen}");
        let body = response.text().await.expect("a body");
        assert!(status == StatusCode::OK || body.contains("`metrics-token`"), "{body}");
    }
}

#[tokio::test]
async fn health_is_told_in_words_and_is_not_kept() {
    let app = TestApp::start(Database::Sqlite).await;
    for (path, body) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let response = app.http.get(app.url(path)).send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        assert_eq!(response.text().await.expect("a body"), body);
        assert_eq!(app.http.head(app.url(path)).send().await.expect("an answer").status(), StatusCode::OK);
        let other = app.http.post(app.url(path)).send().await.expect("an answer");
        assert_eq!(other.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert!(other.headers().contains_key(header::ALLOW));
    }
}
