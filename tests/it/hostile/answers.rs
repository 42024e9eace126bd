//! Answers that are large, and clients that do not take them.

use std::time::Duration;

use countersign::{
    config::{self, Settings},
    domain::{agent::Kind, role::Role},
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, EventStream, PATIENCE, Raw, Socket, TestApp, at, code, text};

const PREVIEW: &str = "query($input: PreviewWorkflowInput!) { previewWorkflow(input: $input) { steps { input } } }";

/// A preview whose answer has the sample input so many times.
fn preview(bytes: usize, times: usize) -> Value {
    let steps: Vec<Value> = (0..times)
        .map(|n| json!({"key": format!("s{n}"), "agent": "A", "needs": [], "input": {"v": "/input/v"}}))
        .collect();
    let definition = json!({"name": "Large", "steps": steps});
    json!({"input": {"definition": definition, "input": {"v": "x".repeat(bytes)}}})
}

async fn bounded(most: usize) -> (TestApp, String) {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_answer_bytes = most).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let token = app.token(Role::Viewer).await;
    (app, token)
}

#[track_caller]
fn assert_too_large(answer: &Value) {
    assert_eq!(code(answer), "ANSWER_TOO_LARGE", "{}", answer.to_string().chars().take(300).collect::<String>());
    assert_eq!(answer.get("data"), Some(&Value::Null));
    assert_eq!(at(answer, "/errors").as_array().map(Vec::len), Some(1));
    let message = text(answer, "/errors/0/message");
    assert!(message.contains("100000 bytes") && message.contains("smaller page"), "{message}");
}

#[tokio::test]
async fn an_answer_has_a_largest_size() {
    let (app, token) = bounded(100_000).await;
    let answer = app.graphql(&token, PREVIEW, preview(30_000, 3)).await;
    assert_eq!(answer.get("errors"), None, "{answer}");
    assert_eq!(text(&answer, "/data/previewWorkflow/steps/2/input/v").len(), 30_000);
    assert_too_large(&app.graphql(&token, PREVIEW, preview(30_000, 4)).await);
    // What JSON writes with six signs counts as six.
    let quotes = json!({"input": {"definition": {"name": "Q", "steps": [{"key": "s", "agent": "A"}]}, "input": {"v": "\u{1}".repeat(20_000)}}});
    assert_too_large(&app.graphql(&token, PREVIEW, quotes).await);
}

#[tokio::test]
async fn the_answers_of_a_batch_count_together() {
    let (app, token) = bounded(100_000).await;
    let operation = json!({"query": PREVIEW, "variables": preview(30_000, 2)});
    let batch = json!([operation, operation, {"query": "{ __typename }"}]);
    let request = app.http.post(app.url("/graphql")).bearer_auth(&token).json(&batch);
    let answers: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(at(&answers, "/0").get("errors"), None);
    assert_eq!(code(at(&answers, "/1")), "ANSWER_TOO_LARGE");
    assert_eq!(at(&answers, "/2/data/__typename"), "Query");
}

#[tokio::test]
async fn sockets_and_event_streams_have_the_same_bound() {
    let (app, token) = bounded(100_000).await;
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", PREVIEW, preview(30_000, 4)).await;
    let message = socket.next().await;
    assert_eq!(text(&message, "/type"), "next");
    assert_too_large(at(&message, "/payload"));
    assert_eq!(text(&socket.next().await, "/type"), "complete");

    let mut events = EventStream::open(&app, &token, PREVIEW, preview(30_000, 4)).await;
    assert_too_large(&events.next().await);
    events.completed().await;
}

/// A mutation that has happened is not undone, and its answer says so.
#[tokio::test]
async fn a_mutation_whose_answer_is_too_large_says_that_it_happened() {
    let (app, _) = bounded(100_000).await;
    let admin = app.token(Role::Admin).await;
    let aliases: String = (0..90).map(|n| format!("d{n}: description ")).collect();
    let mutation =
        format!("mutation($input: CreateGroupInput!) {{ createGroup(input: $input) {{ group {{ {aliases} }} }} }}");
    let input = json!({"input": {"name": "Large", "description": "\"".repeat(1_000)}});
    let answer = app.graphql(&admin, &mutation, input).await;
    assert_too_large(&answer);
    assert!(text(&answer, "/errors/0/message").contains("was carried out"), "{answer}");
    assert_eq!(at(&answer, "/errors/0/path/0"), "createGroup");
    let answer = app.graphql(&admin, "{ groups { nodes { name } } }", json!({})).await;
    assert!(answer.to_string().contains("\"Large\""), "{answer}");
}

#[rstest]
#[case::an_answer("application/json")]
#[case::an_event_stream("text/event-stream")]
#[tokio::test]
async fn a_client_that_does_not_read_is_thrown_out(#[case] accept: &str) {
    let change = |settings: &mut Settings| {
        settings.write_timeout = config::Duration(Duration::from_millis(300));
        settings.max_connections = 1;
    };
    let app = TestApp::start_with(Database::Sqlite, change).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let token = app.token(Role::Viewer).await;
    let mut raw = Raw::connect(&app).await;
    let body = json!({"query": PREVIEW, "variables": preview(1_000_000, 20)}).to_string();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {token}\r\naccept: {accept}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    raw.send(head).await;
    raw.send(body).await;
    // The only seat is taken, so this one waits until the other is thrown out.
    let other = app.http.get(app.url("/healthz")).send();
    let other = tokio::time::timeout(PATIENCE, other).await.expect("in time").expect("an answer");
    assert_eq!(other.status(), 200);
}

/// A subscription may be silent for as long as it wants: nothing waits for its client.
#[tokio::test]
async fn silence_is_not_taken_for_a_client_that_does_not_read() {
    let change = |settings: &mut Settings| {
        settings.write_timeout = config::Duration(Duration::from_millis(50));
        settings.keep_alive = config::Duration(Duration::from_millis(200));
    };
    let app = TestApp::start_with(Database::Sqlite, change).await;
    let admin = app.token(Role::Admin).await;
    let mut events = EventStream::open(&app, &admin, "subscription { auditEvents { cursor } }", json!({})).await;
    // Two comments that keep it alive are more than the time to read.
    for _ in 0..2 {
        events.block().await.expect("a comment");
    }
    app.write_audit_entries(0..1).await;
    assert_eq!(events.next().await.get("errors"), None);
}

/// Over HTTP/2 the client opens no window instead. What waits for it is dropped, and the answer broken off.
#[tokio::test]
async fn an_answer_over_http2_that_is_not_taken_is_dropped() {
    let change = |settings: &mut Settings| settings.write_timeout = config::Duration(Duration::from_millis(1));
    let app = TestApp::start_with(Database::Sqlite, change).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let token = app.token(Role::Viewer).await;
    let client = reqwest::Client::builder().http2_prior_knowledge().build().expect("a client");
    let body = json!({"query": PREVIEW, "variables": preview(1_000_000, 20)});
    let response = client.post(app.url("/graphql")).bearer_auth(&token).json(&body).send().await.expect("an answer");
    assert_eq!((response.status().as_u16(), response.version()), (200, reqwest::Version::HTTP_2));
    for _ in 0..50 {
        assert_eq!(app.http.get(app.url("/healthz")).send().await.expect("an answer").status(), 200);
    }
    assert!(response.bytes().await.is_err(), "the answer is broken off");
}

/// What is taken arrives whole.
#[tokio::test]
async fn a_large_answer_over_http2_arrives() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let token = app.token(Role::Viewer).await;
    let client = reqwest::Client::builder().http2_prior_knowledge().build().expect("a client");
    let body = json!({"query": PREVIEW, "variables": preview(1_000_000, 20)});
    let response = client.post(app.url("/graphql")).bearer_auth(&token).json(&body).send().await.expect("an answer");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(text(&answer, "/data/previewWorkflow/steps/19/input/v").len(), 1_000_000);
}

/// A worker that asks for more than fits gets what fits, and the rest is there for whoever asks next.
#[rstest]
#[tokio::test]
async fn tasks_that_do_not_fit_into_one_answer_wait_for_the_next(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, |settings| settings.max_answer_bytes = 100_000).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "s", "agent": "A"}]})).await;
    for _ in 0..3 {
        app.start_execution(workflow, json!({"v": "x".repeat(40_000)})).await;
    }
    let mut seen = std::collections::HashSet::new();
    for _ in 0..3 {
        let claimed = app.claim("a", 3).await;
        assert_eq!(claimed.len(), 1);
        seen.extend(claimed.iter().map(|task| task.lease.task));
    }
    assert_eq!((seen.len(), app.claim("a", 3).await.len()), (3, 0));
}
