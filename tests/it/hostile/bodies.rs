//! Requests that are too large, broken, or no requests at all.

use reqwest::{StatusCode, header};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::support::{Database, Raw, TestApp, at, code, text};

const HEAD: &str = "POST /graphql HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n";
const TWENTY_MEGABYTES: usize = 20 * 1024 * 1024;

#[tokio::test]
async fn a_body_that_is_announced_too_large_is_not_even_read() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::connect(&app).await;
    raw.send(format!("{HEAD}content-length: {TWENTY_MEGABYTES}\r\n\r\n{{")).await;
    let answer = raw.answer().await;
    assert_eq!(answer.status, 413);
    assert_eq!(code(&answer.json()), "BODY_TOO_LARGE");
    assert_eq!(text(&answer.json(), "/errors/0/message"), "the body is larger than 12582912 bytes");
}

#[tokio::test]
async fn whoever_sends_too_much_still_gets_to_read_why() {
    let app = TestApp::start(Database::Sqlite).await;
    for _ in 0..3 {
        let request = app.http.post(app.url("/graphql")).header(header::CONTENT_TYPE, "application/json");
        let response = request.body(vec![b' '; TWENTY_MEGABYTES]).send().await.expect("an answer, not a reset");
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        assert_eq!(code(&response.json().await.expect("JSON")), "BODY_TOO_LARGE");
    }
}

#[tokio::test]
async fn a_body_in_chunks_is_counted() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::connect(&app).await;
    raw.send(format!("{HEAD}transfer-encoding: chunked\r\n\r\n")).await;
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, " ".repeat(1 << 20));
    for _ in 0..20 {
        // The server answers before it has heard everything, and hangs up.
        if raw.0.write_all(chunk.as_bytes()).await.is_err() {
            break;
        }
    }
    let answer = raw.answer().await;
    assert_eq!(answer.status, 413);
    assert_eq!(code(&answer.json()), "BODY_TOO_LARGE");
}

#[rstest]
#[case::empty(b"".to_vec(), "not JSON")]
#[case::half(br#"{"query": "{ __typename"#.to_vec(), "not JSON")]
#[case::more(br#"{"query": "{ __typename }"} {}"#.to_vec(), "not JSON")]
#[case::a_text(br#""{ __typename }""#.to_vec(), "must be an object")]
#[case::a_number(b"7".to_vec(), "must be an object")]
#[case::null(b"null".to_vec(), "must be an object")]
#[case::invalid_utf_8(b"{\"query\": \"{ __typename \xff\xfe }\"}".to_vec(), "not JSON")]
#[case::a_nul(b"{\"query\": \"{ __typename \0 }\"}".to_vec(), "not JSON")]
#[case::half_a_surrogate(br#"{"query": "{ node(id: \"\ud800\") { id } }"}"#.to_vec(), "not JSON")]
#[case::utf_16(vec![0xff, 0xfe, b'{', 0, b'}', 0], "not JSON")]
#[case::nested(format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)).into_bytes(), "not JSON")]
#[case::nested_variables(
    format!(r#"{{"query": "{{ __typename }}", "variables": {{"v": {}1{}}}}}"#, "[".repeat(10_000), "]".repeat(10_000)).into_bytes(),
    "not JSON"
)]
#[case::nested_objects(
    format!(r#"{{"query": "{{ __typename }}", "variables": {}1{}}}"#, r#"{"a":"#.repeat(10_000), "}".repeat(10_000)).into_bytes(),
    "not JSON"
)]
#[case::gzip(vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "not JSON")]
#[tokio::test]
async fn a_body_that_is_no_request_is_explained(#[case] body: Vec<u8>, #[case] reason: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let request = app.http.post(app.url("/graphql")).header(header::CONTENT_TYPE, "application/json");
    let response = request.body(body).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(code(&answer), "BAD_REQUEST");
    assert!(text(&answer, "/errors/0/message").contains(reason), "{answer}");
    assert!(answer.to_string().len() < 300, "{answer}");
}

#[tokio::test]
async fn a_thousand_operations_are_too_many() {
    let app = TestApp::start(Database::Sqlite).await;
    let operations = vec![json!({"query": "{ __typename }"}); 1_000];
    let response = app.http.post(app.url("/graphql")).json(&operations).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(code(&response.json().await.expect("JSON")), "BATCH_TOO_LARGE");
}

#[tokio::test]
async fn variables_that_nobody_asked_for_are_ignored() {
    let app = TestApp::start(Database::Sqlite).await;
    let many: serde_json::Map<String, Value> = (0..100_000).map(|n| (format!("v{n}"), json!(n))).collect();
    let answer = app.anonymous("{ __typename }", Value::Object(many)).await;
    assert_eq!(at(&answer, "/data/__typename"), "Query");
}

#[rstest]
#[case("1e99999999999")]
#[case("-1e-99999999999")]
#[case("99999999999999999999999999999999999999")]
#[case("1.0")]
#[tokio::test]
async fn numbers_of_any_size_are_only_numbers(#[case] number: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let query = "query($first: Int) { users(first: $first) { totalCount } }";
    let body = format!(r#"{{"query": "{query}", "variables": {{"first": {number}, "nobody": {number}}}}}"#);
    let request = app.http.post(app.url("/graphql")).header(header::CONTENT_TYPE, "application/json");
    let answer: Value = request.body(body).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(code(&answer), "GRAPHQL_VALIDATION_FAILED", "{answer}");
}

/// What is not HTTP, or not ours, is turned away by the HTTP library.
#[rstest]
#[case::no_http("hello\r\n\r\n", 400)]
#[case::no_such_version("GET / HTTP/9.9\r\n\r\n", 400)]
#[case::a_header_without_a_name("GET /healthz HTTP/1.1\r\n: x\r\n\r\n", 400)]
#[case::a_nul_in_a_header("GET /healthz HTTP/1.1\r\nx: \0\r\n\r\n", 400)]
#[case::two_lengths("POST /graphql HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", 400)]
#[case::a_negative_length("POST /graphql HTTP/1.1\r\ncontent-length: -1\r\n\r\n", 400)]
#[case::a_chunk_that_is_none(
    "POST /graphql HTTP/1.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    400
)]
#[case::a_length_and_chunks("POST /graphql HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n", 400)]
#[tokio::test]
async fn what_is_not_http_is_a_bad_request(#[case] request: &str, #[case] status: u16) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::connect(&app).await;
    raw.send(request).await;
    assert_eq!(raw.answer().await.status, status);
}

#[tokio::test]
async fn too_many_or_too_large_headers_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let many: String = (0..1_000).map(|n| format!("x-{n}: y\r\n")).collect();
    let large = format!("x: {}\r\n", "y".repeat(2_000_000));
    for headers in [many, large] {
        let mut raw = Raw::connect(&app).await;
        // The server may hang up before it has heard everything.
        raw.0.write_all(format!("GET /healthz HTTP/1.1\r\nhost: test\r\n{headers}\r\n").as_bytes()).await.ok();
        assert_eq!(raw.answer().await.status, 431);
    }
    let mut raw = Raw::connect(&app).await;
    raw.send(format!("GET /{} HTTP/1.1\r\nhost: test\r\n\r\n", "x".repeat(100_000))).await;
    assert_eq!(raw.answer().await.status, 414);
}

#[rstest]
#[case("/assets/../../Cargo.toml")]
#[case("/assets/%2e%2e/%2e%2e/Cargo.toml")]
#[case("/assets/..%2f..%2fCargo.toml")]
#[case("/assets//etc/passwd")]
#[case("/assets/%00")]
#[case("/assets/")]
#[case("/%ff")]
#[case("//graphql")]
#[case("/graphql/")]
#[tokio::test]
async fn paths_that_lead_elsewhere_lead_nowhere(#[case] path: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut raw = Raw::connect(&app).await;
    raw.send(format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n")).await;
    let status = raw.answer().await.status;
    assert!(status == 404 || status == 400, "{status}");
}
