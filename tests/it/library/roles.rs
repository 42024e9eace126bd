//! Who sees what.

use countersign::domain::role::Role;
use serde_json::{Value, json};

use super::{agent, change, document, make_agent, make_workflow, refusals, workflow};
use crate::support::{Database, TestApp, at, text};

#[tokio::test]
async fn everybody_reads() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    let agent_id = make_agent(&app, &author, "Worker").await;
    let workflow_id = make_workflow(&app, &author, "Triage").await;
    for role in [Role::Viewer, Role::Operator, Role::Approver] {
        let token = app.token(role).await;
        assert_eq!(text(&agent(&app, &token, &agent_id).await, "/name"), "Worker");
        assert_eq!(text(&workflow(&app, &token, &workflow_id).await, "/name"), "Triage");
    }
}

#[tokio::test]
async fn who_saved_a_version_is_shown_without_showing_tokens() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    let ada = app.person("ada@example.com", &[Role::Author]).await;
    make_agent(&app, &author, "Worker").await;
    let id = make_workflow(&app, &author, "Triage").await;
    let input = json!({"workflowId": id, "baseVersion": 1, "definition": document("Triage", "b")});
    assert_eq!(refusals(&change(&app, &ada.access_token, "updateWorkflow", input).await, "updateWorkflow"), [""; 0]);
    let query = "query($id: ID!) { node(id: $id) { ... on Workflow { versions { nodes { createdBy {
        kind displayName user { email } apiToken { name } } } } } } }";
    for (role, token) in [(Role::Viewer, Value::Null), (Role::Admin, json!({"name": "test AUTHOR"}))] {
        let caller = app.token(role).await;
        let answer = app.graphql(&caller, query, json!({ "id": id })).await;
        let expected = json!([
            {"createdBy": {"kind": "USER", "displayName": "ada", "user": {"email": "ada@example.com"}, "apiToken": null}},
            {"createdBy": {"kind": "API_TOKEN", "displayName": "test AUTHOR", "user": null, "apiToken": token}},
        ]);
        assert_eq!(at(&answer, "/data/node/versions/nodes"), &expected, "{role}");
    }
}
