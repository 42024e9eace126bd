//! Policies, tried on the past.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{People, approve, people, propose, refunds_up_to, reject};
use crate::support::{Database, EventStream, Socket, TestApp, at, text};

const RESULT: &str = "done total problems { line column message } result {
    proposals asked autoApproved proceeded escalated timedOut agreed contradicted undecided noLongerAsked newlyAsked
    actual { outcome count } rules { name outcome proposals agreed contradicted } caseCount
    cases { checkpoint { id } url actual outcome rule verdict } }";

async fn backtest(app: &TestApp, people: &People, input: Value) -> Value {
    let query = format!("query($input: BacktestPolicyInput!) {{ backtestPolicy(input: $input) {{ {RESULT} }} }}");
    let answer = app.graphql(&people.approver.access_token, &query, json!({"input": input})).await;
    at(&answer, "/data/backtestPolicy").clone()
}

/// Refunds that people approved, changed and rejected, one that a rule approved, and one that waits.
async fn past(app: &TestApp, people: &People) -> Vec<Value> {
    app.policy(&refunds_up_to(5, "")).await;
    let mut made = Vec::new();
    for amount in [10, 20, 30, 40, 50] {
        let checkpoint = propose(app, people, "refund", 0.9, json!({"amount": amount})).await;
        match amount {
            10 | 20 => approve(app, people, &checkpoint, None).await,
            30 => approve(app, people, &checkpoint, Some(json!({"amount": 25}))).await,
            40 => reject(app, people, &checkpoint, "no").await,
            _ => {}
        }
        made.push(checkpoint);
    }
    made.push(propose(app, people, "refund", 0.9, json!({"amount": 5})).await);
    assert_eq!(text(&made[5], "/status"), "AUTO_APPROVED");
    made
}

#[rstest]
#[tokio::test]
async fn a_policy_is_compared_with_what_people_decided(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let people = people(&app).await;
    let made = past(&app, &people).await;
    let found = backtest(&app, &people, json!({"document": refunds_up_to(35, "")})).await;
    assert_eq!((at(&found, "/done"), at(&found, "/total")), (&json!(6), &json!(6)));
    let result = at(&found, "/result");
    for (field, count) in [
        ("proposals", 6),
        ("asked", 2),
        ("autoApproved", 4),
        ("proceeded", 0),
        ("agreed", 2),
        ("contradicted", 1),
        ("undecided", 1),
        ("noLongerAsked", 3),
        ("newlyAsked", 0),
        ("caseCount", 3),
    ] {
        assert_eq!(result[field], count, "{field}: {result:#}");
    }
    let counts: Vec<i64> = at(result, "/actual")
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["count"].as_i64().expect("a count"))
        .collect();
    assert_eq!(counts, [2, 1, 1, 0, 1, 0, 0, 1]);
    assert_eq!(
        at(result, "/rules"),
        &json!([
            {"name": "Small refunds", "outcome": "AUTO_APPROVED", "proposals": 4, "agreed": 2, "contradicted": 1},
            {"name": "Refunds", "outcome": "ASKED", "proposals": 2, "agreed": 0, "contradicted": 0},
        ])
    );
    let first = at(result, "/cases/0");
    assert_eq!(
        first,
        &json!({"checkpoint": {"id": made[2]["id"]}, "url": first["url"], "actual": "MODIFIED",
            "outcome": "AUTO_APPROVED", "rule": "Small refunds", "verdict": "CONTRADICTS"})
    );
    assert!(text(first, "/url").ends_with(&format!("/checkpoints/{}", text(&made[2], "/id"))));
    assert_eq!(text(result, "/cases/1/verdict"), "AGREES");

    // A policy that asks for everything: what a rule approved would be asked.
    let strict = "{version: '1.0', checkpoints: [{name: All, trigger: {risk_level: [low, high]}, action: {require_approval_count: 1}}]}";
    let result = backtest(&app, &people, json!({"document": strict})).await["result"].clone();
    assert_eq!((&result["asked"], &result["newlyAsked"], &result["caseCount"]), (&json!(6), &json!(1), &json!(1)));
    // One without rules: whoever asks is answered by people.
    let result = backtest(&app, &people, json!({"document": "version: '1.0'"})).await["result"].clone();
    assert_eq!((&result["asked"], &result["proceeded"], &result["newlyAsked"]), (&json!(6), &json!(0), &json!(1)));
    let few = json!({"document": refunds_up_to(35, ""), "mostCases": 1});
    let result = backtest(&app, &people, few).await["result"].clone();
    assert_eq!((result["cases"].as_array().map(Vec::len), &result["caseCount"]), (Some(1), &json!(3)));
    let result =
        backtest(&app, &people, json!({"document": strict, "until": "2020-01-01T00:00:00Z"})).await["result"].clone();
    assert_eq!(result["proposals"], 0);
}

#[tokio::test]
async fn rules_see_what_was_around_a_proposal_then() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    let admin = app.approver("admin@example.com", &[Role::Approver], &[]).await;
    let workflow = crate::checkpoints::payment(&app, json!({"gate": "ALWAYS"})).await;
    for region in ["EU", "US", "EU"] {
        let input = json!({"region": region, "note": "x".repeat(100_000)});
        let row = app.waiting(app.start_execution(workflow, input).await).await;
        app.approve(admin, &row).await.expect("approved");
    }
    let rule = |condition: &str| {
        format!(
            "{{version: '1.0', checkpoints: [{{name: EU, trigger: {{condition: \"{condition}\"}}, action: {{}}}}]}}"
        )
    };
    for condition in [
        "input.region == 'EU'",
        "context.region == 'EU'",
        "proposal.params.region == 'EU'",
        "size(input.note) == 100000 && input.region == 'EU'",
    ] {
        let result = backtest(&app, &people, json!({"document": rule(condition)})).await["result"].clone();
        let by_rule: Vec<&Value> =
            result["rules"].as_array().expect("rules").iter().map(|rule| &rule["proposals"]).collect();
        // The third step asks because it always does, whatever the rules say.
        assert_eq!((&result["asked"], by_rule), (&json!(3), vec![&json!(2), &json!(1)]), "{condition}: {result:#}");
    }
}

#[tokio::test]
async fn a_step_goes_on_where_no_rule_has_anything_to_say() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    let ada = app.approver("eve@example.com", &[Role::Approver], &[]).await;
    app.policy("{version: '1.0', checkpoints: [{name: Pay, trigger: {operation_type: pay}, action: {}}]}").await;
    let workflow = crate::checkpoints::payment(&app, json!({})).await;
    for _ in 0..2 {
        let row = app.waiting(app.start_execution(workflow, json!({"amount": 5})).await).await;
        app.approve(ada, &row).await.expect("approved");
    }
    let result = backtest(&app, &people, json!({"document": "version: '1.0'"})).await["result"].clone();
    let counts = ["asked", "proceeded", "agreed", "noLongerAsked"].map(|field| result[field].clone());
    assert_eq!(counts, [json!(0), json!(2), json!(2), json!(2)], "{result:#}");
}

#[tokio::test]
async fn how_long_people_took_says_what_would_have_been_escalated_or_too_late() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    for seconds in [30, 90, 200] {
        let checkpoint = propose(&app, &people, "refund", 0.9, json!({"amount": 1})).await;
        app.clock.advance(chrono::Duration::seconds(seconds));
        approve(&app, &people, &checkpoint, None).await;
    }
    let policy = "{version: '1.0', checkpoints: [{name: Refunds, trigger: {operation_type: refund}, action: {
        timeout_seconds: 120, on_timeout: reject, escalation: {after_seconds: 60, escalate_to: [ada@example.com]}}}]}";
    let result = backtest(&app, &people, json!({"document": policy})).await["result"].clone();
    let counts = ["asked", "escalated", "timedOut"].map(|field| result[field].clone());
    assert_eq!(counts, [json!(3), json!(2), json!(1)], "{result:#}");
}

#[tokio::test]
async fn progress_is_told_and_whoever_stops_listening_stops_it() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    past(&app, &people).await;
    let subscription =
        format!("subscription($input: BacktestPolicyInput!) {{ backtestPolicy(input: $input) {{ {RESULT} }} }}");
    let variables = json!({"input": {"document": refunds_up_to(35, "")}});
    let mut socket = Socket::open(&app, &people.approver.access_token).await;
    socket.subscribe("1", &subscription, variables.clone()).await;
    let first = socket.next().await;
    assert_eq!(at(&first, "/payload/data/backtestPolicy/done"), 6);
    assert_eq!(at(&first, "/payload/data/backtestPolicy/result"), &Value::Null);
    let last = socket.next().await;
    assert_eq!(at(&last, "/payload/data/backtestPolicy/result/agreed"), 2);
    assert_eq!(socket.next().await["type"], "complete");
    let mut events = EventStream::open(&app, &people.approver.access_token, &subscription, variables).await;
    assert_eq!(at(&events.next().await, "/data/backtestPolicy/total"), 6);
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    let found = backtest(&app, &people, json!({"document": "version: '1.0'\nrules: []\n"})).await;
    assert_eq!(at(&found, "/result"), &Value::Null);
    assert_eq!((at(&found, "/problems/0/line"), at(&found, "/problems/0/column")), (&json!(2), &json!(1)));
    let query = "query($input: BacktestPolicyInput!) { backtestPolicy(input: $input) { done } }";
    for (input, message) in [
        (json!({"document": "version: '1.0'", "mostCases": 1001}), "`mostCases` is 1001: give 0 to 1000"),
        (
            json!({"document": "version: '1.0'", "from": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}),
            "is after",
        ),
        (json!({"document": "version: '1.0'", "workflowId": "x"}), "`workflowId`"),
    ] {
        let answer = app.graphql(&people.approver.access_token, query, json!({"input": input})).await;
        assert!(text(&answer, "/errors/0/message").contains(message), "{answer}");
        assert_eq!(text(&answer, "/errors/0/extensions/code"), "BAD_USER_INPUT");
    }
}
