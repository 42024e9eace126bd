//! How often one caller, and one address without a credential, may use the API.

use countersign::{
    config::{List, Settings},
    domain::role::Role,
};
use reqwest::{Response, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};

use super::error_code;
use crate::support::{Database, Socket, TestApp, text};

const QUERY: &str = "{ __typename }";
/// Far more than any test allows, however slow the machine is.
const MANY: usize = 200;

/// Five at once, behind a proxy that tells where callers are.
async fn start(change: impl FnOnce(&mut Settings)) -> TestApp {
    TestApp::start_with(Database::Sqlite, |settings| {
        settings.trusted_proxies = List(vec!["127.0.0.1/32".parse().expect("a network")]);
        settings.rate_limit_burst = 5;
        settings.anonymous_rate_limit_burst = 5;
        change(settings);
    })
    .await
}

async fn send(app: &TestApp, token: Option<&str>, from: &str) -> Response {
    let request = app.request(QUERY, json!({})).header("x-forwarded-for", from);
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    request.header("accept", "application/graphql-response+json").send().await.expect("an answer")
}

/// Sends until the limit is reached, and gives what came before and the refusal.
async fn until_limited(app: &TestApp, token: Option<&str>, from: &str) -> (Vec<StatusCode>, Response) {
    let mut before = Vec::new();
    for _ in 0..MANY {
        let response = send(app, token, from).await;
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            return (before, response);
        }
        before.push(response.status());
    }
    panic!("{MANY} requests were let through");
}

async fn assert_limited(response: Response) {
    let after: u64 = response.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert_eq!(after, 1, "one comes back each second");
    assert_eq!(response.headers()["content-type"], "application/graphql-response+json; charset=utf-8");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(error_code(&answer), "RATE_LIMITED");
    assert_eq!(answer["errors"][0]["extensions"]["retryAfterSeconds"], 1);
    assert_eq!(text(&answer, "/errors/0/message"), "too many requests: try again in 1 s");
}

#[tokio::test]
async fn a_token_that_calls_too_often_waits() {
    let app = start(|settings| settings.rate_limit = 1).await;
    let (one, other) = (app.token(Role::Viewer).await, app.token(Role::Viewer).await);
    let (before, refused) = until_limited(&app, Some(&one), "203.0.113.1").await;
    assert!(before.len() >= 5 && before.iter().all(|status| *status == 200), "{before:?}");
    assert_limited(refused).await;
    // Elsewhere it is the same token, and its neighbour is another.
    until_limited(&app, Some(&one), "203.0.113.2").await;
    assert_eq!(send(&app, Some(&other), "203.0.113.1").await.status(), 200);
}

#[tokio::test]
async fn the_sessions_of_one_person_count_together() {
    let app = start(|settings| settings.rate_limit = 1).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let there = super::sign_out::browse(&app, "ada@example.com", "there").await;
    until_limited(&app, Some(&ada.access_token), "203.0.113.1").await;
    let (before, _) = until_limited(&app, Some(&there.token), "203.0.113.1").await;
    assert!(before.len() < 5, "{before:?}");
}

#[rstest]
#[case::nothing(None, 200)]
#[case::unknown(Some("cst_unknown"), 401)]
#[case::nonsense(Some("x"), 401)]
#[tokio::test]
async fn an_address_without_a_credential_waits(#[case] token: Option<&str>, #[case] status: u16) {
    let app = start(|settings| settings.anonymous_rate_limit = 1).await;
    let good = app.token(Role::Viewer).await;
    // Whoever has one IPv6 address has the network around it.
    let (before, refused) = until_limited(&app, token, "2001:db8::1").await;
    assert!(before.len() >= 5 && before.iter().all(|found| *found == status), "{before:?}");
    assert_limited(refused).await;
    let (before, _) = until_limited(&app, token, "2001:db8::2").await;
    assert!(before.len() < 5, "{before:?}");
    assert_eq!(send(&app, token, "2001:db8:0:1::1").await.status(), status);
    // A good credential does not suffer from its neighbours.
    for _ in 0..20 {
        assert_eq!(send(&app, Some(&good), "2001:db8::1").await.status(), 200);
    }
}

#[tokio::test]
async fn every_operation_of_a_batch_counts() {
    let app = start(|settings| settings.rate_limit = 1).await;
    let token = app.token(Role::Viewer).await;
    let batch = json!([{"query": QUERY}, {"query": QUERY}, {"query": QUERY}]);
    let mut batches = 0;
    loop {
        let response = app.http.post(app.url("/graphql")).json(&batch).bearer_auth(&token).send().await.expect("sent");
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        assert_eq!(response.status(), 200);
        batches += 1;
        assert!(batches < MANY, "no batch was refused");
    }
    assert!(batches >= 1);
}

#[rstest]
#[case("/audit.jsonl")]
#[case("/learning-cases.jsonl")]
#[case("/deliverables/dlv_01h455vb4pex5vsknk084sn02q/content")]
#[case("/executions/exec_01h455vb4pex5vsknk084sn02q/deliverables.zip")]
#[tokio::test]
async fn all_of_the_api_counts(#[case] path: &str) {
    let app = start(|settings| {
        settings.rate_limit = 1;
        settings.anonymous_rate_limit = 1;
    })
    .await;
    let token = app.token(Role::Admin).await;
    for token in [Some(&token), None] {
        let mut sent = 0;
        loop {
            let request = app.http.get(app.url(path));
            let request = token.map_or(request.try_clone().expect("a copy"), |token| request.bearer_auth(token));
            let response = request.send().await.expect("an answer");
            if response.status() == StatusCode::TOO_MANY_REQUESTS {
                assert_eq!(response.headers()["retry-after"], "1");
                break;
            }
            sent += 1;
            assert!(sent < MANY, "{path} is not limited");
        }
        assert!(sent >= 5);
    }
    assert_eq!(app.http.get(app.url("/healthz")).send().await.expect("an answer").status(), 200);
}

#[tokio::test]
async fn operations_on_a_socket_count() {
    let app = start(|settings| settings.rate_limit = 1).await;
    let token = app.token(Role::Viewer).await;
    let mut socket = Socket::open(&app, &token).await;
    for number in 0..MANY {
        let id = number.to_string();
        socket.subscribe(&id, QUERY, json!({})).await;
        let message = socket.next().await;
        if message["type"] == "error" {
            assert_eq!(message["payload"][0]["extensions"]["code"], "RATE_LIMITED");
            assert_eq!(message["payload"][0]["extensions"]["retryAfterSeconds"], 1);
            assert!(number >= 5);
            // The socket goes on, and the limit is the token's.
            assert!(until_limited(&app, Some(&token), "203.0.113.1").await.0.len() < 5);
            socket.send(json!({"type": "ping"})).await;
            assert_eq!(socket.next().await, json!({"type": "pong"}));
            return;
        }
        assert_eq!(socket.next().await, json!({"type": "complete", "id": id}));
    }
    panic!("{MANY} operations were let through");
}

#[tokio::test]
async fn sockets_without_a_good_token_count() {
    let app = start(|settings| settings.anonymous_rate_limit = 1).await;
    let init = json!({"type": "connection_init", "payload": {"Authorization": "Bearer cst_unknown"}});
    for _ in 0..MANY {
        let upgrade = app
            .http
            .get(app.url("/graphql"))
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("sec-websocket-protocol", "graphql-transport-ws");
        if upgrade.send().await.expect("an answer").status() == StatusCode::TOO_MANY_REQUESTS {
            return;
        }
        let Ok(mut socket) = Socket::try_connect(&app).await else { return };
        socket.send(init.clone()).await;
        let (code, reason) = socket.closed().await;
        assert!(matches!(code, 4403 | 1013), "{code} {reason}");
    }
    panic!("{MANY} sockets were let through");
}
