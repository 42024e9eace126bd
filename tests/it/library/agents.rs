//! Making and changing agents.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{agent, audited, change, done, places, refusals};
use crate::support::{Database, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn an_agent_is_made_and_changed(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    let input = json!({
        "name": " Refunder ", "kind": "HTTP", "description": "Pays back", "operationType": "refund",
        "config": {"url": "https://example.com/{{ input.id }}", "headers": {"X-B": "1", "X-A": "2"}},
        "inputSchema": {"type": "object"}, "outputSchema": true,
    });
    let answer = change(&app, &author, "createAgent", input).await;
    let made = done(&answer, "createAgent");
    let id = text(made, "/id");
    let config =
        json!({"url": "https://example.com/{{ input.id }}", "method": "POST", "headers": {"X-B": "1", "X-A": "2"}});
    let expected = json!({
        "id": id, "name": "Refunder", "kind": "HTTP", "version": 1, "description": "Pays back", "config": config,
        "inputSchema": {"type": "object"}, "outputSchema": true, "operationType": "refund", "riskLevel": "MEDIUM",
        "archivedAt": null,
    });
    assert_eq!(made, &expected);
    assert_eq!(agent(&app, &author, id).await, expected);

    let input =
        json!({"agentId": id, "baseVersion": 1, "riskLevel": "HIGH", "inputSchema": null, "operationType": null});
    let answer = change(&app, &author, "updateAgent", input).await;
    let mut expected = expected;
    expected["version"] = json!(2);
    expected["riskLevel"] = json!("HIGH");
    expected["inputSchema"] = Value::Null;
    expected["operationType"] = Value::Null;
    assert_eq!(done(&answer, "updateAgent"), &expected, "what is absent stays, null takes away");

    let input =
        json!({"agentId": id, "baseVersion": 2, "riskLevel": null, "description": null, "config": {"url": "http://x"}});
    let answer = change(&app, &author, "updateAgent", input).await;
    expected["version"] = json!(3);
    expected["riskLevel"] = json!("MEDIUM");
    expected["description"] = json!("");
    expected["config"] = json!({"url": "http://x", "method": "POST", "headers": {}});
    assert_eq!(done(&answer, "updateAgent"), &expected, "a config is replaced as a whole");

    let answer =
        change(&app, &author, "updateAgent", json!({"agentId": id, "baseVersion": 3, "description": ""})).await;
    assert_eq!(done(&answer, "updateAgent"), &expected, "nothing new is no new version");
    let admin = app.token(Role::Admin).await;
    let entries = audited(&app, &admin, &["AGENT_CREATED", "AGENT_UPDATED"]).await;
    let versions: Vec<&Value> = entries.iter().map(|entry| at(entry, "/details")).collect();
    assert_eq!(
        versions,
        [
            &json!({"name": "Refunder", "version": 3}),
            &json!({"name": "Refunder", "version": 2}),
            &json!({"name": "Refunder", "kind": "HTTP"}),
        ]
    );
    assert!(entries.iter().all(|entry| text(entry, "/subjectId") == id));
}

#[rstest]
#[tokio::test]
async fn a_change_from_an_old_version_is_refused(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    let id = super::make_agent(&app, &author, "Worker").await;
    change(&app, &author, "updateAgent", json!({"agentId": id, "baseVersion": 1, "description": "A"})).await;
    for base in [1, 3, 0, -1, i32::MAX] {
        let input = json!({"agentId": id, "baseVersion": base, "description": "B"});
        let answer = change(&app, &author, "updateAgent", input).await;
        assert_eq!(refusals(&answer, "updateAgent"), ["CONFLICT"]);
        assert_eq!(places(&answer, "updateAgent"), ["input/baseVersion"]);
        assert!(text(&answer, "/data/updateAgent/userErrors/0/message").contains("version 2"), "{answer}");
    }
    assert_eq!(agent(&app, &author, &id).await["description"], "A");
}

#[tokio::test]
async fn every_problem_is_named_at_once() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    let long = "x".repeat(3_000);
    let input = json!({
        "name": "a\u{7}", "kind": "HTTP", "description": long, "operationType": " ", "inputSchema": 7,
        "outputSchema": {"const": "a\0b"},
        "config": {"url": "ftp://x", "metod": "GET", "headers": {"a/b c": 1}},
    });
    let answer = change(&app, &author, "createAgent", input).await;
    let mut found = places(&answer, "createAgent");
    found.sort();
    let expected = [
        "input/config/headers/a/b c",
        "input/config/metod",
        "input/config/url",
        "input/description",
        "input/inputSchema",
        "input/name",
        "input/operationType",
        "input/outputSchema",
    ];
    assert_eq!(found, expected, "{answer:#}");
    assert!(refusals(&answer, "createAgent").iter().all(|code| *code == "INVALID"));
    let errors = at(&answer, "/data/createAgent/userErrors").as_array().expect("a list");
    let path = json!(["input", "config", "headers", "a/b c"]);
    assert!(errors.iter().any(|error| error["path"] == path), "a pointer's segments are unescaped: {answer:#}");
    assert_eq!(at(&answer, "/data/createAgent/agent"), &Value::Null);

    for (kind, config, place) in [
        ("HTTP", json!({}), "input/config/url"),
        ("HTTP", json!([]), "input/config"),
        ("WORKER", json!({"queue": "a b"}), "input/config/queue"),
        ("WORKER", json!({"queue": "\0"}), "input/config"),
        ("WORKER", json!({"maxConcurrency": 1.5}), "input/config/maxConcurrency"),
        ("WORKER", json!({"big": "x".repeat(300_000)}), "input/config"),
        ("TRANSFORM", json!({}), "input/config/output"),
        ("TRANSFORM", json!({"fields": {"a": "/steps/b"}}), "input/config/fields/a"),
    ] {
        let answer = change(&app, &author, "createAgent", json!({"name": "A", "kind": kind, "config": config})).await;
        assert_eq!(places(&answer, "createAgent"), [place], "{kind}");
    }
}

#[rstest]
#[tokio::test]
async fn a_name_is_taken_once_in_a_workspace(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    super::make_agent(&app, &author, "Worker").await;
    let answer = change(&app, &author, "createAgent", json!({"name": " Worker", "kind": "WORKER"})).await;
    assert_eq!(refusals(&answer, "createAgent"), ["ALREADY_EXISTS"]);
    assert_eq!(places(&answer, "createAgent"), ["input/name"]);
    super::make_agent(&app, &author, "worker").await;
}

#[tokio::test]
async fn the_risk_depends_on_the_kind_unless_it_is_said() {
    let app = TestApp::start(Database::Sqlite).await;
    let author = app.token(Role::Author).await;
    for (kind, config, risk) in [
        ("HTTP", json!({"url": "https://example.com"}), "MEDIUM"),
        ("WORKER", json!({}), "MEDIUM"),
        ("TRANSFORM", json!({"output": "/input"}), "LOW"),
    ] {
        let input = json!({"name": kind, "kind": kind, "config": config});
        let answer = change(&app, &author, "createAgent", input).await;
        assert_eq!(text(done(&answer, "createAgent"), "/riskLevel"), risk);
    }
}
