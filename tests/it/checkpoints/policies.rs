//! Policies through the API, at the command line and as a file.

use countersign::{
    domain::{
        access::Scope, agent::RiskLevel, api_token::Right, checkpoint::Status, execution::CompletionReason, json::Json,
        role::Role,
    },
    engine::{
        Origin,
        commands::{Asking, CreateApiToken, CreateWorkspace, RequestApproval, SavePolicy},
    },
};
use rstest::rstest;
use serde_json::{Value, json};

use super::payment;
use crate::support::{Database, TestApp, at, command, text};

const SAVE: &str = "mutation($input: SavePolicyInput!) { savePolicy(input: $input) {
    policy { version document origin } problems { path line column message } warnings { path line message }
    userErrors { code message path } } }";

fn asks(name: &str) -> String {
    format!("version: '1.0'\ncheckpoints:\n  - name: {name}\n    trigger: {{ operation_type: pay }}\n")
}

/// Something that a program wants to do.
pub fn wish() -> RequestApproval {
    RequestApproval {
        asking: Asking::default(),
        operation_type: "refund".to_owned(),
        description: "Refund the order".to_owned(),
        parameters: Json::parse(r#"{"order":1}"#).expect("JSON"),
        risk_level: RiskLevel::Low,
        reasoning: None,
        confidence: Some(1.0),
        estimated_cost: None,
        supporting_data: None,
        alternatives: Vec::new(),
        items: None,
    }
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
    let errors = at(&broken, "/userErrors").as_array().expect("a list");
    let told = json!({"code": "INVALID", "path": ["input", "document"],
        "message": "line 4, column 5: `triger` is not a field: did you mean `trigger`?"});
    assert!(
        errors.contains(&told) && errors.len() == at(&broken, "/problems").as_array().expect("a list").len(),
        "{broken:#}"
    );
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
async fn a_policy_that_cannot_work_is_not_saved() {
    let app = TestApp::start(Database::Sqlite).await;
    for name in ["ada", "bob"] {
        app.approver(&format!("{name}@example.com"), &[Role::Approver], &["finance"]).await;
    }
    let admin = app.token(Role::Admin).await;
    let document = |action: &str| format!("{}    action: {action}\n", asks("Pay"));
    let five = document("{ approvers: { groups: [finance] }, require_approval_count: 5 }");
    let refused = save(&app, &admin, &five, None).await;
    assert_eq!(at(&refused, "/policy"), &Value::Null);
    assert_eq!(text(&refused, "/problems/0/path"), "/checkpoints/0/action/approvers");
    assert!(text(&refused, "/problems/0/message").starts_with("no one could ever approve this: 5 of group:finance"));
    assert!(text(&refused, "/userErrors/0/message").starts_with("line 5, column 15: no one could"), "{refused}");
    let saved = save(&app, &admin, &document("{ approvers: { groups: [finance, finanze] } }"), None).await;
    assert_eq!(at(&saved, "/policy/version"), &json!(1), "{saved}");
    let expected = json!({"path": "/checkpoints/0/action/approvers/groups/1", "line": 5, "message": "there is no group `finanze`"});
    assert_eq!(at(&saved, "/warnings"), &json!([expected]));
    let query = "query($document: String!) { validatePolicy(document: $document) { valid problems { message } warnings { message } } }";
    let viewer = app.token(Role::Viewer).await;
    let answer = app.graphql(&viewer, query, json!({"document": five})).await;
    assert_eq!(at(&answer, "/data/validatePolicy/valid"), &json!(false), "it is told before it is saved");
    // Somebody has left: what was good once cannot be put in force again.
    let page = countersign::store::page::Page::first(10);
    let filter = countersign::store::users::Filter::default();
    let sort = countersign::store::users::Sort::CreatedAt;
    let people = app.engine.store().users(app.scope(), &filter, sort, false, &page).await.expect("people");
    save(&app, &admin, &document("{ require_approval_count: 1 }"), Some(1)).await;
    app.approver("root@example.com", &[Role::Admin], &[]).await;
    for (_, person) in people.rows {
        app.engine.disable_user(app.scope(), person.id, &Origin::default()).await.expect("disabled");
    }
    let restore = "mutation { restorePolicyVersion(input: {version: 1, baseVersion: 2}) {
        policy { version } userErrors { code message path } } }";
    let answer = app.graphql(&admin, restore, json!({})).await;
    assert_eq!(at(&answer, "/data/restorePolicyVersion/userErrors/0/path"), &json!(["input", "version"]), "{answer}");
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
async fn one_click_stops_rules_and_another_one_lets_them_go_on() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy("{version: '1.0', auto_approval: {enabled: true, rules: [{name: All, conditions: {operation_type: pay}, action: {auto_approve: true}}]}}").await;
    let workflow = payment(&app, json!({})).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.token(Role::Approver).await);
    let alarm =
        CreateApiToken { name: "alarm".to_owned(), rights: vec![Right::EmergencyStop], ..CreateApiToken::default() };
    let alarm = app.make_token(app.scope(), alarm).await;
    let stop = |stopped: bool| {
        format!(
            "mutation {{ setEmergencyStop(input: {{stopped: {stopped}, reason: \"x\"}}) {{ policy {{ emergencyStop emergencyStopReason }} }} }}"
        )
    };
    let before = app.start_execution(workflow, json!({})).await;
    app.ends(before, CompletionReason::Success).await;
    let answer = app.graphql(&operator, &stop(true), json!({})).await;
    assert_eq!(crate::support::code(&answer), "FORBIDDEN", "a worker cannot stop everybody else");
    let answer = app.graphql(&approver, &stop(true), json!({})).await;
    assert_eq!(
        at(&answer, "/data/setEmergencyStop/policy"),
        &json!({"emergencyStop": true, "emergencyStopReason": "x"})
    );
    let stopped = app.start_execution(workflow, json!({})).await;
    app.waiting(stopped).await;
    for token in [&operator, &alarm] {
        let answer = app.graphql(token, &stop(false), json!({})).await;
        assert_eq!(crate::support::code(&answer), "FORBIDDEN");
    }
    let answer = app.graphql(&approver, &stop(false), json!({})).await;
    assert_eq!(at(&answer, "/data/setEmergencyStop/policy/emergencyStop"), &json!(false));
    let silent = "mutation { setEmergencyStop(input: {stopped: true}) { userErrors { code } } }";
    let answer = app.graphql(&alarm, silent, json!({})).await;
    assert_eq!(answer, json!({"data": {"setEmergencyStop": {"userErrors": []}}}), "the right alone suffices");
    let answer = app.graphql(&alarm, "{ policy { version } }", json!({})).await;
    assert_eq!(crate::support::code(&answer), "FORBIDDEN", "it is for nothing else");
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
    let admin = app.token(Role::Admin).await;
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

/// The workspace was made after the start, so nothing has had time to notice it.
#[rstest]
#[tokio::test]
async fn a_workspace_is_never_there_without_the_files_policy(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("policy.yaml");
    std::fs::write(&path, asks("Filed")).expect("written");
    let shown = path.to_str().expect("a path").to_owned();
    let app = TestApp::start_with(database, |settings| settings.policy = Some(shown.clone())).await;
    let created = app.create_workspace("second").await;
    let stored = app.engine.store().policy_in_force(Scope::system(created.id)).await.expect("a lookup");
    assert_eq!(stored.version, Some(1), "its policy comes with the workspace");
    // What was good once is good for new workspaces, too.
    std::fs::write(&path, "nonsense").expect("written");
    let created = app.create_workspace("third").await;
    let stored = app.engine.store().policy_in_force(Scope::system(created.id)).await.expect("a lookup");
    assert_eq!(stored.version, Some(1));
    // The command line may be used without the setting: what this server judges, it judges by the file.
    let stranger = app.another_process().await;
    let command = CreateWorkspace { slug: "fourth".to_owned(), name: "Fourth".to_owned() };
    let created = stranger.create_workspace(command).await.expect("a workspace");
    let scope = Scope::system(created.id);
    let command = RequestApproval { operation_type: "pay".to_owned(), ..wish() };
    let row = app.engine.request_approval(scope, command).await.expect("asked");
    assert_eq!((row.rule.as_deref(), row.policy), (Some("Filed"), Some(1)));
}

/// What a server remembers of the policy may be older than what another one has saved.
#[rstest]
#[tokio::test]
async fn a_policy_holds_everywhere_from_the_moment_it_is_saved(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy("version: '1.0'").await;
    let workflow = payment(&app, json!({})).await;
    let before = app.start_execution(workflow, json!({})).await;
    app.ends(before, CompletionReason::Success).await;
    let elsewhere = app.another_process().await;
    let command = SavePolicy { document: asks("Strict"), base_version: Some(1) };
    elsewhere.save_policy(app.scope(), command, &Origin::default()).await.expect("saved");
    let after = app.start_execution(workflow, json!({})).await;
    assert_eq!(app.waiting(after).await.rule.as_deref(), Some("Strict"));
}

#[tokio::test]
async fn without_a_file_that_can_be_used_nothing_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("policy.yaml");
    let shown = path.to_str().expect("a path");
    for (content, expected) in [
        (None, "No such file"),
        (
            Some("version: '1.0'\ncheckpoints:\n  - name: A\n    triger: {}\n"),
            "line 4, column 5: `triger` is not a field",
        ),
    ] {
        if let Some(content) = content {
            std::fs::write(&path, content).expect("written");
        }
        for arguments in
            [vec!["serve", "--listen", "127.0.0.1:0"], vec!["workspace", "create", "--slug", "team", "--name", "Team"]]
        {
            let run =
                command(folder.path()).args(&arguments).args(["--policy", shown]).output().await.expect("it runs");
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(!run.status.success() && said.contains(shown) && said.contains(expected), "{arguments:?}: {said}");
        }
    }
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
