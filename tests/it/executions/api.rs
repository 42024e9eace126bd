//! What GraphQL shows of executions, and what it lets people do to them.

use countersign::domain::{agent::Kind, execution::Status, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, code, text};

/// Two numbers are added, then a worker looks at them, then nothing is left to do.
pub async fn adding_workflow(app: &TestApp) -> String {
    app.agent("Adder", Kind::Transform, json!({"fields": {"sum": "input.a + input.b"}})).await;
    app.agent("Checker", Kind::Worker, json!({"queue": "checks"})).await;
    let workflow = app
        .workflow(json!({
            "name": "Check a sum",
            "defaults": {"b": 2},
            "steps": [
                {"key": "add", "agent": "Adder"},
                {"key": "check", "agent": "Checker", "needs": ["add"], "input": {"sum": "/steps/add/sum"}},
                {"key": "report", "agent": "Adder", "needs": ["check"], "input": {"a": "/steps/check/n", "b": 1}},
            ],
        }))
        .await;
    workflow.to_string()
}

pub async fn start(app: &TestApp, token: &str, workflow: &str, input: Value) -> String {
    let query = "mutation($workflow: ID!, $input: JSON!) {
        startExecution(input: {workflowId: $workflow, input: $input}) { execution { id } userErrors { message } } }";
    let answer = app.graphql(token, query, json!({"workflow": workflow, "input": input})).await;
    text(&answer, "/data/startExecution/execution/id").to_owned()
}

/// Takes the next task of a queue.
pub async fn claim(app: &TestApp, token: &str, queue: &str) -> Value {
    let query = "mutation($queue: String!) { claimTasks(input: {queue: $queue, workerId: \"w-1\"}) {
        tasks { id leaseToken executionId stepKey attempt idempotencyKey input timeoutSeconds agent { name }
            execution { id status } }
        userErrors { message } } }";
    let mut head = app.engine.store().journal_head();
    let wait = async {
        loop {
            head.borrow_and_update();
            let answer = app.graphql(token, query, json!({"queue": queue})).await;
            if let Some(task) = at(&answer, "/data/claimTasks/tasks").get(0) {
                return task.clone();
            }
            head.changed().await.expect("the store lives");
        }
    };
    tokio::time::timeout(crate::support::PATIENCE, wait).await.expect("a task")
}

pub async fn complete(app: &TestApp, token: &str, task: &Value, output: Value) -> Value {
    let query = "mutation($id: ID!, $lease: String!, $output: JSON!) {
        completeTask(input: {taskId: $id, leaseToken: $lease, output: $output, confidence: 0.75, reasoning: \"because\",
            usage: {llmCalls: 1, tokens: 12, costMicros: 340}}) {
            execution { id status } userErrors { code message path } } }";
    app.graphql(token, query, json!({"id": task["id"], "lease": task["leaseToken"], "output": output})).await
}

#[rstest]
#[tokio::test]
async fn an_execution_shows_what_it_did(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    let viewer = app.token(Role::Viewer).await;
    let workflow = adding_workflow(&app).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;
    let task = claim(&app, &operator, "checks").await;
    assert_eq!(task["executionId"], json!(id));
    assert_eq!(task["stepKey"], "check");
    assert_eq!(task["input"], json!({"sum": 3}));
    assert_eq!(task["agent"]["name"], "Checker");
    assert_eq!(task["idempotencyKey"], json!(format!("{id}:check:1")));
    assert_eq!(task["timeoutSeconds"], 300.0);

    let query = "query($id: ID!) { execution(id: $id) {
        status isTest mode progress { done total percent } input context output correlationId
        workflow { name } workflowVersion { number } createdBy { kind } completionReason finishedAt
        currentSteps { key status }
        steps { key number of status attempt maxAttempts kept input output agent { name } agentVersion
            usage { llmCalls tokens costMicros } confidence reasoning }
        usage { llmCalls tokens costMicros } error { message } origin { id } continuations { totalCount } } }";
    let answer = app.graphql(&viewer, query, json!({"id": id})).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    let running = at(&answer, "/data/execution");
    assert_eq!(running["status"], "RUNNING");
    assert_eq!(running["output"], Value::Null);
    assert_eq!(running["input"], json!({"a": 1, "b": 2}));
    assert_eq!(running["context"], json!({"a": 1, "b": 2, "sum": 3}));
    assert_eq!(running["currentSteps"], json!([{"key": "check", "status": "RUNNING"}]));
    assert_eq!(running["progress"]["done"], 1);
    let pending = at(running, "/steps/2");
    assert_eq!((&pending["status"], &pending["input"]), (&json!("PENDING"), &Value::Null));
    assert_eq!((&pending["agent"]["name"], &pending["agentVersion"]), (&json!("Adder"), &Value::Null));

    let answer = complete(&app, &operator, &task, json!({"n": 41})).await;
    assert_eq!(at(&answer, "/data/completeTask/userErrors"), &json!([]));
    app.wait_for(id.parse().expect("an id"), Status::Completed).await;
    let answer = app.graphql(&viewer, query, json!({"id": id})).await;
    let done = at(&answer, "/data/execution");
    assert_eq!(done["output"], json!({"sum": 42}));
    assert_eq!(done["completionReason"], "SUCCESS");
    assert_eq!(done["progress"], json!({"done": 3, "total": 3, "percent": 100.0}));
    assert_eq!(done["workflow"]["name"], "Check a sum");
    assert_eq!(done["workflowVersion"]["number"], 1);
    assert_eq!(done["createdBy"]["kind"], "API_TOKEN");
    assert_eq!(done["usage"], json!({"llmCalls": 1, "tokens": 12.0, "costMicros": 340.0}));
    let check = at(done, "/steps/1");
    assert_eq!((&check["number"], &check["of"], &check["maxAttempts"]), (&json!(2), &json!(3), &json!(3)));
    assert_eq!((&check["input"], &check["output"]), (&json!({"sum": 3}), &json!({"n": 41})));
    assert_eq!((&check["confidence"], &check["reasoning"]), (&json!(0.75), &json!("because")));
    assert_eq!(at(done, "/steps/2/input"), &json!({"a": 41, "b": 1}));
}

#[tokio::test]
async fn bad_requests_say_what_is_wrong() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;

    for (query, message) in [
        ("{ execution(id: \"nonsense\") { id } }".to_owned(), "`id`: `nonsense` is not an id"),
        (format!("{{ execution(id: \"{workflow}\") {{ id }} }}"), "it must start with `exec_`"),
        (
            "{ executions(filter: {workflowId: \"x\"}) { totalCount } }".to_owned(),
            "`filter.workflowId`: `x` is not an id",
        ),
        ("{ executions(after: \"x\") { totalCount } }".to_owned(), "`after` is not a cursor"),
        (
            format!("{{ execution(id: \"{id}\") {{ events(after: \"x\") {{ totalCount }} }} }}"),
            "`after` is not a cursor",
        ),
    ] {
        let answer = app.graphql(&operator, &query, json!({})).await;
        assert_eq!(code(&answer), "BAD_USER_INPUT", "{answer}");
        assert!(text(&answer, "/errors/0/message").contains(message), "{answer}");
    }
    let unknown = "exec_01h455vb4pex5vsknk084sn02q";
    let answer = app.graphql(&operator, &format!("{{ execution(id: \"{unknown}\") {{ id }} }}"), json!({})).await;
    assert_eq!(at(&answer, "/data/execution"), &Value::Null);

    let start = |input: &str| format!("startExecution(input: {{workflowId: \"{workflow}\", input: {input}}})");
    for (mutation, path, error) in [
        (start("[1]"), "input", "must be an object"),
        (start("{a: \"\\u0000\"}"), "input", "`input` cannot be kept: a text has the character NUL"),
        (
            format!("startExecution(input: {{workflowId: \"{workflow}\", input: {{}}, version: 7}})"),
            "version",
            "the workflow has no version 7",
        ),
        (
            format!("startExecution(input: {{workflowId: \"{id}\", input: {{}}}})"),
            "workflowId",
            "it must start with `wf_`",
        ),
        (format!("pauseExecution(input: {{executionId: \"{unknown}\"}})"), "executionId", "there is no execution"),
        (format!("retryExecution(input: {{executionId: \"{id}\"}})"), "executionId", "cannot be retried"),
        (format!("forkExecution(input: {{executionId: \"{id}\", fromStep: \"x\"}})"), "fromStep", "has no step `x`"),
    ] {
        let query = format!("mutation {{ it: {mutation} {{ execution {{ id }} userErrors {{ path message }} }} }}");
        let answer = app.graphql(&operator, &query, json!({})).await;
        assert_eq!(at(&answer, "/data/it/userErrors/0/path"), &json!(["input", path]), "{answer}");
        assert!(text(&answer, "/data/it/userErrors/0/message").contains(error), "{answer}");
    }
}

#[tokio::test]
async fn people_pause_resume_and_cancel() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = adding_workflow(&app).await;
    let id = start(&app, &operator, &workflow, json!({"a": 1})).await;
    claim(&app, &operator, "checks").await;
    for (mutation, status) in [
        ("pauseExecution(input: {executionId: $id})", "PAUSED"),
        ("resumeExecution(input: {executionId: $id})", "RUNNING"),
        ("cancelExecution(input: {executionId: $id, reason: \"enough\"})", "CANCELLED"),
    ] {
        let query =
            format!("mutation($id: ID!) {{ it: {mutation} {{ execution {{ status }} userErrors {{ message }} }} }}");
        let answer = app.graphql(&operator, &query, json!({"id": id})).await;
        assert_eq!(at(&answer, "/data/it/execution/status"), status, "{answer}");
    }
    let query = "mutation($id: ID!) { pauseExecution(input: {executionId: $id}) { userErrors { code message } } }";
    let answer = app.graphql(&operator, query, json!({"id": id})).await;
    assert_eq!(at(&answer, "/data/pauseExecution/userErrors/0/code"), "CONFLICT");
    let query = "query($id: ID!) { execution(id: $id) { completionReason durationSeconds runningSeconds
        steps { status } events(last: 1) { nodes { __typename ... on ExecutionCancelled { reason } } } } }";
    let answer = app.graphql(&operator, query, json!({"id": id})).await;
    let found = at(&answer, "/data/execution");
    assert_eq!(found["steps"], json!([{"status": "COMPLETED"}, {"status": "CANCELLED"}, {"status": "PENDING"}]));
    assert_eq!(at(found, "/events/nodes/0"), &json!({"__typename": "ExecutionCancelled", "reason": "enough"}));
    assert!(found["runningSeconds"].as_f64() <= found["durationSeconds"].as_f64());
}
