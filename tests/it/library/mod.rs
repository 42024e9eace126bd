//! The library of agents, and workflows with their versions.

mod agents;
mod archive;
mod concurrent;
mod drafts;
mod exactness;
mod idempotency;
mod lists;
mod live;
mod roles;
mod tenants;
mod versions;
mod workflows;

use serde_json::{Value, json};

pub use crate::identity::{audited, refusals};
use crate::support::{TestApp, at, text};

const AGENT: &str =
    "{ id name kind version description config inputSchema outputSchema operationType riskLevel archivedAt }";
const WORKFLOW: &str = "{ id name description latestVersion { number definition } draft { definition problems { path code } } archivedAt }";

/// Runs a mutation of an agent or a workflow and gives its answer.
pub async fn change(app: &TestApp, token: &str, mutation: &str, input: Value) -> Value {
    let mut kind = mutation.to_owned();
    kind[..1].make_ascii_uppercase();
    let object = if mutation.contains("Agent") { format!("agent {AGENT}") } else { format!("workflow {WORKFLOW}") };
    let saves = ["createWorkflow", "updateWorkflow", "restoreWorkflowVersion"].contains(&mutation);
    let problems = if saves { "problems { path code message fields }" } else { "" };
    let query = format!(
        "mutation($input: {kind}Input!) {{ {mutation}(input: $input) {{ {object} {problems} userErrors {{ code message path }} }} }}"
    );
    app.graphql(token, &query, json!({"input": input})).await
}

/// The object in the payload of a mutation that must have worked.
#[track_caller]
pub fn done<'a>(answer: &'a Value, mutation: &str) -> &'a Value {
    assert_eq!(refusals(answer, mutation), [""; 0], "{answer:#}");
    let object = if mutation.contains("Agent") { "agent" } else { "workflow" };
    at(answer, &format!("/data/{mutation}/{object}"))
}

/// The places that the user errors in the payload of a mutation name.
#[track_caller]
pub fn places(answer: &Value, mutation: &str) -> Vec<String> {
    let errors = at(answer, &format!("/data/{mutation}/userErrors")).as_array().expect("a list");
    let place = |error: &Value| {
        let path = at(error, "/path").as_array().expect("a path").iter();
        path.map(|segment| segment.as_str().expect("a text")).collect::<Vec<_>>().join("/")
    };
    errors.iter().map(place).collect()
}

/// A worker in the library; gives its id.
pub async fn make_agent(app: &TestApp, token: &str, name: &str) -> String {
    let answer = change(app, token, "createAgent", json!({"name": name, "kind": "WORKER"})).await;
    text(done(&answer, "createAgent"), "/id").to_owned()
}

/// A workflow with one step; gives its id.
pub async fn make_workflow(app: &TestApp, token: &str, name: &str) -> String {
    let answer = change(app, token, "createWorkflow", json!({"definition": document(name, "first")})).await;
    text(done(&answer, "createWorkflow"), "/id").to_owned()
}

/// A document that is valid where there is an agent `Worker`.
pub fn document(name: &str, step: &str) -> Value {
    json!({"name": name, "steps": [{"key": step, "agent": "Worker"}]})
}

/// Whatever has an id, as a workflow.
pub async fn workflow(app: &TestApp, token: &str, id: &str) -> Value {
    let query = format!("query($id: ID!) {{ node(id: $id) {{ ... on Workflow {WORKFLOW} }} }}");
    at(&app.graphql(token, &query, json!({ "id": id })).await, "/data/node").clone()
}

/// Whatever has an id, as an agent.
pub async fn agent(app: &TestApp, token: &str, id: &str) -> Value {
    let query = format!("query($id: ID!) {{ node(id: $id) {{ ... on Agent {AGENT} }} }}");
    at(&app.graphql(token, &query, json!({ "id": id })).await, "/data/node").clone()
}
