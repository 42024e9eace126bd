//! Policies through the API, at the command line and as a file.

use countersign::domain::{checkpoint::Status, execution::CompletionReason, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::payment;
use crate::support::{Database, TestApp, at, text};

const SAVE: &str = "mutation($input: SavePolicyInput!) { savePolicy(input: $input) {
    policy { version document origin } problems { path line column message } userErrors { code message path } } }";

fn asks(name: &str) -> String {
    format!("version: '1.0'\ncheckpoints:\n  - name: {name}\n    trigger: {{ operation_type: pay }}\n")
}

async fn save(app: &TestApp, token: &str, document: &str, base: Option<i32>) -> Value {
    let input = json!({"input": {"document": document, "baseVersion": base}});
    app.graphql(token, SAVE, input).await["data"]["savePolicy"].clone()
}

#[rstest]
#[tokio::test]
async fn each_save_is_a_version_and_the_newest_is_in_force(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let answer = app.graphql(&admin, "{ policy { version origin document emergencyStop } }", json!({})).await;
    assert_eq!(at(&answer, "/data/policy/version"), &Value::Null);
    assert_eq!(text(&answer, "/data/policy/origin"), "BUILT_IN");
    assert!(text(&answer, "/data/policy/document").contains("High and critical risk"));
    let saved = save(&app, &admin, &asks("First"), None).await;
    assert_eq!((at(&saved, "/policy/version"), text(&saved, "/policy/origin")), (&json!(1), "API"));
    let stale = save(&app, &admin, &asks("Other"), None).await;
    assert_eq!(text(&stale, "/userErrors/0/code"), "CONFLICT");
    assert_eq!(at(&stale, "/userErrors/0/path"), &json!(["input", "baseVersion"]));
    let broken = save(&app, &admin, "version: '1.0'\ncheckpoints:\n  - name: A\n    triger: {}\n", Some(1)).await;
    assert_eq!(at(&broken, "/policy"), &Value::Null);
    let misspelt = json!({"path": "/checkpoints/0/triger", "line": 4, "column": 5,
        "message": "`triger` is not a field: did you mean `trigger`?"});
    assert!(at(&broken, "/problems").as_array().expect("a list").contains(&misspelt), "{broken:#}");
    save(&app, &admin, &asks("Second"), Some(1)).await;
    let restore = "mutation { restorePolicyVersion(input: {version: 1, baseVersion: 2}) {
        policy { version document } userErrors { message } } }";
    let answer = app.graphql(&admin, restore, json!({})).await;
    assert_eq!(at(&answer, "/data/restorePolicyVersion/policy/version"), &json!(3));
    let answer = app.graphql(&admin, "{ policyVersions(first: 2) { totalCount nodes { number } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/policyVersions"), &json!({"totalCount": 3, "nodes": [{"number": 3}, {"number": 2}]}));
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    assert_eq!((row.rule.as_deref(), row.policy), (Some("First"), Some(3)));
}

#[tokio::test]
async fn what_would_happen_is_told_with_every_condition() {
    let app = TestApp::start(Database::Sqlite).await;
    let viewer = app.token(Role::Viewer).await;
    let query = "query($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) {
        outcome rule reasons { message } requirement { seats { count who } }
        checkpointRules { name matched applied conditions { condition held actual } } problems { line } } }";
    let document = "version: '1.0'
checkpoints:
  - name: Large
    trigger: { data_threshold: { field: amount, operator: '>', value: 100 } }
    action: { require_approval_count: 2 }
";
    let input = json!({"operationType": "pay", "parameters": {"amount": 150}, "document": document});
    let answer = app.graphql(&viewer, query, json!({"input": input})).await;
    let told = at(&answer, "/data/evaluatePolicy");
    assert_eq!((text(told, "/outcome"), text(told, "/rule")), ("ASK", "Large"));
    assert_eq!(at(told, "/requirement/seats"), &json!([{"count": 2, "who": "any"}]));
    assert_eq!(text(told, "/reasons/0/message"), "amount is 150, which is > 100");
    let rule = json!({"name": "Large", "matched": true, "applied": true,
        "conditions": [{"condition": "data_threshold", "held": true, "actual": 150}]});
    assert_eq!(at(told, "/checkpointRules/0"), &rule);
    let input = json!({"operationType": "pay", "parameters": {"amount": 50}, "document": document});
    let answer = app.graphql(&viewer, query, json!({"input": input})).await;
    assert_eq!(text(&answer, "/data/evaluatePolicy/outcome"), "PROCEED");
    let input = json!({"operationType": "pay", "parameters": {}, "document": "version: '2'"});
    let answer = app.graphql(&viewer, query, json!({"input": input})).await;
    assert_eq!(at(&answer, "/data/evaluatePolicy/problems/0/line"), &json!(1));
}

#[tokio::test]
async fn one_click_stops_rules_and_only_an_admin_lets_them_go_on() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy("{version: '1.0', auto_approval: {enabled: true, rules: [{name: All, conditions: {operation_type: pay}, action: {auto_approve: true}}]}}").await;
    let workflow = payment(&app, json!({})).await;
    let operator = app.token(Role::Operator).await;
    let stop = |stopped: bool| {
        format!(
            "mutation {{ setEmergencyStop(input: {{stopped: {stopped}, reason: \"x\"}}) {{ policy {{ emergencyStop emergencyStopReason }} }} }}"
        )
    };
    let before = app.start_execution(workflow, json!({})).await;
    app.ends(before, CompletionReason::Success).await;
    let answer = app.graphql(&operator, &stop(true), json!({})).await;
    assert_eq!(
        at(&answer, "/data/setEmergencyStop/policy"),
        &json!({"emergencyStop": true, "emergencyStopReason": "x"})
    );
    let stopped = app.start_execution(workflow, json!({})).await;
    app.waiting(stopped).await;
    let answer = app.graphql(&operator, &stop(false), json!({})).await;
    assert_eq!(crate::support::code(&answer), "FORBIDDEN");
    let admin = app.token(Role::Admin).await;
    app.graphql(&admin, &stop(false), json!({})).await;
    let after = app.start_execution(workflow, json!({})).await;
    app.ends(after, CompletionReason::Success).await;
    assert_eq!(app.checkpoints(after, Status::AutoApproved, 1).await.len(), 1);
    let answer = app.graphql(&admin, "{ auditEntries(first: 3) { nodes { action } } }", json!({})).await;
    let actions: Vec<&str> = (0..3).map(|n| text(&answer, &format!("/data/auditEntries/nodes/{n}/action"))).collect();
    assert!(actions.contains(&"EMERGENCY_STOP_LIFTED"), "{actions:?}");
}

#[tokio::test]
async fn a_file_is_followed_and_a_broken_one_keeps_the_last_good_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("policy.yaml");
    std::fs::write(&path, asks("Filed")).expect("written");
    let shown = path.to_str().expect("a path").to_owned();
    let app = TestApp::start_with(Database::Sqlite, |settings| settings.policy = Some(shown)).await;
    let workflow = payment(&app, json!({})).await;
    // The workspace was made after the start: it has the file's policy all the same.
    let admin = app.token(Role::Admin).await;
    wait_for_policy(&app, &admin, |policy| policy["origin"] == "FILE").await;
    let id = app.start_execution(workflow, json!({})).await;
    assert_eq!(app.waiting(id).await.rule.as_deref(), Some("Filed"));
    let refused = save(&app, &admin, &asks("Mine"), Some(1)).await;
    assert!(text(&refused, "/userErrors/0/message").contains("comes from the operator's file"));
    std::fs::write(&path, "version: '1.0'\nnonsense: 1\n").expect("written");
    let policy = wait_for_policy(&app, &admin, |policy| !policy["fileProblem"].is_null()).await;
    assert!(text(&policy, "/fileProblem").starts_with("line 2, column 1: "), "{policy}");
    assert!(text(&policy, "/document").contains("Filed"), "the last good one stays");
    std::fs::write(&path, asks("Mended")).expect("written");
    let policy = wait_for_policy(&app, &admin, |policy| policy["version"] == 2).await;
    assert_eq!(at(&policy, "/fileProblem"), &Value::Null);
}

/// Asks whenever something has become of the file, until the policy is as expected.
async fn wait_for_policy(app: &TestApp, token: &str, done: impl Fn(&Value) -> bool) -> Value {
    let mut problem = app.engine.policy_file_problem();
    let mut audited = app.engine.store().audit_head();
    let wait = async {
        loop {
            let query = "{ policy { version origin document fileProblem } }";
            let answer = app.graphql(token, query, json!({})).await;
            let policy = at(&answer, "/data/policy").clone();
            if done(&policy) {
                return policy;
            }
            tokio::select! {
                changed = problem.changed() => changed.expect("the file is followed"),
                changed = audited.changed() => changed.expect("the log is followed"),
            }
        }
    };
    tokio::time::timeout(crate::support::PATIENCE, wait).await.expect("the file is followed")
}
