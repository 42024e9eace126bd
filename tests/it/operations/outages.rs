//! While the database is away, callers are told to come back.

use std::time::{Duration, Instant};

use countersign::domain::{agent::Kind, role::Role};
use reqwest::{StatusCode, header};
use serde_json::{Value, json};

use crate::support::{Database, Forwarder, Fresh, Socket, TestApp, at, code, text};

const CREATE: &str = "mutation { createGroup(input: {name: \"G\"}) { group { id } } }";
const CLAIM: &str =
    "mutation { claimTasks(input: {queue: \"q\", workerId: \"w\"}) { tasks { id } userErrors { code } } }";

/// Much less than what a database is given to answer a request.
const SOON: Duration = Duration::from_secs(4);

async fn readiness(app: &TestApp) -> (StatusCode, Duration) {
    let began = Instant::now();
    let response = app.http.get(app.url("/readyz")).send().await.expect("an answer");
    (response.status(), began.elapsed())
}

async fn assert_not_ready(app: &TestApp) {
    // What was found a moment ago may be told again.
    tokio::time::timeout(SOON, async {
        loop {
            let (status, took) = readiness(app).await;
            assert!(took < SOON, "{took:?}");
            if status == StatusCode::SERVICE_UNAVAILABLE {
                return;
            }
        }
    })
    .await
    .expect("not ready");
}

#[track_caller]
fn assert_unavailable(response: &reqwest::Response) {
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let wait: u64 = response.headers()[header::RETRY_AFTER].to_str().expect("text").parse().expect("seconds");
    assert!(wait > 0);
}

async fn assert_refused(response: reqwest::Response) {
    assert_unavailable(&response);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(code(&answer), "UNAVAILABLE", "{answer}");
    assert!(at(&answer, "/errors/0/extensions/retryAfterSeconds").as_u64().is_some_and(|wait| wait > 0), "{answer}");
    assert!(text(&answer, "/errors/0/message").contains("try again"), "{answer}");
}

async fn behind(way: &Forwarder) -> TestApp {
    let fresh = Database::Postgres.fresh().await;
    let url = way.url.clone();
    TestApp::start_on(fresh, Default::default(), |settings| settings.database_url = Some(url)).await
}

#[tokio::test]
async fn without_postgres_everybody_is_told_to_come_back() {
    let fresh = Database::Postgres.fresh().await;
    let way = Forwarder::start(&fresh.url).await;
    let app = behind(&way).await;
    let token = app.token(Role::Admin).await;
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
    way.cut();
    assert_not_ready(&app).await;
    assert_refused(app.post(Some(&token), CREATE, json!({})).await).await;
    assert_refused(app.post(Some(&token), CLAIM, json!({})).await).await;
    let export = app.http.get(app.url("/audit.jsonl")).bearer_auth(&token).send().await.expect("an answer");
    assert_unavailable(&export);
    let mut socket = Socket::connect(&app).await;
    socket.send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}})).await;
    assert_eq!(socket.closed().await.0, 1013);
}

#[tokio::test]
async fn a_postgres_that_does_not_answer_is_noticed_soon() {
    let fresh = Database::Postgres.fresh().await;
    let way = Forwarder::start(&fresh.url).await;
    let app = behind(&way).await;
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
    way.stall();
    assert_not_ready(&app).await;
    way.cut();
}

#[tokio::test]
async fn a_database_that_takes_no_writes_is_not_ready() {
    let app = TestApp::start(Database::Sqlite).await;
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
    let lock = app.database.lock_for_writing().await;
    assert_not_ready(&app).await;
    drop(lock);
    tokio::time::timeout(SOON, async { while readiness(&app).await.0 != StatusCode::OK {} }).await.expect("ready");
}

#[tokio::test]
async fn a_postgres_that_takes_no_writes_is_not_ready() {
    let fresh = Fresh::empty_postgres(-1).await;
    let app = TestApp::start_on(fresh, Default::default(), |_| {}).await;
    let token = app.token(Role::Admin).await;
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
    // As after a failover: connections that are there read, and cannot write.
    let DatabaseName(name) = DatabaseName::of(&app.database);
    let mut connection = app.database.connect_postgres().await;
    let read_only = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    sea_orm::sqlx::Executor::execute(&mut connection, sea_orm::sqlx::AssertSqlSafe(read_only)).await.expect("set");
    let cut = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    sea_orm::sqlx::Executor::execute(&mut connection, cut).await.expect("cut");
    assert_not_ready(&app).await;
    assert_refused(app.post(Some(&token), CREATE, json!({})).await).await;
}

struct DatabaseName(String);

impl DatabaseName {
    fn of(fresh: &Fresh) -> Self {
        let countersign::config::DatabaseUrl::Postgres(url) = &fresh.url else { panic!("not a PostgreSQL") };
        Self(url::Url::parse(url).expect("a URL").path().trim_start_matches('/').to_owned())
    }
}

#[tokio::test]
async fn workers_are_not_told_that_nothing_waits_when_nothing_can_be_written() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    // That the token is used is noted once a minute.
    app.graphql(&token, "{ viewer { displayName } }", json!({})).await;
    let lock = app.database.lock_for_writing().await;
    assert_refused(app.post(Some(&token), CLAIM, json!({})).await).await;
    drop(lock);
    let answer = app.graphql(&token, CLAIM, json!({})).await;
    assert_eq!(at(&answer, "/data/claimTasks/tasks").as_array().map(Vec::len), Some(1), "{answer}");
}
