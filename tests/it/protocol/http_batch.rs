//! Several operations in one request.

use countersign::domain::role::Role;
use reqwest::{StatusCode, header};
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, code, text};

async fn send(app: &TestApp, token: Option<&str>, operations: Value) -> reqwest::Response {
    let mut request = app.http.post(app.url("/graphql")).json(&operations);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    request.send().await.expect("an answer")
}

fn create(name: &str) -> Value {
    let query = "mutation($name: String!) { createGroup(input: {name: $name}) { group { name } userErrors { code } } }";
    json!({"query": query, "variables": {"name": name}})
}

#[tokio::test]
async fn operations_happen_one_after_the_other_and_answer_in_order() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let count = json!({"query": "{ groups { totalCount } }"});
    let operations = json!([count, create("A"), count, create("A"), create("B"), {"query": "{"}, count]);
    let response = send(&app, Some(&token), operations).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json; charset=utf-8");
    let answers: Value = response.json().await.expect("JSON");
    assert_eq!(answers.as_array().map(Vec::len), Some(7), "{answers}");
    assert_eq!(at(&answers, "/0/data/groups/totalCount"), 0);
    assert_eq!(at(&answers, "/1/data/createGroup/group/name"), "A");
    assert_eq!(at(&answers, "/2/data/groups/totalCount"), 1);
    assert_eq!(at(&answers, "/3/data/createGroup/userErrors/0/code"), "ALREADY_EXISTS");
    assert_eq!(at(&answers, "/4/data/createGroup/group/name"), "B");
    assert_eq!(code(&answers[5]), "GRAPHQL_PARSE_FAILED");
    assert_eq!(at(&answers, "/6/data/groups/totalCount"), 2);
}

#[tokio::test]
async fn a_batch_has_a_limit_and_at_least_one_operation() {
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.max_batch = 3).await;
    let operations = |count: usize| Value::Array(vec![json!({"query": "{ __typename }"}); count]);
    let answers: Value = send(&app, None, operations(3)).await.json().await.expect("JSON");
    assert_eq!(answers.as_array().map(Vec::len), Some(3));

    let response = send(&app, None, operations(4)).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(code(&answer), "BATCH_TOO_LARGE");
    assert_eq!(text(&answer, "/errors/0/message"), "the batch has 4 operations: at most 3 are allowed");

    for malformed in [json!([]), json!([1]), json!([{"query": "{ __typename }"}, null]), json!([{}])] {
        let response = send(&app, None, malformed.clone()).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{malformed}");
        assert_eq!(code(&response.json().await.expect("JSON")), "BAD_REQUEST", "{malformed}");
    }
}

#[tokio::test]
async fn a_batch_cannot_subscribe_or_stream() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let operations = json!([{"query": "subscription { auditEvents { cursor } }"}, {"query": "{ __typename }"}]);
    let answers: Value = send(&app, Some(&token), operations.clone()).await.json().await.expect("JSON");
    assert_eq!(code(&answers[0]), "BAD_REQUEST");
    assert_eq!(at(&answers, "/1/data/__typename"), "Query");

    let request = app.http.post(app.url("/graphql")).header(header::ACCEPT, "text/event-stream");
    let response = request.bearer_auth(&token).json(&operations).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(code(&response.json().await.expect("JSON")), "BAD_REQUEST");
}

#[tokio::test]
async fn a_sign_in_within_a_batch_sets_its_cookie() {
    let app = TestApp::start(Database::Sqlite).await;
    let person = app.person("ada@example.com", &[Role::Viewer]).await;
    let sign_in = json!({
        "query": "mutation($email: String!, $password: String!) {
            signIn(input: {email: $email, password: $password}) { session { accessToken } userErrors { code } } }",
        "variables": {"email": person.email, "password": crate::support::PASSWORD},
    });
    let wrong = json!({"query": sign_in["query"], "variables": {"email": person.email, "password": "not this one"}});
    let response = send(&app, None, json!([{"query": "{ __typename }"}, sign_in, wrong])).await;
    let cookies: Vec<String> = response
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .map(|value| value.to_str().expect("text").to_owned())
        .collect();
    let answers: Value = response.json().await.expect("JSON");
    assert!(at(&answers, "/1/data/signIn/session/accessToken").is_string(), "{answers}");
    assert_eq!(at(&answers, "/2/data/signIn/userErrors/0/code"), "INVALID_CREDENTIALS");
    let [cookie] = cookies.as_slice() else { panic!("one cookie, not {cookies:?}") };
    assert!(cookie.starts_with("countersign_refresh=") && cookie.contains("HttpOnly"), "{cookie}");

    // The cookie is that of the session which the batch began.
    let pair = cookie.split(';').next().expect("a pair").to_owned();
    let request = app.http.post(app.url("/graphql")).header(header::COOKIE, pair);
    let request = request.json(&json!({"query": "mutation { refreshSession { session { accessToken } } }"}));
    let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    assert!(at(&answer, "/data/refreshSession/session/accessToken").is_string(), "{answer}");
}
