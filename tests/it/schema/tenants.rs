//! Nothing crosses from one workspace to another.

use countersign::{
    config::Settings,
    domain::{access::Scope, role::Role},
    store::{Range, audit::Filter},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::walk::Schema;
use crate::support::{Database, TestApp, at};

/// In every text of the other workspace.
const MARK: &str = "zanzibar";

#[rstest]
#[tokio::test]
async fn no_field_answers_about_another_workspace(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    // The walk asks for everything at once, as nobody else does.
    let all_at_once = |settings: &mut Settings| {
        settings.max_complexity = usize::MAX;
        settings.max_query_tokens = 1_000_000;
    };
    let app = TestApp::start_with(database, all_at_once).await;
    let other = app.create_workspace(MARK).await;
    let other_scope = Scope::system(other.id);
    let ids = fill(&app, other_scope).await;
    let before = audit_length(&app, other_scope).await;

    let admin = app.token(Role::Admin).await;
    let person = app.person("eve@example.com", &[Role::Admin]).await;
    let schema = Schema::of(&app, &admin).await;
    let mut asked = 0;
    for caller in [&admin, &person.access_token] {
        for (kind, operation, depth) in [("queryType", "query", 4), ("mutationType", "mutation", 2)] {
            for field in schema.roots(kind) {
                for id in &ids {
                    // signOut would end the caller's own session.
                    if field["name"] == "signOut" && operation == "mutation" {
                        continue;
                    }
                    let query = format!("{operation} {{ {} }}", schema.field(field, id, depth));
                    let answer = app.graphql(caller, &query, json!({})).await;
                    assert!(!answer.to_string().contains(MARK), "{query} answered {answer}");
                    let unknown = answer["errors"]
                        .as_array()
                        .is_none_or(|errors| errors.iter().all(|error| error.to_string().contains("extensions")));
                    assert!(unknown, "{answer}");
                    let code = answer.pointer("/errors/0/extensions/code").and_then(Value::as_str).unwrap_or_default();
                    assert!(!code.starts_with("QUERY_TOO"), "the walk must be answered: {query} answered {answer}");
                    asked += 1;
                    if !query.contains(id.as_str()) {
                        break;
                    }
                }
            }
        }
    }
    assert!(asked > 100, "the walk asked only {asked} times");
    assert_eq!(audit_length(&app, other_scope).await, before, "something was done to the other workspace");
}

/// Makes one of everything in the other workspace and gives all ids.
async fn fill(app: &TestApp, scope: Scope) -> Vec<String> {
    let admin = app.person_in(scope, &format!("admin@{MARK}.example"), &[Role::Admin]).await;
    let make = format!(
        "mutation {{
            createGroup(input: {{name: \"{MARK}\", memberIds: [\"{}\"]}}) {{ group {{ id }} }}
            createApiToken(input: {{name: \"{MARK}\", roles: [VIEWER]}}) {{ apiToken {{ id }} }}
            createServiceAccount(input: {{name: \"{MARK}\"}}) {{ serviceAccount {{ id }} }}
            setSecret(input: {{name: \"{MARK}\", value: \"{MARK}\", hosts: [\"{MARK}.example\"]}}) {{ secret {{ id }} }}
            updateProfile(input: {{displayName: \"{MARK}\"}}) {{ user {{ id }} }}
            createAgent(input: {{name: \"{MARK}\", kind: WORKER}}) {{ agent {{ id }} }}
            createWorkflow(input: {{definition: {{name: \"{MARK}\", steps: [{{key: \"a\", agent: \"{MARK}\"}}]}}}}) {{ workflow {{ id }} }}
        }}",
        admin.id
    );
    let made = app.graphql(&admin.access_token, &make, json!({})).await;
    let query = "{ workspace { id } viewer { sessions { id } } auditEntries(first: 1) { nodes { id } } }";
    let found = app.graphql(&admin.access_token, query, json!({})).await;
    let start = "mutation($workflow: ID!, $input: JSON!, $mark: String!) {
        startExecution(input: {workflowId: $workflow, input: $input, correlationId: $mark}) { execution { id } } }";
    let workflow = at(&made, "/data/createWorkflow/workflow/id");
    let variables = json!({"workflow": workflow, "input": {MARK: MARK}, "mark": MARK});
    let started = app.graphql(&admin.access_token, start, variables).await;
    let ask = "mutation($mark: String!, $data: JSON!) {
        requestApproval(input: {operationType: $mark, description: $mark, correlationId: $mark, riskLevel: LOW,
            parameters: $data, supportingData: $data}) { checkpoint { id execution { id workflow { id } } } } }";
    let asked = app.graphql(&admin.access_token, ask, json!({"mark": MARK, "data": {MARK: MARK}})).await;
    let hand_in =
        "mutation($mark: String!, $execution: ID!) { createDeliverable(input: {name: $mark, description: $mark,
        executionId: $execution, content: {text: $mark}}) { deliverable { id } } }";
    let execution = at(&started, "/data/startExecution/execution/id");
    let handed = app.graphql(&admin.access_token, hand_in, json!({"mark": MARK, "execution": execution})).await;
    [
        at(&handed, "/data/createDeliverable/deliverable/id"),
        at(&made, "/data/createGroup/group/id"),
        at(&made, "/data/createApiToken/apiToken/id"),
        at(&made, "/data/createServiceAccount/serviceAccount/id"),
        at(&made, "/data/setSecret/secret/id"),
        at(&made, "/data/updateProfile/user/id"),
        at(&made, "/data/createAgent/agent/id"),
        at(&made, "/data/createWorkflow/workflow/id"),
        at(&found, "/data/workspace/id"),
        at(&found, "/data/viewer/sessions/0/id"),
        at(&found, "/data/auditEntries/nodes/0/id"),
        at(&started, "/data/startExecution/execution/id"),
        at(&asked, "/data/requestApproval/checkpoint/id"),
        at(&asked, "/data/requestApproval/checkpoint/execution/id"),
        at(&asked, "/data/requestApproval/checkpoint/execution/workflow/id"),
    ]
    .into_iter()
    .map(|id| id.as_str().unwrap_or_else(|| panic!("{made} {found} {started} {asked}")).to_owned())
    .collect()
}

async fn audit_length(app: &TestApp, scope: Scope) -> usize {
    let range = Range { above: None, below: None, newest_first: false, limit: 10_000 };
    app.engine.store().audit_entries(scope, &Filter::default(), range).await.expect("entries").len()
}

#[tokio::test]
async fn an_id_of_another_workspace_does_not_exist() {
    let app = TestApp::start(Database::Sqlite).await;
    let other = app.create_workspace(MARK).await;
    let ids = fill(&app, Scope::system(other.id)).await;
    let admin = app.token(Role::Admin).await;
    let answer = app.graphql(&admin, "query($ids: [ID!]!) { nodes(ids: $ids) { id } }", json!({"ids": ids})).await;
    assert_eq!(at(&answer, "/data/nodes"), &Value::Array(vec![Value::Null; ids.len()]));
}
