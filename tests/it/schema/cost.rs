//! What a page costs, counted in SQL statements.

use countersign::domain::{agent::Kind, execution::Status, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, text};

/// How many statements a query costs. Rows that are asked for within a millisecond are read together; on a busy machine
/// that can be missed, so the fewest of some tries are what it costs.
async fn statements(app: &TestApp, token: &str, query: &str) -> (u64, Value) {
    let mut fewest = (u64::MAX, Value::Null);
    for _ in 0..4 {
        // The first use of a token records it, once a minute.
        app.graphql(token, "{ __typename }", json!({})).await;
        let before = app.engine.store().statements();
        let answer = app.graphql(token, query, json!({})).await;
        assert_eq!(answer["errors"], Value::Null, "{answer}");
        let count = app.engine.store().statements() - before;
        if count < fewest.0 {
            fewest = (count, answer);
        }
    }
    fewest
}

/// Fifty executions of a workflow, half of which wait for a worker and half of which continue another one.
async fn run_executions(app: &TestApp, token: &str) {
    app.agent("Constant", Kind::Transform, json!({"fields": {"n": 1}})).await;
    app.agent("Waiter", Kind::Worker, json!({"queue": "q"})).await;
    let quick = app.workflow(json!({"name": "Quick", "steps": [{"key": "a", "agent": "Constant"}]})).await;
    let steps = json!([{"key": "a", "agent": "Constant"}, {"key": "b", "agent": "Waiter", "needs": ["a"]}]);
    let slow = app.workflow(json!({"name": "Slow", "steps": steps})).await;
    let retry = "mutation($id: ID!) { retryExecution(input: {executionId: $id}) { userErrors { message } } }";
    for _ in 0..17 {
        let id = app.start_execution(quick, json!({})).await;
        app.wait_for_end(id).await;
        app.graphql(token, retry, json!({"id": id.to_string()})).await;
        let id = app.start_execution(slow, json!({})).await;
        app.wait_until(id, "the worker's step waits", |execution| execution.steps_done == 1).await;
    }
}

/// Fifty checkpoints: every other one stands alone, with an item, and the others are of steps.
async fn ask_people(app: &TestApp, token: &str) {
    let create = "mutation { createWorkflow(input: {definition: {name: \"Gated\", steps: [
        {key: \"a\", agent: \"Constant\", gate: \"ALWAYS\"}]}}) { workflow { id } userErrors { message } } }";
    let answer = app.graphql(token, create, json!({})).await;
    let gated = text(&answer, "/data/createWorkflow/workflow/id").parse().expect("an id");
    let ask =
        "mutation { requestApproval(input: {operationType: \"x\", description: \"d\", parameters: {}, riskLevel: LOW,
        items: [{id: \"a\"}]}) { checkpoint { id } userErrors { message } } }";
    let comment = "mutation($id: ID!) { it: claimCheckpoint(input: {checkpointId: $id}) { userErrors { message } } }";
    for _ in 0..25 {
        let answer = app.graphql(token, ask, json!({})).await;
        let id = at(&answer, "/data/requestApproval/checkpoint/id");
        app.graphql(token, comment, json!({"id": id})).await;
        let id = app.start_execution(gated, json!({})).await;
        app.wait_for(id, Status::AwaitingApproval).await;
    }
}

/// Fifty deliverables with two versions each.
async fn hand_in(app: &TestApp, token: &str) {
    let create =
        "mutation { createDeliverable(input: {name: \"a.txt\", content: {text: \"one\"}}) { deliverable { id } } }";
    let add = "mutation($id: ID!) { addDeliverableVersion(input: {deliverableId: $id, content: {text: \"two\"}}) {
        userErrors { message } } }";
    for _ in 0..50 {
        let answer = app.graphql(token, create, json!({})).await;
        app.graphql(token, add, json!({"id": at(&answer, "/data/createDeliverable/deliverable/id")})).await;
    }
}

/// Fifty people, each in two of ten groups, fifty tokens that a person made, fifty agents, and fifty workflows with two
/// versions and a draft.
async fn populate(app: &TestApp) -> String {
    let admin = app.person("ada@example.com", &[Role::Admin]).await.access_token;
    let mut people = Vec::new();
    for n in 0..50 {
        let query = format!(
            "mutation {{ inviteUser(input: {{email: \"p{n}@example.com\", roles: [VIEWER, APPROVER]}}) {{ user {{ id }} }}
                createApiToken(input: {{name: \"t{n}\", roles: [VIEWER]}}) {{ apiToken {{ id }} }} }}"
        );
        let answer = app.graphql(&admin, &query, json!({})).await;
        people.push(text(&answer, "/data/inviteUser/user/id").to_owned());
    }
    for n in 0..10 {
        let members: Vec<&String> = people.iter().skip(n * 5).take(10).collect();
        let query = "mutation($name: String!, $members: [ID!]!) {
            createGroup(input: {name: $name, memberIds: $members}) { group { id } userErrors { message } } }";
        let answer = app.graphql(&admin, query, json!({"name": format!("g{n}"), "members": members})).await;
        assert_eq!(at(&answer, "/data/createGroup/userErrors"), &json!([]));
    }
    for n in 0..50 {
        populate_library(app, &admin, n).await;
    }
    admin
}

async fn populate_library(app: &TestApp, admin: &str, n: usize) {
    let create = "mutation($agent: String!, $definition: JSON!) {
        createAgent(input: {name: $agent, kind: WORKER}) { userErrors { message } }
        createWorkflow(input: {definition: $definition}) { workflow { id } userErrors { message } } }";
    let definition = |step: &str| json!({"name": format!("w{n}"), "steps": [{"key": step, "agent": format!("a{n}")}]});
    let variables = json!({"agent": format!("a{n}"), "definition": definition("one")});
    let answer = app.graphql(admin, create, variables).await;
    let id = text(&answer, "/data/createWorkflow/workflow/id");
    let update = "mutation($id: ID!, $second: JSON!, $draft: JSON!) {
        second: updateWorkflow(input: {workflowId: $id, baseVersion: 1, definition: $second}) { userErrors { message } }
        draft: updateWorkflow(input: {workflowId: $id, baseVersion: 2, definition: $draft, draft: true}) {
            userErrors { message } } }";
    let variables = json!({"id": id, "second": definition("two"), "draft": definition("draft")});
    let answer = app.graphql(admin, update, variables).await;
    assert_eq!(at(&answer, "/data"), &json!({"second": {"userErrors": []}, "draft": {"userErrors": []}}), "{answer}");
}

#[rstest]
#[tokio::test]
async fn a_page_of_fifty_costs_the_same_as_a_page_of_five(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = populate(&app).await;
    run_executions(&app, &admin).await;
    ask_people(&app, &admin).await;
    hand_in(&app, &admin).await;
    for (most, query) in [
        // Who asks; the page, its total, roles, groups (2), their counts, first members (2), and roles of those.
        (
            10,
            "{ users(first: $n) { totalCount nodes { id roles groups { name memberCount members(first: 3) { nodes { email roles } } } } } }",
        ),
        // Who asks; the page, its roles, its makers and their roles.
        (6, "{ apiTokens(first: $n) { totalCount nodes { name roles createdBy { email roles } } } }"),
        // Who asks; the page, its people, tokens and roles.
        (
            6,
            "{ auditEntries(first: $n) { totalCount nodes { action actor { user { email roles } apiToken { name roles } } } } }",
        ),
        (
            // Who asks; the page, its total, counts, first members (2), their roles, their groups (2).
            9,
            "{ groups(first: $n) { totalCount nodes { name memberCount members(first: 5) { nodes { email roles groups { name } } } } } }",
        ),
        // Who asks; the page, its total, and what its agents are.
        (4, "{ agents(first: $n) { totalCount nodes { name description config inputSchema riskLevel } } }"),
        // Who asks; the page, its total, latest versions, their documents and makers, newest versions, drafts, and
        // the drafts' agents.
        (
            9,
            "{ workflows(first: $n) { totalCount nodes { name
                latestVersion { number definition createdBy { user { email } } }
                versions(first: 2) { totalCount nodes { number createdAt } }
                draft { definition problems { path } } } } }",
        ),
        (
            // Who asks; the page, workflows, versions, steps, their agents, progress, usual durations, checkpoints.
            12,
            "{ executions(first: $n) { nodes { status workflow { name } workflowVersion { number } progress { percent }
                steps { key status progress agent { name } checkpoint { id } } currentSteps { key }
                pendingCheckpoints estimatedSecondsRemaining
                createdBy { user { email } } } } }",
        ),
        (
            // Who asks; the page, journals, first lines (2), continuations, origins, agents.
            10,
            "{ executions(first: $n) { nodes { input output context error { message } steps { input output error { message } }
                origin { id } continuations(first: 2) { nodes { id } } logs(first: 2) { nodes { message } }
                events(first: 3) { nodes { cursor ... on StepStarted { stepKey agent { name } } execution { status } } } } } }",
        ),
        (
            // Who asks; the page, its total, workflows, executions, agents, people.
            9,
            "{ checkpoints(first: $n) { totalCount nodes { status stepKey description agent { name } workflow { name }
                execution { status } assignee { email outOfOffice { endsAt } } } } }",
        ),
        (
            // Who asks; the page, journals, and what they say who decides: that twice, the executions, the caller's
            // account, roles and groups, and for whom the caller decides.
            14,
            "{ checkpoints(first: $n) { nodes { requestedBy { user { email } } proposal { parameters items { id data } }
                reasons { message } requirement { seats { who } } stillNeeded { who } decisions { by { kind } }
                revisions { number by { user { email } } } difference { path } comments { text } viewerCanDecide
                viewerCannotDecideBecause } } }",
        ),
        (
            // Who asks; the page, its total, executions, workflows, newest versions, their first bytes, all versions (2),
            // people, and the executions' first deliverables.
            12,
            "{ deliverables(first: $n) { totalCount nodes { name createdBy { user { email } } version { size preview { kind text } }
                versions(first: 2) { totalCount nodes { number } }
                execution { workflow { name } deliverables(first: 2) { nodes { name } } } } } }",
        ),
    ] {
        let (five, _) = statements(&app, &admin, &query.replace("$n", "5")).await;
        let (fifty, answer) = statements(&app, &admin, &query.replace("$n", "50")).await;
        assert_eq!(fifty, five, "{query}: {five} statements for five, {fifty} for fifty");
        assert!(fifty <= most, "{query}: {fifty} statements, more than {most}: {answer}");
    }
}
