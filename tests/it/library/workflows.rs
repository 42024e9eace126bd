//! Making workflows, and documents that cannot become one.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, change, document, done, make_agent, places, refusals, workflow};
use crate::support::{Database, TestApp, at, code, text};

const VALIDATE: &str = "query($definition: JSON, $source: String) {
    validateWorkflow(definition: $definition, source: $source) { valid problems { path code message fields } } }";

#[rstest]
#[tokio::test]
async fn a_workflow_is_made_from_a_value_or_a_text(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let mut definition = document(" Triage ", "first");
    definition["description"] = json!("Sorts\nmails");
    let answer = change(&app, &author, "createWorkflow", json!({ "definition": definition })).await;
    let made = done(&answer, "createWorkflow");
    let expected = json!({
        "id": made["id"], "name": "Triage", "description": "Sorts\nmails",
        "latestVersion": {"number": 1, "definition": definition}, "draft": null, "archivedAt": null,
    });
    assert_eq!(made, &expected);
    assert_eq!(workflow(&app, &author, text(made, "/id")).await, expected);

    let source = document("From text", "first").to_string();
    let answer = change(&app, &author, "createWorkflow", json!({ "source": source })).await;
    assert_eq!(text(done(&answer, "createWorkflow"), "/name"), "From text");
    let source = "name: From YAML\nsteps:\n  - {key: first, agent: Worker}\n";
    let answer = change(&app, &author, "createWorkflow", json!({ "source": source })).await;
    assert_eq!(at(done(&answer, "createWorkflow"), "/latestVersion/definition"), &document("From YAML", "first"));
    let admin = app.token(Role::Admin).await;
    let entries = audited(&app, &admin, &["WORKFLOW_CREATED"]).await;
    assert_eq!(entries.len(), 3);
    assert_eq!(at(&entries[2], "/details"), &json!({"name": "Triage", "version": 1}));
}

#[tokio::test]
async fn what_is_invalid_is_not_saved_and_every_problem_is_named() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let definition = json!({"name": "T", "colour": 1, "steps": [{"key": "a b", "agent": "Worker"}, {"key": "c"}]});
    let answer = change(&app, &author, "createWorkflow", json!({ "definition": definition })).await;
    let expected = ["input/definition/colour", "input/definition/steps/0/key", "input/definition/steps/1/agent"];
    assert_eq!(places(&answer, "createWorkflow"), expected);
    assert!(refusals(&answer, "createWorkflow").iter().all(|code| *code == "INVALID"));
    let problems = at(&answer, "/data/createWorkflow/problems").as_array().expect("a list");
    let found: Vec<(&str, &str)> =
        problems.iter().map(|problem| (text(problem, "/path"), text(problem, "/code"))).collect();
    assert_eq!(found, [("/colour", "UNKNOWN_FIELD"), ("/steps/0/key", "INVALID_VALUE"), ("/steps/1/agent", "MISSING")]);
    assert_eq!(at(&answer, "/data/createWorkflow/workflow"), &Value::Null);
    let answer = app.graphql(&author, "{ workflows { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/workflows/totalCount"), 0);
}

#[rstest]
#[tokio::test]
async fn bad_documents_are_explained(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let large = json!({"name": "L", "steps": [], "description": "x".repeat(1_100_000)});
    let many: Vec<Value> = (0..100).map(|n| json!({"key": format!("{n}"), "agent": "Worker", "nonsense": 1})).collect();
    for (input, place, problem, count) in [
        (json!({}), "input/definition", None, 1),
        (json!({"definition": null, "source": null}), "input/definition", None, 1),
        (json!({"definition": {}, "source": "{}"}), "input/source", None, 1),
        (json!({"definition": 7}), "input/definition", Some("WRONG_TYPE"), 1),
        (json!({"source": ""}), "input/source", Some("SYNTAX"), 1),
        (json!({"source": "{\"name\": \"a\", \"name\": \"b\"}"}), "input/source", Some("SYNTAX"), 1),
        (json!({"source": "x".repeat(1_100_000)}), "input/source", Some("TOO_MANY"), 1),
        (json!({"definition": large}), "input/definition", Some("TOO_MANY"), 1),
        (json!({"definition": {"name": "a", "x": "\0"}}), "input/definition", Some("INVALID_VALUE"), 1),
        (
            json!({"definition": {"name": "a", "description": "\u{7}", "steps": [{"key": "s", "agent": "Worker"}]}}),
            "input/definition/description",
            Some("INVALID_VALUE"),
            1,
        ),
        (
            json!({"definition": {"name": "M", "steps": many}}),
            "input/definition/steps/0/key",
            Some("INVALID_VALUE"),
            100,
        ),
    ] {
        let answer = change(&app, &author, "createWorkflow", input).await;
        let shown: String = answer.to_string().chars().take(500).collect();
        assert_eq!(places(&answer, "createWorkflow")[0], place, "{shown}");
        assert_eq!(refusals(&answer, "createWorkflow").len(), count, "{shown}");
        let first = answer.pointer("/data/createWorkflow/problems/0/code").and_then(Value::as_str);
        assert_eq!(first, problem, "{shown}");
    }
    let answer = change(&app, &author, "updateWorkflow", json!({"workflowId": "nonsense", "definition": {}})).await;
    assert_eq!(places(&answer, "updateWorkflow"), ["input/workflowId"]);
    for name in ["a\0b", "", "nobody", &"x".repeat(10_000)] {
        let query = "query($name: String!) { workflowByName(name: $name) { id } agentByName(name: $name) { id } }";
        let answer = app.graphql(&author, query, json!({ "name": name })).await;
        assert_eq!(at(&answer, "/data"), &json!({"workflowByName": null, "agentByName": null}));
    }
}

#[tokio::test]
async fn documents_can_be_tried_out() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    let viewer = app.token(Role::Viewer).await;
    make_agent(&app, &author, "Worker").await;
    let good = document("T", "x");
    for arguments in [json!({ "definition": good }), json!({"source": good.to_string()})] {
        let answer = app.graphql(&viewer, VALIDATE, arguments).await;
        assert_eq!(at(&answer, "/data/validateWorkflow"), &json!({"valid": true, "problems": []}));
    }
    let answer = app.graphql(&viewer, VALIDATE, json!({"definition": {"name": "T"}})).await;
    let problem = json!({"path": "/steps", "code": "MISSING", "message": "`steps` is missing", "fields": []});
    assert_eq!(at(&answer, "/data/validateWorkflow"), &json!({"valid": false, "problems": [problem]}));
    let answer = app.graphql(&viewer, VALIDATE, json!({"source": "{"})).await;
    assert_eq!(text(&answer, "/data/validateWorkflow/problems/0/code"), "SYNTAX");
    for arguments in [json!({}), json!({"definition": good, "source": "{}"})] {
        assert_eq!(code(&app.graphql(&viewer, VALIDATE, arguments).await), "BAD_USER_INPUT");
    }
    let answer = app.graphql(&author, "{ workflows { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/workflows/totalCount"), 0, "nothing is saved");
}
