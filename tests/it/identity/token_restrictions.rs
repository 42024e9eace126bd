//! A restricted token does what it is for, whichever way it comes in.

use countersign::{
    domain::{
        agent::Kind,
        role::{Role, Roles},
    },
    engine::commands::{CreateApiToken, Limits},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::refusals;
use crate::support::{Database, Socket, TestApp, at, code, text};

async fn token(app: &TestApp, limits: Limits) -> String {
    let roles: Roles = [Role::Operator, Role::Author, Role::Approver].into_iter().collect();
    let command = CreateApiToken { name: "limited".to_owned(), roles, limits, ..CreateApiToken::default() };
    app.make_token(app.scope(), command).await
}

fn only(name: &str) -> Option<Vec<String>> {
    Some(vec![name.to_owned()])
}

/// Runs a mutation and gives what was wrong, as code and message.
async fn wrong(app: &TestApp, token: &str, call: &str) -> Option<(String, String)> {
    let query = format!("mutation {{ it: {call} {{ userErrors {{ code message }} }} }}");
    let answer = app.graphql(token, &query, json!({})).await;
    let errors = at(&answer, "/data/it/userErrors").as_array().unwrap_or_else(|| panic!("{answer}")).clone();
    errors.first().map(|error| (text(error, "/code").to_owned(), text(error, "/message").to_owned()))
}

#[track_caller]
fn assert_restricted(found: Option<(String, String)>, to: &str) {
    let (code, message) = found.expect("refused");
    assert_eq!(code, "NOT_ALLOWED", "{message}");
    assert!(message.starts_with(&format!("the API token is restricted to the {to}: ")), "{message}");
}

/// Two agents of the same queue and one of another, and a workflow for each.
async fn library(app: &TestApp) -> [String; 3] {
    let mut workflows = Vec::new();
    for (name, queue) in [("Billing", "money"), ("Payroll", "money"), ("Mail", "letters")] {
        app.agent(name, Kind::Worker, json!({"queue": queue})).await;
        let definition = json!({"name": format!("{name} flow"), "steps": [{"key": "do", "agent": name}]});
        workflows.push(app.workflow(definition).await.to_string());
    }
    workflows.try_into().expect("three")
}

async fn start(app: &TestApp, token: &str, workflow: &str) -> String {
    let query = "mutation($id: ID!) { startExecution(input: {workflowId: $id, input: {}}) { execution { id } } }";
    text(&app.graphql(token, query, json!({"id": workflow})).await, "/data/startExecution/execution/id").to_owned()
}

async fn claim(app: &TestApp, token: &str, queue: &str) -> Value {
    let query = "mutation($queue: String!) { claimTasks(input: {queue: $queue, workerId: \"w\", max: 10}) {
        tasks { id leaseToken agent { name } } userErrors { code message } } }";
    at(&app.graphql(token, query, json!({"queue": queue})).await, "/data/claimTasks").clone()
}

fn ask(operation: &str) -> String {
    format!(
        "requestApproval(input: {{operationType: \"{operation}\", description: \"x\", parameters: {{}}, riskLevel: LOW}})"
    )
}

#[rstest]
#[tokio::test]
async fn operation_types(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let limited = token(&app, Limits { operation_types: only("refund"), ..Limits::default() }).await;
    let query = "mutation { requestApproval(input: {operationType: \" Refund\", description: \"x\", parameters: {},
        riskLevel: LOW}) { checkpoint { id digest } userErrors { message } } }";
    let asked = app.graphql(&limited, query, json!({})).await;
    let id = text(&asked, "/data/requestApproval/checkpoint/id");
    assert_restricted(wrong(&app, &limited, &ask("drop_table")).await, "operation types `refund`");
    let revise = |operation: &str| {
        ask(operation).replace("requestApproval(input: {", &format!("reviseProposal(input: {{checkpointId: \"{id}\", "))
    };
    assert_restricted(wrong(&app, &limited, &revise("drop_table")).await, "operation types `refund`");
    assert_eq!(wrong(&app, &limited, &revise("refund")).await, None);

    // What others ask for is not for it to decide or to speak about.
    let operator = app.token(Role::Operator).await;
    let foreign = app.graphql(&operator, &query.replace(" Refund", "drop_table"), json!({})).await;
    let (id, digest) = (
        text(&foreign, "/data/requestApproval/checkpoint/id"),
        text(&foreign, "/data/requestApproval/checkpoint/digest"),
    );
    for call in [
        format!("approveCheckpoint(input: {{checkpointId: \"{id}\", digest: \"{digest}\"}})"),
        format!("rejectCheckpoint(input: {{checkpointId: \"{id}\", digest: \"{digest}\", reason: \"x\"}})"),
        format!("answerClarification(input: {{checkpointId: \"{id}\", digest: \"{digest}\", answers: {{}}}})"),
        format!("commentOnCheckpoint(input: {{checkpointId: \"{id}\", comment: \"x\"}})"),
        format!("askAboutCheckpoint(input: {{checkpointId: \"{id}\", question: \"x\"}})"),
        format!("overrideAutoApproval(input: {{checkpointId: \"{id}\", reason: \"x\"}})"),
        format!("assignCheckpoint(input: {{checkpointId: \"{id}\"}})"),
    ] {
        assert_restricted(wrong(&app, &limited, &call).await, "operation types `refund`");
    }
}

#[rstest]
#[tokio::test]
async fn workflows(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let [billing, payroll, _] = library(&app).await;
    let limited = token(&app, Limits { workflows: only("Billing flow"), ..Limits::default() }).await;
    let operator = app.token(Role::Operator).await;
    let to = "workflows `Billing flow`";
    let (own, foreign) = (start(&app, &limited, &billing).await, start(&app, &operator, &payroll).await);
    for call in [
        format!("startExecution(input: {{workflowId: \"{payroll}\", input: {{}}}})"),
        format!("cancelExecution(input: {{executionId: \"{foreign}\"}})"),
        format!("pauseExecution(input: {{executionId: \"{foreign}\"}})"),
        format!("resumeExecution(input: {{executionId: \"{foreign}\"}})"),
        format!("retryExecution(input: {{executionId: \"{foreign}\"}})"),
        format!("resumeFailedExecution(input: {{executionId: \"{foreign}\"}})"),
        format!("forkExecution(input: {{executionId: \"{foreign}\", fromStep: \"do\"}})"),
        format!("createDeliverable(input: {{name: \"a.txt\", executionId: \"{foreign}\", content: {{text: \"x\"}}}})"),
        "createDeliverable(input: {name: \"a.txt\", content: {text: \"x\"}})".to_owned(),
        ask("refund"),
        "requestClarification(input: {questions: [{text: \"Why?\"}]})".to_owned(),
        format!("updateWorkflow(input: {{workflowId: \"{payroll}\", baseVersion: 1, source: \"name: x\"}})"),
        format!("archiveWorkflow(input: {{workflowId: \"{payroll}\"}})"),
        format!("discardWorkflowDraft(input: {{workflowId: \"{payroll}\"}})"),
        format!("restoreWorkflowVersion(input: {{workflowId: \"{payroll}\", version: 1, baseVersion: 1}})"),
        "createWorkflow(input: {source: \"name: x\"})".to_owned(),
    ] {
        assert_restricted(wrong(&app, &limited, &call).await, to);
    }
    assert_eq!(wrong(&app, &limited, &format!("pauseExecution(input: {{executionId: \"{own}\"}})")).await, None);

    // A deliverable of somebody else's execution.
    let query = "mutation($id: ID!) { createDeliverable(input: {name: \"a.txt\", executionId: $id,
        content: {text: \"x\"}}) { deliverable { id } } }";
    let made = app.graphql(&operator, query, json!({"id": foreign})).await;
    let id = text(&made, "/data/createDeliverable/deliverable/id");
    for call in [
        format!("addDeliverableVersion(input: {{deliverableId: \"{id}\", content: {{text: \"y\"}}}})"),
        format!("updateDeliverable(input: {{deliverableId: \"{id}\", name: \"b.txt\"}})"),
        format!("finalizeDeliverable(input: {{deliverableId: \"{id}\"}})"),
        format!("archiveDeliverable(input: {{deliverableId: \"{id}\"}})"),
        format!("restoreDeliverable(input: {{deliverableId: \"{id}\"}})"),
    ] {
        assert_restricted(wrong(&app, &limited, &call).await, to);
    }

    // Whoever takes the name of an allowed workflow is not meant by it.
    let rename = |name: &str| json!({"name": name, "steps": [{"key": "do", "agent": "Billing"}]});
    let update = "mutation($id: ID!, $definition: JSON!) { updateWorkflow(input: {workflowId: $id, baseVersion: 1,
        definition: $definition}) { userErrors { message } problems { message } } }";
    let author = app.token(Role::Author).await;
    for (id, name) in [(&billing, "Old"), (&payroll, "Billing flow")] {
        let answer = app.graphql(&author, update, json!({"id": id, "definition": rename(name)})).await;
        assert_eq!(at(&answer, "/data/updateWorkflow/userErrors"), &json!([]), "{answer}");
    }
    let call = format!("startExecution(input: {{workflowId: \"{payroll}\", input: {{}}}})");
    assert_restricted(wrong(&app, &limited, &call).await, "workflows `Old`");
}

#[rstest]
#[tokio::test]
async fn agents_and_queues(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let [billing, payroll, mail] = library(&app).await;
    let operator = app.token(Role::Operator).await;
    let by_agent = token(&app, Limits { agents: only("Payroll"), ..Limits::default() }).await;
    let by_queue = token(&app, Limits { queues: only("letters"), ..Limits::default() }).await;
    for workflow in [&billing, &payroll, &mail] {
        start(&app, &operator, workflow).await;
    }
    let refused = claim(&app, &by_queue, "money").await;
    assert_eq!(text(&refused, "/userErrors/0/code"), "NOT_ALLOWED");
    assert!(text(&refused, "/userErrors/0/message").contains("restricted to the queues `letters`"));
    let claimed = claim(&app, &by_agent, "money").await;
    assert_eq!(at(&claimed, "/tasks").as_array().map(Vec::len), Some(1), "{claimed}");
    assert_eq!(text(&claimed, "/tasks/0/agent/name"), "Payroll", "the older task of another agent is left alone");
    let own = at(&claimed, "/tasks/0");
    let foreign = at(&claim(&app, &operator, "money").await, "/tasks/0").clone();
    assert_eq!(text(&foreign, "/agent/name"), "Billing");

    let calls = |task: &Value| {
        let lease = format!("leaseToken: \"{}\"", text(task, "/leaseToken"));
        let of = format!("taskId: \"{}\", {lease}", text(task, "/id"));
        [
            format!("heartbeatTask(input: {{{of}}})"),
            ask("x").replace("(input: {", &format!("(input: {{{lease}, ")),
            format!("createDeliverable(input: {{name: \"a.txt\", {lease}, content: {{text: \"x\"}}}})"),
            format!("failTask(input: {{{of}, message: \"x\"}})"),
            format!("completeTask(input: {{{of}, output: {{}}}})"),
        ]
    };
    for call in calls(&foreign) {
        assert_restricted(wrong(&app, &by_agent, &call).await, "agents `Payroll`");
        assert_restricted(wrong(&app, &by_queue, &call).await, "queues `letters`");
    }
    assert_eq!(wrong(&app, &by_agent, &calls(own)[0]).await, None);

    for workflow in [&billing, &mail] {
        let call = format!("startExecution(input: {{workflowId: \"{workflow}\", input: {{}}}})");
        assert_restricted(wrong(&app, &by_agent, &call).await, "agents `Payroll`");
    }
    let flow = "createWorkflow(input: {source: \"{name: New, steps: [{key: a, agent: Mail}]}\"})";
    assert_restricted(wrong(&app, &by_agent, flow).await, "agents `Payroll`");
    let new = "createAgent(input: {name: \"New\", kind: WORKER, config: {queue: \"money\"}})";
    assert_restricted(wrong(&app, &by_agent, new).await, "agents `Payroll`");
    assert_restricted(wrong(&app, &by_queue, new).await, "queues `letters`");
    let mail = app.engine.store().agent_by_name(app.scope(), "Mail").await.expect("a lookup").expect("an agent").id;
    let move_to = format!("updateAgent(input: {{agentId: \"{mail}\", baseVersion: 1, config: {{queue: \"money\"}}}})");
    assert_restricted(wrong(&app, &by_agent, &move_to).await, "agents `Payroll`");
    assert_restricted(wrong(&app, &by_queue, &move_to).await, "queues `letters`");
    let archive = format!("archiveAgent(input: {{agentId: \"{mail}\"}})");
    assert_restricted(wrong(&app, &by_agent, &archive).await, "agents `Payroll`");

    let mut socket = Socket::open(&app, &by_queue).await;
    socket.subscribe("1", "subscription { taskAvailable(queue: \"money\") { waiting } }", json!({})).await;
    let refused = socket.next().await;
    assert_eq!(code(&json!({"errors": refused["payload"]})), "FORBIDDEN");
    start(&app, &operator, &billing).await;
    start(&app, &operator, &payroll).await;
    let mut socket = Socket::open(&app, &by_agent).await;
    socket.subscribe("1", "subscription { taskAvailable(queue: \"money\") { waiting } }", json!({})).await;
    assert_eq!(at(&socket.next().await, "/payload/data/taskAvailable/waiting"), &json!(1), "only its own");
}

#[tokio::test]
async fn a_restricted_token_has_no_way_out_of_its_restrictions() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    let create = "mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) {
        apiToken { restrictions { operationTypes queues workflows { name } agents { name } } }
        userErrors { code message path } } }";
    library(&app).await;
    let restrictions = json!({"workflows": ["Mail flow"], "agents": ["Mail"]});
    let input = json!({"name": "x", "roles": ["OPERATOR"], "restrictions": restrictions});
    let made = app.graphql(&admin, create, json!({"input": input})).await;
    let shown = json!({"operationTypes": null, "queues": null, "workflows": [{"name": "Mail flow"}],
        "agents": [{"name": "Mail"}]});
    assert_eq!(at(&made, "/data/createApiToken/apiToken/restrictions"), &shown, "{made}");
    for (roles, restrictions, code, field) in [
        (json!(["ADMIN"]), json!({"queues": ["a"]}), "INVALID", "roles"),
        (json!(["VIEWER"]), json!({"queues": []}), "INVALID", "queues"),
        (json!(["VIEWER"]), json!({"operationTypes": [" "]}), "INVALID", "operationTypes"),
        (json!(["VIEWER"]), json!({"agents": ["Nobody"]}), "NOT_FOUND", "agents"),
        (json!(["VIEWER"]), json!({"workflows": ["Nothing"]}), "NOT_FOUND", "workflows"),
    ] {
        let input = json!({"name": "x", "roles": roles, "restrictions": restrictions});
        let answer = app.graphql(&admin, create, json!({"input": input})).await;
        assert_eq!(refusals(&answer, "createApiToken"), [code], "{answer}");
        assert_eq!(at(&answer, "/data/createApiToken/userErrors/0/path"), &json!(["input", field]));
    }
    // The stop is about everything: for this, a restricted token needs the right itself.
    let limited = token(&app, Limits { queues: only("a"), ..Limits::default() }).await;
    for stopped in [true, false] {
        let stop =
            format!("mutation {{ setEmergencyStop(input: {{stopped: {stopped}}}) {{ userErrors {{ code }} }} }}");
        assert_eq!(code(&app.graphql(&limited, &stop, json!({})).await), "FORBIDDEN");
    }
}
