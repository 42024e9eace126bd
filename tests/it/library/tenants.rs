//! Another workspace's agents and workflows do not exist.

use countersign::domain::{access::Scope, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{agent, change, document, make_agent, make_workflow, places, refusals, workflow};
use crate::support::{Database, TestApp, at};

#[rstest]
#[tokio::test]
async fn nothing_crosses(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    let other = app.create_workspace("other").await;
    let stranger = app.token_in(Scope::system(other.id), Role::Admin).await;
    let agent_id = make_agent(&app, &author, "Worker").await;
    let workflow_id = make_workflow(&app, &author, "Triage").await;

    assert_eq!(agent(&app, &stranger, &agent_id).await, Value::Null);
    assert_eq!(workflow(&app, &stranger, &workflow_id).await, Value::Null);
    let query = "{ agentByName(name: \"Worker\") { id } workflowByName(name: \"Triage\") { id }
        agents { totalCount } workflows { totalCount } }";
    let expected = json!({"agentByName": null, "workflowByName": null, "agents": {"totalCount": 0}, "workflows": {"totalCount": 0}});
    assert_eq!(at(&app.graphql(&stranger, query, json!({})).await, "/data"), &expected);

    let definition = document("Triage", "x");
    for (mutation, place, input) in [
        ("updateAgent", "input/agentId", json!({"agentId": agent_id, "baseVersion": 1})),
        ("archiveAgent", "input/agentId", json!({"agentId": agent_id})),
        ("unarchiveAgent", "input/agentId", json!({"agentId": agent_id})),
        (
            "updateWorkflow",
            "input/workflowId",
            json!({"workflowId": workflow_id, "baseVersion": 1, "definition": definition, "draft": true}),
        ),
        ("discardWorkflowDraft", "input/workflowId", json!({"workflowId": workflow_id})),
        (
            "restoreWorkflowVersion",
            "input/workflowId",
            json!({"workflowId": workflow_id, "version": 1, "baseVersion": 1}),
        ),
        ("archiveWorkflow", "input/workflowId", json!({"workflowId": workflow_id})),
        ("unarchiveWorkflow", "input/workflowId", json!({"workflowId": workflow_id})),
    ] {
        let answer = change(&app, &stranger, mutation, input).await;
        assert_eq!(refusals(&answer, mutation), ["NOT_FOUND"], "{mutation}");
        assert_eq!(places(&answer, mutation), [place]);
    }
    // Names are each workspace's own.
    make_agent(&app, &stranger, "Worker").await;
    make_workflow(&app, &stranger, "Triage").await;
    let store = app.engine.store();
    let scope = Scope::system(other.id);
    let id = workflow_id.parse().expect("an id");
    assert!(store.workflow_version(scope, id, 1).await.expect("a lookup").is_none());
    assert!(store.workflow_documents(scope, &[(id, 1)]).await.expect("a lookup").is_empty());
    assert!(store.agent_at(scope, agent_id.parse().expect("an id"), 1).await.expect("a lookup").is_none());
    assert_eq!(store.agents_by_name(scope, ["Worker"]).await.expect("a lookup").len(), 1);
}
