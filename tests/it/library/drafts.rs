//! Drafts: documents that are being worked on.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, change, document, done, make_agent, make_workflow, places, refusals, workflow};
use crate::support::{Database, TestApp, at, text};

/// Whatever is wrong with it.
fn unfinished(name: &str) -> Value {
    json!({"name": name, "description": "Soon", "steps": [{"key": "a b"}], "nonsense": [1.0]})
}

#[rstest]
#[tokio::test]
async fn a_workflow_can_begin_as_a_draft(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let input = json!({"definition": unfinished("Triage"), "draft": true});
    let answer = change(&app, &author, "createWorkflow", input).await;
    let made = done(&answer, "createWorkflow");
    assert_eq!((text(made, "/name"), text(made, "/description")), ("Triage", "Soon"));
    assert_eq!(at(made, "/latestVersion"), &Value::Null);
    assert_eq!(at(made, "/draft/definition").to_string(), unfinished("Triage").to_string());
    let problems = at(&answer, "/data/createWorkflow/problems").as_array().expect("a list");
    assert!(problems.len() >= 3, "{problems:?}");
    let shown: Vec<Value> =
        problems.iter().map(|problem| json!({"path": problem["path"], "code": problem["code"]})).collect();
    assert_eq!(at(made, "/draft/problems"), &Value::Array(shown));

    let id = text(made, "/id");
    let input = json!({"workflowId": id, "definition": unfinished("Sorting"), "draft": true});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    assert_eq!(text(done(&answer, "updateWorkflow"), "/name"), "Sorting", "without a version, the draft's name counts");
    let answer = change(&app, &author, "discardWorkflowDraft", json!({"workflowId": id})).await;
    assert_eq!(refusals(&answer, "discardWorkflowDraft"), ["CONFLICT"], "nothing would be left");

    let input = json!({"workflowId": id, "baseVersion": 0, "definition": document("Triage", "x")});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    assert_eq!(refusals(&answer, "updateWorkflow"), ["CONFLICT"], "there is no version to start from");
    let answer =
        change(&app, &author, "updateWorkflow", json!({"workflowId": id, "definition": unfinished("X")})).await;
    assert!(!refusals(&answer, "updateWorkflow").is_empty(), "what is unfinished cannot become a version");
    let input = json!({"workflowId": id, "definition": document("Triage", "x")});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    let first = done(&answer, "updateWorkflow");
    assert_eq!((text(first, "/name"), at(first, "/latestVersion/number")), ("Triage", &json!(1)));
    assert_eq!(at(first, "/draft"), &Value::Null, "a new version takes the draft away");
}

#[rstest]
#[tokio::test]
async fn a_draft_changes_nothing_that_runs(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let id = make_workflow(&app, &author, "Triage").await;
    make_workflow(&app, &author, "Other").await;
    let before = workflow(&app, &author, &id).await;

    let save = |name: &str, base: Value| {
        let input = json!({"workflowId": id, "baseVersion": base, "definition": unfinished(name), "draft": true});
        change(&app, &author, "updateWorkflow", input)
    };
    let answer = save("Other", json!(1)).await;
    let saved = done(&answer, "updateWorkflow");
    assert_eq!(text(saved, "/name"), "Triage", "it is renamed with the next version");
    assert_eq!(at(saved, "/latestVersion"), at(&before, "/latestVersion"));
    assert_eq!(text(saved, "/draft/definition/name"), "Other");
    assert_eq!(refusals(&save("Other", json!(2)).await, "updateWorkflow"), ["CONFLICT"]);
    assert_eq!(refusals(&save("Other", Value::Null).await, "updateWorkflow"), ["CONFLICT"]);
    done(&save("Other", json!(1)).await, "updateWorkflow");

    for _ in 0..2 {
        let answer = change(&app, &author, "discardWorkflowDraft", json!({"workflowId": id})).await;
        assert_eq!(done(&answer, "discardWorkflowDraft"), &before);
    }
    let admin = app.token(Role::Admin).await;
    let count = |action: &'static str| {
        let (app, admin) = (&app, &admin);
        async move { audited(app, admin, &[action]).await.len() }
    };
    assert_eq!(count("WORKFLOW_DRAFT_SAVED").await, 1, "the same draft again is no change");
    assert_eq!(count("WORKFLOW_DRAFT_DISCARDED").await, 1);
    assert_eq!(count("WORKFLOW_UPDATED").await, 0);
}

#[tokio::test]
async fn even_a_draft_needs_a_name_that_can_be_used() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    for (definition, place) in [
        (json!({"steps": 7}), "input/definition/name"),
        (json!({"name": 7}), "input/definition/name"),
        (json!({"name": " "}), "input/definition/name"),
        (json!({"name": "x".repeat(101)}), "input/definition/name"),
        (json!({"name": "a\nb"}), "input/definition/name"),
        (json!({"name": "a", "note": "\0"}), "input/definition"),
        (json!([]), "input/definition"),
        (json!("name"), "input/definition"),
    ] {
        let answer = change(&app, &author, "createWorkflow", json!({"definition": definition, "draft": true})).await;
        assert_eq!(places(&answer, "createWorkflow"), [place], "{definition}");
        assert_eq!(refusals(&answer, "createWorkflow"), ["INVALID"]);
        assert_eq!(at(&answer, "/data/createWorkflow/problems").as_array().map(Vec::len), Some(1));
    }
}

#[rstest]
#[tokio::test]
async fn a_version_like_the_latest_takes_the_draft_away(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let id = make_workflow(&app, &author, "Triage").await;
    let input = json!({"workflowId": id, "baseVersion": 1, "definition": unfinished("Triage"), "draft": true});
    done(&change(&app, &author, "updateWorkflow", input).await, "updateWorkflow");
    let input = json!({"workflowId": id, "baseVersion": 1, "definition": document("Triage", "first")});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    let saved = done(&answer, "updateWorkflow");
    assert_eq!((at(saved, "/latestVersion/number"), at(saved, "/draft")), (&json!(1), &Value::Null));
}
