//! Somebody's own programs do the work of steps.

use countersign::domain::{agent::Kind, execution::Status, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::api::{adding_workflow, claim, complete, start};
use crate::support::{Database, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn a_worker_says_how_far_it_is(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;
    let task = claim(&app, &operator, "checks").await;
    let beat = "mutation($id: ID!, $lease: String!, $progress: Float) {
        heartbeatTask(input: {taskId: $id, leaseToken: $lease, progress: $progress, log: {level: WARN, message: \"slow\"}}) {
            cancelled leaseUntil userErrors { code path } } }";
    let variables = |progress: f64| json!({"id": task["id"], "lease": task["leaseToken"], "progress": progress});
    let answer = app.graphql(&operator, beat, variables(0.5)).await;
    assert_eq!(at(&answer, "/data/heartbeatTask/cancelled"), &json!(false), "{answer}");
    assert!(at(&answer, "/data/heartbeatTask/leaseUntil").is_string());
    let answer = app.graphql(&operator, beat, variables(1.5)).await;
    assert_eq!(at(&answer, "/data/heartbeatTask/userErrors/0/path"), &json!(["input", "progress"]));

    let query = "query($id: ID!) { execution(id: $id) { steps { progress }
        logs { totalCount nodes { stepKey level message } } } }";
    let answer = app.graphql(&operator, query, json!({"id": id})).await;
    assert_eq!(
        at(&answer, "/data/execution/steps"),
        &json!([{"progress": null}, {"progress": 0.5}, {"progress": null}])
    );
    let line = json!({"stepKey": "check", "level": "WARN", "message": "slow"});
    assert_eq!(at(&answer, "/data/execution/logs"), &json!({"totalCount": 1, "nodes": [line]}));

    let cancel = "mutation($id: ID!) { cancelExecution(input: {executionId: $id}) { userErrors { message } } }";
    app.graphql(&operator, cancel, json!({"id": id})).await;
    let answer = app.graphql(&operator, beat, variables(0.6)).await;
    assert_eq!(at(&answer, "/data/heartbeatTask/cancelled"), &json!(true), "{answer}");
    let answer = complete(&app, &operator, &task, json!({"n": 1})).await;
    assert_eq!(at(&answer, "/data/completeTask/userErrors/0/code"), "EXPIRED", "{answer}");
}

const NEXT: &str = "mutation($done: CompleteTaskInput!) { completeTask(input: $done) {
    execution { status } nextTasks { id leaseToken input } userErrors { code path } } }";

fn done(task: &Value, next: Value) -> Value {
    json!({"done": {"taskId": task["id"], "leaseToken": task["leaseToken"], "output": {"n": 1}, "claimNext": next}})
}

#[rstest]
#[tokio::test]
async fn a_worker_hands_in_and_takes_the_next_in_one_request(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let first = start(&app, &operator, &workflow, json!({"a": 1})).await;
    start(&app, &operator, &workflow, json!({"a": 5})).await;
    let task = claim(&app, &operator, "checks").await;
    let next = json!({"queue": "checks", "workerId": "w"});
    let answer = app.graphql(&operator, NEXT, done(&task, next.clone())).await;
    let payload = at(&answer, "/data/completeTask");
    assert_eq!(payload["userErrors"], json!([]), "{answer}");
    assert_eq!(payload["nextTasks"][0]["input"], json!({"sum": 7}), "{answer}");
    app.wait_for(first.parse().expect("an id"), Status::Completed).await;

    // What is wrong with one of them does not keep the other from being done.
    let second = &payload["nextTasks"][0];
    let answer =
        app.graphql(&operator, NEXT, done(second, json!({"queue": "checks", "workerId": "w", "max": 0}))).await;
    let payload = at(&answer, "/data/completeTask");
    let wrong = json!([{"code": "INVALID", "path": ["input", "claimNext", "max"]}]);
    assert_eq!((&payload["userErrors"], &payload["nextTasks"]), (&wrong, &json!([])), "{answer}");
    assert!(payload["execution"]["status"].is_string(), "{answer}");
    start(&app, &operator, &workflow, json!({"a": 6})).await;
    let answer = app.graphql(&operator, NEXT, done(second, next)).await;
    let payload = at(&answer, "/data/completeTask");
    assert_eq!(payload["userErrors"], json!([{"code": "EXPIRED", "path": ["input", "leaseToken"]}]), "{answer}");
    assert_eq!(payload["nextTasks"][0]["input"], json!({"sum": 8}), "{answer}");
}

#[tokio::test]
async fn what_is_handed_in_makes_room_for_the_next() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    app.agent("One", Kind::Worker, json!({"queue": "ones", "maxConcurrency": 1})).await;
    let workflow = app.workflow(json!({"name": "Ones", "steps": [{"key": "one", "agent": "One"}]})).await;
    for number in 0..2 {
        app.start_execution(workflow, json!({"number": number})).await;
    }
    let task = claim(&app, &operator, "ones").await;
    let next = json!({"queue": "ones", "workerId": "w"});
    let answer = app.graphql(&operator, NEXT, done(&task, next)).await;
    assert_eq!(at(&answer, "/data/completeTask/nextTasks/0/input"), &json!({"number": 1}), "{answer}");
}

#[tokio::test]
async fn a_failure_is_retried_and_then_told() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;
    let fail = "mutation($id: ID!, $lease: String!, $retryable: Boolean!) {
        failTask(input: {taskId: $id, leaseToken: $lease, message: \"no ink\", stack: \"at pen\", retryable: $retryable,
            usage: {tokens: 5}}) { execution { status steps { status error { message } } } userErrors { message } } }";
    let variables =
        |task: &Value, retryable: bool| json!({"id": task["id"], "lease": task["leaseToken"], "retryable": retryable});
    let task = claim(&app, &operator, "checks").await;
    let answer = app.graphql(&operator, fail, variables(&task, true)).await;
    let step = at(&answer, "/data/failTask/execution/steps/1");
    assert_eq!(step, &json!({"status": "RETRYING", "error": {"message": "no ink"}}));
    app.clock.advance(chrono::Duration::seconds(5));
    let task = claim(&app, &operator, "checks").await;
    assert_eq!(task["attempt"], 2);
    app.graphql(&operator, fail, variables(&task, false)).await;
    app.wait_for(id.parse().expect("an id"), Status::Failed).await;

    let query = "query($id: ID!) { execution(id: $id) { completionReason output usage { tokens }
        error { code message details retryable agent { name } stepKey stepNumber stepCount attempts input at keptOutputs }
        steps { error { stepKey attempts input retryable } } } }";
    let answer = app.graphql(&operator, query, json!({"id": id})).await;
    let found = at(&answer, "/data/execution");
    let mut error = found["error"].clone();
    assert!(error["at"].take().is_string());
    let expected = json!({
        "code": "WORKER", "message": "no ink", "details": "at pen", "retryable": false, "agent": {"name": "Checker"},
        "stepKey": "check", "stepNumber": 2, "stepCount": 3, "attempts": 2, "input": {"sum": 3}, "at": null,
        "keptOutputs": {"add": {"sum": 3}},
    });
    assert_eq!(error, expected);
    assert_eq!(found["output"], Value::Null);
    assert_eq!(found["usage"]["tokens"], 10.0);
    let told = json!({"stepKey": "check", "attempts": 2, "input": {"sum": 3}, "retryable": false});
    assert_eq!(found["steps"], json!([{"error": null}, {"error": told}, {"error": null}]));
}

#[tokio::test]
async fn a_lease_is_for_its_task_alone() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    start(&app, &operator, &workflow, json!({"a": 1})).await;
    start(&app, &operator, &workflow, json!({"a": 2})).await;
    let (one, other) = (claim(&app, &operator, "checks").await, claim(&app, &operator, "checks").await);
    let mixed = json!({"id": one["id"], "leaseToken": other["leaseToken"]});
    let answer = complete(&app, &operator, &mixed, json!({})).await;
    assert_eq!(at(&answer, "/data/completeTask/userErrors/0/path"), &json!(["input", "taskId"]), "{answer}");
    let forged = json!({"id": one["id"], "leaseToken": "nonsense"});
    let answer = complete(&app, &operator, &forged, json!({})).await;
    assert_eq!(at(&answer, "/data/completeTask/userErrors/0/path"), &json!(["input", "leaseToken"]), "{answer}");
    let other_workspace = app.create_workspace("elsewhere").await;
    let scope = countersign::domain::access::Scope::system(other_workspace.id);
    let stranger = app.token_in(scope, Role::Operator).await;
    let answer = complete(&app, &stranger, &one, json!({})).await;
    assert_eq!(at(&answer, "/data/completeTask/userErrors/0/code"), "NOT_FOUND", "{answer}");
    let bad = "mutation { claimTasks(input: {queue: \"checks\", workerId: \"\", max: 0}) {
        tasks { id } userErrors { path message } } }";
    let answer = app.graphql(&operator, bad, json!({})).await;
    assert_eq!(at(&answer, "/data/claimTasks/tasks"), &json!([]));
    assert_eq!(at(&answer, "/data/claimTasks/userErrors/0/path"), &json!(["input", "workerId"]));
    assert_eq!(text(&answer, "/data/claimTasks/userErrors/1/message"), "`max` is 0: give 1 to 100");
}
