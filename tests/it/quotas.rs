//! What runs away has an end, and says so.

use countersign::domain::{agent::Kind, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp};

const HEARTBEAT: &str = "mutation($input: HeartbeatTaskInput!) { heartbeatTask(input: $input) {
    cancelled leaseUntil userErrors { code message path } } }";
const CREATE: &str = "mutation($input: CreateDeliverableInput!) { createDeliverable(input: $input) {
    deliverable { id } upload { url } userErrors { code message path } } }";

#[rstest]
#[tokio::test]
async fn log_lines_of_an_execution(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, |settings| settings.max_log_lines = 3).await;
    let token = app.token(Role::Operator).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    app.start_execution(workflow, json!({})).await;
    let claim = r#"mutation { claimTasks(input: {queue: "q", workerId: "w"}) { tasks { id leaseToken } } }"#;
    let task = app.graphql(&token, claim, json!({})).await["data"]["claimTasks"]["tasks"][0].clone();
    let beat = async |said: Value| {
        let mut input = json!({"taskId": task["id"], "leaseToken": task["leaseToken"]});
        for (field, value) in said.as_object().expect("fields") {
            input[field] = value.clone();
        }
        app.graphql(&token, HEARTBEAT, json!({ "input": input })).await["data"]["heartbeatTask"].clone()
    };
    let line = json!({"log": {"level": "INFO", "message": "still at it"}});
    for said in [line.clone(), json!({"progress": 0.5}), line.clone()] {
        assert_eq!(beat(said).await["userErrors"], json!([]));
    }
    for (field, said) in [("log", line), ("progress", json!({"progress": 0.6}))] {
        let answer = beat(said).await;
        assert_eq!(answer["userErrors"][0]["code"], "LIMIT_REACHED", "{answer}");
        assert_eq!(answer["userErrors"][0]["path"], json!(["input", field]));
        assert_eq!(answer["cancelled"], false);
        assert!(answer["leaseUntil"].is_string(), "the lease goes on: {answer}");
    }
    assert_eq!(beat(json!({})).await["userErrors"], json!([]), "a plain heartbeat says nothing");
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn uploads_of_a_caller(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, |settings| settings.max_pending_uploads = 2).await;
    let (token, other) = (app.token(Role::Operator).await, app.signed_in(Role::Operator).await);
    let begin = async |token: &str| {
        let input = json!({"name": "a", "content": {"upload": {}}});
        app.graphql(token, CREATE, json!({ "input": input })).await["data"]["createDeliverable"].clone()
    };
    for _ in 0..2 {
        assert!(begin(&token).await["upload"]["url"].is_string());
    }
    let refused = begin(&token).await;
    assert_eq!(refused["userErrors"][0]["code"], "LIMIT_REACHED", "{refused}");
    assert!(begin(&other).await["upload"]["url"].is_string(), "others are not concerned");
    app.clock.advance(chrono::TimeDelta::hours(2));
    assert!(begin(&token).await["upload"]["url"].is_string(), "what has expired does not count");
}

#[rstest]
#[tokio::test]
async fn bytes_of_a_workspace(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, |settings| settings.max_stored_bytes = 10).await;
    let token = app.token(Role::Operator).await;
    let put = async |text: &str| {
        let input = json!({"name": "a", "content": {"text": text}});
        app.graphql(&token, CREATE, json!({ "input": input })).await["data"]["createDeliverable"].clone()
    };
    assert!(put("12345678").await["deliverable"]["id"].is_string());
    let refused = put("123").await;
    assert_eq!(refused["userErrors"][0]["code"], "LIMIT_REACHED", "{refused}");
    assert!(refused["userErrors"][0]["message"].as_str().expect("a message").contains("8 bytes"), "{refused}");
    assert!(put("12").await["deliverable"]["id"].is_string());
    let input = json!({"name": "b", "content": {"upload": {"size": 1}}});
    let refused = app.graphql(&token, CREATE, json!({ "input": input })).await["data"]["createDeliverable"].clone();
    assert_eq!(refused["userErrors"][0]["code"], "LIMIT_REACHED", "{refused}");
}

#[tokio::test]
async fn comments_on_a_checkpoint() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let steps = json!([{"key": "a", "agent": "Nothing", "gate": "ALWAYS"}]);
    let workflow = app.workflow(json!({"name": "Any", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    let origin = countersign::engine::Origin::default();
    for _ in 0..1_000 {
        app.engine.comment_on_checkpoint(ada, row.id, "Hm", &origin).await.expect("a comment");
    }
    let refused = crate::support::flows::refusal(app.engine.comment_on_checkpoint(ada, row.id, "Hm", &origin).await);
    assert_eq!(refused.code, countersign::domain::refusal::Code::LimitReached, "{}", refused.message);
    app.approve(ada, &row).await.expect("it can still be decided");
}
