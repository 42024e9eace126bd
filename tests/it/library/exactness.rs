//! Documents come back exactly as they were saved.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{change, done, make_agent, workflow};
use crate::support::{Database, TestApp, at, text};

const EXACT: &str = r#"{"steps":[{"key":"z","agent":"Worker","input":{"zz":[123456789012345678901234567890,1.0,-0.0,0.1000,1e+400],"aa":{},"":[],"ü":{"b":null,"a":true}}}],"name":"Größe 🏃🏽‍♀️ é שלום"}"#;

fn exact() -> Value {
    serde_json::from_str(EXACT).expect("JSON")
}

#[rstest]
#[tokio::test]
async fn documents_keep_digits_order_and_unicode(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let answer = change(&app, &author, "createWorkflow", json!({"definition": exact()})).await;
    let made = done(&answer, "createWorkflow");
    assert_eq!(at(made, "/latestVersion/definition").to_string(), EXACT);
    let id = text(made, "/id");
    assert_eq!(at(&workflow(&app, &author, id).await, "/latestVersion/definition").to_string(), EXACT);
    let answer = app
        .graphql(
            &author,
            "query($name: String!) { workflowByName(name: $name) { id } }",
            json!({"name": exact()["name"]}),
        )
        .await;
    assert_eq!(text(&answer, "/data/workflowByName/id"), id);

    let input = json!({"workflowId": id, "baseVersion": 1, "definition": exact()});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    assert_eq!(at(done(&answer, "updateWorkflow"), "/latestVersion/number"), 1, "the same document is no new version");
    let input = json!({"workflowId": id, "baseVersion": 1, "source": format!("  {EXACT}\n")});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    assert_eq!(at(done(&answer, "updateWorkflow"), "/latestVersion/number"), 1, "nor is the same document as a text");

    let other = EXACT.replace("0.1000", "0.1");
    let input = json!({"workflowId": id, "baseVersion": 1, "source": other});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    assert_eq!(at(done(&answer, "updateWorkflow"), "/latestVersion/number"), 2, "each digit counts");
    assert_eq!(at(done(&answer, "updateWorkflow"), "/latestVersion/definition").to_string(), other);

    let input = json!({"workflowId": id, "baseVersion": 2, "definition": exact(), "draft": true});
    let answer = change(&app, &author, "updateWorkflow", input).await;
    assert_eq!(at(done(&answer, "updateWorkflow"), "/draft/definition").to_string(), EXACT);
    let input = json!({"workflowId": id, "version": 1, "baseVersion": 2});
    let answer = change(&app, &author, "restoreWorkflowVersion", input).await;
    assert_eq!(at(done(&answer, "restoreWorkflowVersion"), "/latestVersion/definition").to_string(), EXACT);
}

#[rstest]
#[tokio::test]
async fn agents_keep_schemas_and_constants(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    let config = json!({"fields": {"z": exact(), "a": "input.b", "": "/input/c"}});
    let input = json!({"name": "T", "kind": "TRANSFORM", "config": config, "inputSchema": {"const": exact()}});
    let answer = change(&app, &author, "createAgent", input).await;
    let made = done(&answer, "createAgent");
    assert_eq!(at(made, "/config").to_string(), config.to_string());
    assert_eq!(at(made, "/inputSchema/const").to_string(), EXACT);
}
