//! Versions: numbered, kept for ever, brought back as new ones.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, change, document, done, make_agent, make_workflow, places, refusals, workflow};
use crate::support::{Database, TestApp, at, text};

async fn save(app: &TestApp, token: &str, id: &str, base: i32, definition: Value) -> Value {
    let input = json!({"workflowId": id, "baseVersion": base, "definition": definition});
    change(app, token, "updateWorkflow", input).await
}

async fn restore(app: &TestApp, token: &str, id: &str, version: i32, base: i32) -> Value {
    let input = json!({"workflowId": id, "version": version, "baseVersion": base});
    change(app, token, "restoreWorkflowVersion", input).await
}

#[rstest]
#[tokio::test]
async fn each_save_is_a_version_that_stays(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let id = make_workflow(&app, &author, "Triage").await;
    let answer = save(&app, &author, &id, 1, document("Sorting", "second")).await;
    let saved = done(&answer, "updateWorkflow");
    assert_eq!((text(saved, "/name"), at(saved, "/latestVersion/number")), ("Sorting", &json!(2)));
    let query = "query($id: ID!) { node(id: $id) { ... on Workflow {
        one: version(number: 1) { number definition workflow { name } } none: version(number: 3) { number } } } }";
    let answer = app.graphql(&author, query, json!({ "id": id })).await;
    let expected = json!({"number": 1, "definition": document("Triage", "first"), "workflow": {"name": "Sorting"}});
    assert_eq!(at(&answer, "/data/node"), &json!({"one": expected, "none": null}));

    for base in [1, 3, 0] {
        let answer = save(&app, &author, &id, base, document("Sorting", "third")).await;
        assert_eq!(refusals(&answer, "updateWorkflow"), ["CONFLICT"]);
        assert_eq!(places(&answer, "updateWorkflow"), ["input/baseVersion"]);
        assert!(text(&answer, "/data/updateWorkflow/userErrors/0/message").contains("version 2"), "{answer}");
    }
    let admin = app.token(Role::Admin).await;
    let entries = audited(&app, &admin, &["WORKFLOW_UPDATED"]).await;
    let expected = json!({"name": "Sorting", "version": 2, "renamedFrom": "Triage"});
    assert_eq!((entries.len(), at(&entries[0], "/details")), (1, &expected));
}

#[rstest]
#[tokio::test]
async fn an_earlier_version_comes_back_as_a_new_one(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let id = make_workflow(&app, &author, "Triage").await;
    done(&save(&app, &author, &id, 1, document("Sorting", "second")).await, "updateWorkflow");
    let draft = json!({"workflowId": id, "baseVersion": 2, "definition": {"name": "Draft"}, "draft": true});
    done(&change(&app, &author, "updateWorkflow", draft).await, "updateWorkflow");

    let answer = restore(&app, &author, &id, 1, 2).await;
    let restored = done(&answer, "restoreWorkflowVersion");
    assert_eq!((text(restored, "/name"), at(restored, "/latestVersion/number")), ("Triage", &json!(3)));
    assert_eq!(text(restored, "/draft/definition/name"), "Draft", "a draft stays");
    let query = "query($id: ID!) { node(id: $id) { ... on Workflow { versions { nodes { number restoredFrom { number } } } } } }";
    let answer = app.graphql(&author, query, json!({ "id": id })).await;
    let expected = json!([
        {"number": 3, "restoredFrom": {"number": 1}}, {"number": 2, "restoredFrom": null}, {"number": 1, "restoredFrom": null},
    ]);
    assert_eq!(at(&answer, "/data/node/versions/nodes"), &expected);

    let same = restore(&app, &author, &id, 1, 3).await;
    assert_eq!(at(done(&same, "restoreWorkflowVersion"), "/latestVersion/number"), 3, "it says that already");
    for (version, base, code, place) in [
        (1, 2, "CONFLICT", "input/baseVersion"),
        (4, 3, "NOT_FOUND", "input/version"),
        (0, 3, "NOT_FOUND", "input/version"),
    ] {
        let answer = restore(&app, &author, &id, version, base).await;
        assert_eq!(refusals(&answer, "restoreWorkflowVersion"), [code]);
        assert_eq!(places(&answer, "restoreWorkflowVersion"), [place]);
    }
}

#[rstest]
#[tokio::test]
async fn a_name_that_is_taken_meanwhile_does_not_come_back(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let id = make_workflow(&app, &author, "Triage").await;
    done(&save(&app, &author, &id, 1, document("Sorting", "second")).await, "updateWorkflow");
    make_workflow(&app, &author, "Triage").await;
    let answer = restore(&app, &author, &id, 1, 2).await;
    assert_eq!(refusals(&answer, "restoreWorkflowVersion"), ["ALREADY_EXISTS"]);
    assert_eq!(places(&answer, "restoreWorkflowVersion"), ["input/version"]);
    let answer = save(&app, &author, &id, 2, document("Triage", "third")).await;
    assert_eq!(refusals(&answer, "updateWorkflow"), ["ALREADY_EXISTS"]);
    assert_eq!(places(&answer, "updateWorkflow"), ["input/definition/name"]);
    assert_eq!(text(&workflow(&app, &author, &id).await, "/name"), "Sorting");
}

#[tokio::test]
async fn executions_find_what_they_need_in_the_store() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    let agent = make_agent(&app, &author, "Worker").await;
    change(&app, &author, "updateAgent", json!({"agentId": agent, "baseVersion": 1, "description": "New"})).await;
    let id = make_workflow(&app, &author, "Triage").await;
    done(&save(&app, &author, &id, 1, document("Sorting", "second")).await, "updateWorkflow");

    let (store, scope) = (app.engine.store(), app.scope());
    let id = id.parse().expect("an id");
    let latest = store.latest_workflow_version(scope, id).await.expect("a lookup").expect("a version");
    assert_eq!((latest.info.number, latest.document.text()), (2, document("Sorting", "second").to_string().as_str()));
    let first = store.workflow_version(scope, id, 1).await.expect("a lookup").expect("a version");
    assert_eq!(first.document.text(), document("Triage", "first").to_string());
    let agents = store.agents_by_name(scope, ["Worker", "Nobody"]).await.expect("a lookup");
    assert_eq!(agents.len(), 1);
    let record = &agents["Worker"];
    assert_eq!((record.version, record.archived, record.spec.description.as_str()), (2, false, "New"));
    let before = store.agent_at(scope, record.id, 1).await.expect("a lookup").expect("a version");
    assert_eq!(before.spec.description, "");
    assert!(store.agent_at(scope, record.id, 3).await.expect("a lookup").is_none());
}
