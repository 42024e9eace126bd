//! What happens to executions, as pages and as streams.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::api::{adding_workflow, claim, complete, start};
use crate::support::{Database, EventStream, TestApp, at, code, text};

const KINDS: [&str; 10] = [
    "ExecutionQueued",
    "ExecutionStarted",
    "StepStarted",
    "StepCompleted",
    "StepScheduled",
    "StepStarted",
    "StepCompleted",
    "StepStarted",
    "StepCompleted",
    "ExecutionCompleted",
];

const EVENT: &str = "__typename cursor at actor { kind } execution { id }
    ... on StepStarted { stepKey attempt workerId agent { name } agentVersion }
    ... on StepScheduled { stepKey queue taskId }
    ... on StepCompleted { stepKey output usage { tokens } }
    ... on ExecutionCompleted { completionReason }";

#[rstest]
#[tokio::test]
async fn a_stream_replays_and_goes_on(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let (operator, viewer) = (app.token(Role::Operator).await, app.token(Role::Viewer).await);
    let workflow = adding_workflow(&app).await;
    let everything = format!("subscription {{ workspaceEvents {{ {EVENT} }} }}");
    let mut live = EventStream::open(&app, &viewer, &everything, json!({})).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;
    let mut seen: Vec<Value> = Vec::new();
    while seen.len() < 5 {
        seen.push(at(&live.next().await, "/data/workspaceEvents").clone());
    }
    assert_eq!(seen[4]["queue"], "checks");

    let query = format!(
        "subscription($id: ID!, $after: String) {{ executionEvents(executionId: $id, after: $after) {{ {EVENT} }} }}"
    );
    let mut resumed = EventStream::open(&app, &viewer, &query, json!({"id": id, "after": seen[0]["cursor"]})).await;
    let task = claim(&app, &operator, "checks").await;
    assert_eq!(seen[4]["taskId"], task["id"]);
    complete(&app, &operator, &task, json!({"n": 4})).await;
    while seen.len() < KINDS.len() {
        seen.push(at(&live.next().await, "/data/workspaceEvents").clone());
    }
    let kinds: Vec<&str> = seen.iter().map(|event| text(event, "/__typename")).collect();
    assert_eq!(kinds, KINDS);
    for event in seen.iter().skip(1) {
        assert_eq!(at(&resumed.next().await, "/data/executionEvents"), event);
    }
    assert_eq!((&seen[5]["workerId"], &seen[5]["stepKey"]), (&json!("w-1"), &json!("check")));
    assert_eq!((&seen[2]["workerId"], &seen[2]["agent"]["name"]), (&Value::Null, &json!("Adder")));
    assert_eq!((&seen[6]["output"], &seen[6]["usage"]["tokens"]), (&json!({"n": 4}), &json!(12.0)));
    assert_eq!(seen[9]["completionReason"], "SUCCESS");

    let query = format!("query($id: ID!) {{ execution(id: $id) {{ events {{ totalCount nodes {{ {EVENT} }} }} }} }}");
    let answer = app.graphql(&viewer, &query, json!({"id": id})).await;
    assert_eq!(at(&answer, "/data/execution/events/totalCount"), &json!(10));
    assert_eq!(at(&answer, "/data/execution/events/nodes"), &json!(seen));
    let query = "query($id: ID!, $after: String) { execution(id: $id) {
        next: events(first: 2, after: $after) { pageInfo { hasNextPage hasPreviousPage } nodes { __typename } }
        last: events(last: 1) { pageInfo { hasPreviousPage } nodes { __typename } }
        outputs: events(types: [STEP_COMPLETED]) { totalCount } } }";
    let answer = app.graphql(&viewer, query, json!({"id": id, "after": seen[0]["cursor"]})).await;
    let found = at(&answer, "/data/execution");
    assert_eq!(at(found, "/next/nodes"), &json!([{"__typename": KINDS[1]}, {"__typename": KINDS[2]}]));
    assert_eq!(at(found, "/next/pageInfo"), &json!({"hasNextPage": true, "hasPreviousPage": true}));
    assert_eq!(at(found, "/last/nodes"), &json!([{"__typename": KINDS[9]}]));
    assert_eq!(at(found, "/outputs/totalCount"), &json!(3));
}

#[tokio::test]
async fn streams_are_filtered() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let other = app.workflow(json!({"name": "Other", "steps": [{"key": "add", "agent": "Adder"}]})).await;
    let query = "subscription($workflow: ID!) { workspaceEvents(
        filter: {types: [EXECUTION_QUEUED, STEP_COMPLETED], workflowId: $workflow}) { __typename execution { id } } }";
    let mut stream = EventStream::open(&app, &operator, query, json!({"workflow": workflow})).await;
    start(&app, &operator, &other.to_string(), json!({"a": 5})).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;
    for kind in ["ExecutionQueued", "StepCompleted"] {
        let event = stream.next().await;
        assert_eq!(at(&event, "/data/workspaceEvents"), &json!({"__typename": kind, "execution": {"id": id}}));
    }
}

#[tokio::test]
async fn idle_workers_are_told_of_tasks() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let query = "subscription { taskAvailable(queue: \"checks\") { queue waiting } }";
    let mut stream = EventStream::open(&app, &operator, query, json!({})).await;
    start(&app, &operator, &workflow, json!({"a": 1})).await;
    assert_eq!(at(&stream.next().await, "/data/taskAvailable"), &json!({"queue": "checks", "waiting": 1}));
    let mut late = EventStream::open(&app, &operator, query, json!({})).await;
    assert_eq!(at(&late.next().await, "/data/taskAvailable"), &json!({"queue": "checks", "waiting": 1}));
}

#[tokio::test]
async fn an_unknown_execution_cannot_be_watched() {
    let app = TestApp::start(Database::Sqlite).await;
    let viewer = app.token(Role::Viewer).await;
    for (arguments, message) in [
        ("executionId: \"exec_01h455vb4pex5vsknk084sn02q\"", "there is no execution"),
        ("executionId: \"x\"", "`executionId`: `x` is not an id"),
    ] {
        let query = format!("subscription {{ executionEvents({arguments}) {{ at }} }}");
        let answer = EventStream::open(&app, &viewer, &query, json!({})).await.next().await;
        assert_eq!(code(&answer), "BAD_USER_INPUT", "{answer}");
        assert!(text(&answer, "/errors/0/message").contains(message), "{answer}");
    }
}
