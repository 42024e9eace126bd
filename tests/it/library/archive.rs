//! What is archived is out of use and not lost.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, change, document, done, make_agent, make_workflow, places, refusals};
use crate::support::{Database, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn agents_and_workflows_go_and_come_back(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let agent = make_agent(&app, &admin, "Worker").await;
    let workflow = make_workflow(&app, &admin, "Triage").await;
    let restore = json!({"workflowId": workflow, "version": 1, "baseVersion": 1});
    for (noun, field, id, edits) in [
        ("Agent", "agentId", &agent, vec![("updateAgent", json!({"agentId": agent, "baseVersion": 1}))]),
        (
            "Workflow",
            "workflowId",
            &workflow,
            vec![
                ("updateWorkflow", json!({"workflowId": workflow, "baseVersion": 1, "definition": document("T", "x")})),
                ("discardWorkflowDraft", json!({"workflowId": workflow})),
                ("restoreWorkflowVersion", restore),
            ],
        ),
    ] {
        let (archive, unarchive) = (format!("archive{noun}"), format!("unarchive{noun}"));
        let input = json!({ field: id });
        let first = change(&app, &admin, &archive, input.clone()).await;
        let at_first = text(done(&first, &archive), "/archivedAt").to_owned();
        app.clock.advance(chrono::Duration::seconds(5));
        let again = change(&app, &admin, &archive, input.clone()).await;
        assert_eq!(text(done(&again, &archive), "/archivedAt"), at_first, "it is archived once");
        for (mutation, edit) in &edits {
            let answer = change(&app, &admin, mutation, edit.clone()).await;
            assert_eq!(refusals(&answer, mutation), ["CONFLICT"], "{answer:#}");
            assert_eq!(places(&answer, mutation), [format!("input/{field}")]);
            let message = text(&answer, &format!("/data/{mutation}/userErrors/0/message")).to_owned();
            assert!(message.contains(&unarchive), "{message}");
        }
        for _ in 0..2 {
            let back = change(&app, &admin, &unarchive, input.clone()).await;
            assert_eq!(at(done(&back, &unarchive), "/archivedAt"), &Value::Null);
        }
        for (mutation, edit) in edits {
            let answer = change(&app, &admin, mutation, edit).await;
            assert_ne!(places(&answer, mutation), [format!("input/{field}")], "{answer:#}");
        }
        let actions = [archive, unarchive].map(|mutation| match mutation.as_str() {
            "archiveAgent" => "AGENT_ARCHIVED",
            "unarchiveAgent" => "AGENT_UNARCHIVED",
            "archiveWorkflow" => "WORKFLOW_ARCHIVED",
            _ => "WORKFLOW_UNARCHIVED",
        });
        assert_eq!(audited(&app, &admin, &actions).await.len(), 2, "{noun}");
    }
}

#[rstest]
#[tokio::test]
async fn an_archived_name_stays_taken(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    let agent = make_agent(&app, &author, "Worker").await;
    let workflow = make_workflow(&app, &author, "Triage").await;
    change(&app, &author, "archiveAgent", json!({"agentId": agent})).await;
    change(&app, &author, "archiveWorkflow", json!({"workflowId": workflow})).await;
    let answer = change(&app, &author, "createAgent", json!({"name": "Worker", "kind": "WORKER"})).await;
    assert_eq!(refusals(&answer, "createAgent"), ["ALREADY_EXISTS"]);
    let input = json!({"definition": document("Triage", "x"), "draft": true});
    let answer = change(&app, &author, "createWorkflow", input).await;
    assert_eq!(refusals(&answer, "createWorkflow"), ["ALREADY_EXISTS"]);
    assert_eq!(places(&answer, "createWorkflow"), ["input/definition/name"]);
}
