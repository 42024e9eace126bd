//! Methods, parameters and credentials.

use countersign::domain::role::Role;
use reqwest::{Method, StatusCode, header};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, code, text};

async fn get(app: &TestApp, token: Option<&str>, parameters: &[(&str, &str)]) -> reqwest::Response {
    let query: String = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let mut request = app.http.get(format!("{}?{query}", app.url("/graphql")));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    request.send().await.expect("an answer")
}

#[tokio::test]
async fn a_query_can_be_asked_with_get() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let document =
        "query One { __typename } query Two($first: Int!) { users(first: $first) { pageInfo { hasNextPage } } }";
    let parameters = [("query", document), ("operationName", "Two"), ("variables", r#"{"first": 3}"#)];
    let response = get(&app, Some(&token), &parameters).await;
    assert_eq!(response.status(), StatusCode::OK);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(at(&answer, "/data/users/pageInfo/hasNextPage"), false);
}

#[rstest]
#[case::no_query(&[], "`query` is missing")]
#[case::bad_variables(&[("query", "{__typename}"), ("variables", "{")], "`variables` is not JSON")]
#[case::list_of_variables(&[("query", "{__typename}"), ("variables", "[]")], "`variables` must be an object")]
#[case::bad_extensions(&[("query", "{__typename}"), ("extensions", "3")], "`extensions` must be an object")]
#[tokio::test]
async fn wrong_parameters_are_explained(#[case] parameters: &[(&str, &str)], #[case] expected: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let response = get(&app, None, parameters).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(code(&answer), "BAD_REQUEST");
    assert!(text(&answer, "/errors/0/message").contains(expected), "{answer}");
}

#[rstest]
#[case::unknown(json!({"query": "query A { __typename }", "operationName": "B"}), "no operation named `B`")]
#[case::which(json!({"query": "query A { __typename } query B { __typename }"}), "give `operationName`")]
#[tokio::test]
async fn the_operation_must_be_clear(#[case] body: Value, #[case] expected: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let request = app.http.post(app.url("/graphql")).header(header::ACCEPT, "application/graphql-response+json");
    let response = request.json(&body).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let answer: Value = response.json().await.expect("JSON");
    assert!(text(&answer, "/errors/0/message").contains(expected), "{answer}");
}

#[tokio::test]
async fn get_never_mutates() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let document = "query Look { __typename } mutation Make { createGroup(input: {name: \"G\"}) { group { id } } }";
    for accept in ["application/json", "application/graphql-response+json", "text/event-stream"] {
        let query: String = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("query", document), ("operationName", "Make")])
            .finish();
        let request = app.http.get(format!("{}?{query}", app.url("/graphql"))).bearer_auth(&token);
        let response = request.header(header::ACCEPT, accept).send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{accept}");
        assert_eq!(response.headers()[header::ALLOW], "POST", "{accept}");
        assert_eq!(code(&response.json().await.expect("JSON")), "BAD_REQUEST", "{accept}");
    }
    let answer = app.graphql(&token, "{ groups { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/totalCount"), 0);
}

#[tokio::test]
async fn a_subscription_needs_a_stream() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let response = app.post(Some(&token), "subscription { auditEvents { cursor } }", json!({})).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let answer: Value = response.json().await.expect("JSON");
    assert!(text(&answer, "/errors/0/message").contains("text/event-stream"), "{answer}");
}

#[rstest]
#[case(Method::PUT)]
#[case(Method::DELETE)]
#[case(Method::PATCH)]
#[case(Method::OPTIONS)]
#[case(Method::HEAD)]
#[tokio::test]
async fn other_methods_are_told_which_to_use(#[case] method: Method) {
    let app = TestApp::start(Database::Sqlite).await;
    let request = app.http.request(method.clone(), app.url("/graphql"));
    let response = request.json(&json!({"query": "{ __typename }"})).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(response.headers()[header::ALLOW], "GET, POST");
    // Nothing lets a page of another site call.
    assert_eq!(response.headers().get(header::ACCESS_CONTROL_ALLOW_ORIGIN), None);
    if method != Method::HEAD {
        assert_eq!(code(&response.json().await.expect("JSON")), "BAD_REQUEST");
    }
}

#[rstest]
#[case::unknown("Bearer cst_nonsense")]
#[case::other_scheme("Basic YTpi")]
#[case::no_token("Bearer")]
#[case::no_jwt("Bearer a.b.c")]
#[tokio::test]
async fn bad_credentials_are_refused_before_anything_is_done(#[case] authorization: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let mutation = "mutation { createGroup(input: {name: \"G\"}) { group { id } } }";
    for accept in ["application/json", "application/graphql-response+json", "text/event-stream"] {
        let request = app.http.post(app.url("/graphql")).header(header::ACCEPT, accept);
        let request = request.header(header::AUTHORIZATION, authorization).json(&json!({ "query": mutation }));
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{accept}");
        assert_eq!(response.headers()[header::WWW_AUTHENTICATE], "Bearer", "{accept}");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(code(&answer), "UNAUTHENTICATED");
        assert_eq!(answer.get("data"), None);
    }
}

#[tokio::test]
async fn answers_are_not_to_be_kept_or_framed() {
    let app = TestApp::start(Database::Sqlite).await;
    let response = get(&app, None, &[("query", "{__typename}")]).await;
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert_eq!(response.headers()[header::X_FRAME_OPTIONS], "DENY");
}
