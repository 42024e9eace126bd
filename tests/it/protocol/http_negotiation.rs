//! Media types and status codes.

use reqwest::{StatusCode, header};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, Raw, TestApp, at, code, text};

const JSON: &str = "application/json";
const GRAPHQL: &str = "application/graphql-response+json";

async fn ask(app: &TestApp, accept: &str, query: &str) -> reqwest::Response {
    let request = app.http.post(app.url("/graphql")).header(header::ACCEPT, accept);
    request.json(&json!({ "query": query })).send().await.expect("an answer")
}

#[rstest]
#[case::of_old_clients(JSON, JSON)]
#[case::of_new_clients(GRAPHQL, GRAPHQL)]
#[case::both_in_order("application/graphql-response+json, application/json", GRAPHQL)]
#[case::both_weighed("application/graphql-response+json;q=0.5, application/json", JSON)]
#[case::anything("*/*", JSON)]
#[case::any_application("application/*", JSON)]
#[case::a_browser("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON)]
#[case::shouted("APPLICATION/GRAPHQL-RESPONSE+JSON", GRAPHQL)]
#[case::with_charset("application/graphql-response+json; charset=utf-8", GRAPHQL)]
#[tokio::test]
async fn the_client_chooses_the_media_type(#[case] accept: &str, #[case] expected: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let response = ask(&app, accept, "{ __typename }").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[header::CONTENT_TYPE], format!("{expected}; charset=utf-8"));
    assert_eq!(response.json::<Value>().await.expect("JSON"), json!({"data": {"__typename": "Query"}}));
}

#[tokio::test]
async fn without_an_accept_header_the_answer_is_plain_json() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::connect(&app).await;
    raw.send("GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: test\r\n\r\n").await;
    let answer = raw.answer().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.head.contains("content-type: application/json; charset=utf-8"), "{answer:?}");
    assert_eq!(answer.json(), json!({"data": {"__typename": "Query"}}));
}

#[rstest]
#[case("text/html")]
#[case("image/png, text/plain")]
#[case("application/json;q=0")]
#[case("application/json;q=0, */*")]
#[tokio::test]
async fn what_we_cannot_send_is_not_acceptable(#[case] accept: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let response = ask(&app, accept, "{ __typename }").await;
    assert_eq!(response.status(), StatusCode::NOT_ACCEPTABLE);
    let answer: Value = response.json().await.expect("GraphQL's JSON all the same");
    assert_eq!(code(&answer), "BAD_REQUEST");
    assert!(text(&answer, "/errors/0/message").contains("application/graphql-response+json"), "{answer}");
}

/// With `application/json` any well-formed request is answered with 200; with the newer type the status tells.
#[rstest]
#[case::parse("{", 400, "GRAPHQL_PARSE_FAILED")]
#[case::validation("{ nonsense }", 400, "GRAPHQL_VALIDATION_FAILED")]
#[case::depth("{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a}}}}}}}}}}}}}}}}", 400, "QUERY_TOO_DEEP")]
#[tokio::test]
async fn the_newer_type_tells_by_status_that_nothing_was_executed(
    #[case] query: &str,
    #[case] status: u16,
    #[case] expected: &str,
) {
    let app = TestApp::start(Database::Sqlite).await;
    for (accept, status) in [(GRAPHQL, status), (JSON, 200)] {
        let response = ask(&app, accept, query).await;
        assert_eq!(response.status(), status, "{accept}");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(code(&answer), expected, "{answer}");
        assert_eq!(answer.get("data"), None, "nothing was executed: {answer}");
    }
}

#[tokio::test]
async fn what_was_executed_is_200_even_if_all_of_it_failed() {
    let app = TestApp::start(Database::Sqlite).await;
    for accept in [GRAPHQL, JSON] {
        let response = ask(&app, accept, "{ viewer { displayName } }").await;
        assert_eq!(response.status(), StatusCode::OK, "{accept}");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(code(&answer), "UNAUTHENTICATED");
        assert_eq!(at(&answer, "/data"), &Value::Null, "it was executed: {answer}");
        assert_eq!(at(&answer, "/errors/0/path"), &json!(["viewer"]));
    }
}

#[tokio::test]
async fn a_variable_of_the_wrong_type_is_an_error_of_the_request() {
    let app = TestApp::start(Database::Sqlite).await;
    let query = "query($first: Int) { users(first: $first) { totalCount } }";
    for (accept, status) in [(GRAPHQL, 400), (JSON, 200)] {
        let request = app.http.post(app.url("/graphql")).header(header::ACCEPT, accept);
        let request = request.json(&json!({"query": query, "variables": {"first": "many"}}));
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status(), status, "{accept}");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(answer.get("data"), None, "{answer}");
    }
}

#[rstest]
#[case::nothing(None)]
#[case::text(Some("text/plain"))]
#[case::form(Some("application/x-www-form-urlencoded"))]
#[case::upload(Some("multipart/form-data; boundary=x"))]
#[case::raw_graphql(Some("application/graphql"))]
#[case::other_charset(Some("application/json; charset=utf-16"))]
#[case::nonsense(Some("json"))]
#[tokio::test]
async fn only_json_bodies_are_read(#[case] content_type: Option<&str>) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut request = app.http.post(app.url("/graphql")).body(r#"{"query":"{ __typename }"}"#);
    if let Some(content_type) = content_type {
        request = request.header(header::CONTENT_TYPE, content_type);
    }
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json; charset=utf-8");
    assert_eq!(code(&response.json().await.expect("JSON")), "BAD_REQUEST");
}

#[rstest]
#[case("application/json; charset=utf-8")]
#[case("application/json;charset=UTF-8")]
#[case("Application/JSON; charset=\"utf-8\"")]
#[tokio::test]
async fn json_in_utf_8_may_say_so(#[case] content_type: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let body = r#"{"query":"{ __type(name: \"Größe 🏃\") { name } }"}"#;
    let request = app.http.post(app.url("/graphql")).body(body).header(header::CONTENT_TYPE, content_type);
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.json::<Value>().await.expect("JSON"), json!({"data": {"__type": null}}));
}
