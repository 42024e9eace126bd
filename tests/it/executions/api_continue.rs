//! New executions that continue others.

use countersign::domain::{execution::Status, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::api::{adding_workflow, claim, complete, start};
use crate::support::{Database, TestApp, at, text};

async fn failed(app: &TestApp, operator: &str, workflow: &str) -> String {
    let id = start(app, operator, workflow, json!({"a": 1})).await;
    let task = claim(app, operator, "checks").await;
    let fail = "mutation($id: ID!, $lease: String!) {
        failTask(input: {taskId: $id, leaseToken: $lease, message: \"no\", retryable: false}) { userErrors { message } } }";
    app.graphql(operator, fail, json!({"id": task["id"], "lease": task["leaseToken"]})).await;
    app.wait_for(id.parse().expect("an id"), Status::Failed).await;
    id
}

#[rstest]
#[tokio::test]
async fn a_failed_execution_is_resumed_with_what_it_has(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let first = failed(&app, &operator, &workflow).await;
    let resume = "mutation($id: ID!) { resumeFailedExecution(input: {executionId: $id, idempotencyKey: \"once\"}) {
        execution { id originKind originStep origin { id continuations { totalCount nodes { id } } }
            steps { kept status } } userErrors { message } } }";
    let answer = app.graphql(&operator, resume, json!({"id": first})).await;
    let resumed = at(&answer, "/data/resumeFailedExecution/execution");
    assert_eq!((&resumed["originKind"], &resumed["originStep"]), (&json!("RESUME"), &json!("check")));
    assert_eq!(resumed["origin"]["id"], json!(first));
    let id = text(resumed, "/id").to_owned();
    assert_eq!(at(resumed, "/origin/continuations"), &json!({"totalCount": 1, "nodes": [{"id": id}]}));
    assert_eq!(at(resumed, "/steps/0/kept"), &json!(true));
    let again = app.graphql(&operator, resume, json!({"id": first})).await;
    assert_eq!(text(&again, "/data/resumeFailedExecution/execution/id"), id, "the same key gives the same execution");

    let task = claim(&app, &operator, "checks").await;
    assert_eq!((&task["executionId"], &task["input"]), (&json!(id), &json!({"sum": 3})));
    complete(&app, &operator, &task, json!({"n": 1})).await;
    app.wait_for(id.parse().expect("an id"), Status::Completed).await;
    let query = "query($id: ID!) { execution(id: $id) { output steps { kept input output }
        events(first: 1) { nodes { ... on ExecutionQueued { keptStepKeys input } } } } }";
    let answer = app.graphql(&operator, query, json!({"id": id})).await;
    assert_eq!(at(&answer, "/data/execution/output"), &json!({"sum": 2}));
    let kept = json!({"kept": true, "input": null, "output": {"sum": 3}});
    assert_eq!(at(&answer, "/data/execution/steps/0"), &kept);
    let queued = json!({"keptStepKeys": ["add"], "input": {"a": 1, "b": 2}});
    assert_eq!(at(&answer, "/data/execution/events/nodes/0"), &queued);
}

#[tokio::test]
async fn a_fork_takes_another_input() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let first = failed(&app, &operator, &workflow).await;
    let fork = "mutation($id: ID!, $step: String!, $input: JSON) {
        forkExecution(input: {executionId: $id, fromStep: $step, input: $input}) {
            execution { id mode input originKind originStep } userErrors { path message } } }";
    let answer = app.graphql(&operator, fork, json!({"id": first, "step": "add", "input": {"a": 10}})).await;
    let forked = at(&answer, "/data/forkExecution/execution");
    assert_eq!(forked["input"], json!({"a": 10, "b": 2}), "{answer}");
    assert_eq!((&forked["originKind"], &forked["originStep"]), (&json!("FORK"), &json!("add")));
    let answer = app.graphql(&operator, fork, json!({"id": first, "step": "report"})).await;
    assert_eq!(at(&answer, "/data/forkExecution/execution"), &Value::Null);
    assert_eq!(at(&answer, "/data/forkExecution/userErrors/0/path"), &json!(["input", "fromStep"]));

    let retry = "mutation($id: ID!) { retryExecution(input: {executionId: $id}) {
        execution { originKind input } userErrors { message } } }";
    let answer = app.graphql(&operator, retry, json!({"id": first})).await;
    let retried = json!({"originKind": "RETRY", "input": {"a": 1, "b": 2}});
    assert_eq!(at(&answer, "/data/retryExecution/execution"), &retried);
}
