//! Rules that are tried out on paper, and earn and lose the right to approve.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{People, approve, people, propose, refunds_up_to, reject};
use crate::{
    checkpoints::api::{mutate, refused},
    identity::{audited, newest},
    support::{Database, Socket, TestApp, at, text},
};

const THRESHOLDS: &str = "promote_at: { agreement: 0.75, over: 4 }
      demote_below: { agreement: 0.75, over: 4 }";

const WATCH: &str =
    "subscription($after: String) { policyEvents(after: $after) { type actor { kind } rule agreed of } }";

async fn rule(app: &TestApp, people: &People) -> Value {
    let query = "{ policy { autoApprovalRules { name enabled mode declaredMode earnedAt decisions agreed agreement
        promoteAt { agreement over } demoteBelow { agreement over } } } }";
    let answer = app.graphql(&people.approver.access_token, query, json!({})).await;
    at(&answer, "/data/policy/autoApprovalRules/0").clone()
}

async fn override_approval(app: &TestApp, people: &People, checkpoint: &Value, reason: &str) -> Value {
    let input = json!({"checkpointId": checkpoint["id"], "reason": reason});
    let selection = "checkpoint { status overriddenAt } userErrors { code message path }";
    mutate(app, &people.approver.access_token, "overrideAutoApproval", input, selection).await
}

#[rstest]
#[tokio::test]
async fn a_rule_earns_the_right_to_approve_and_loses_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let people = people(&app).await;
    let admin = app.token(Role::Admin).await;
    let mut watching = Socket::open(&app, &people.approver.access_token).await;
    watching.subscribe("1", WATCH, newest(&app, &admin).await).await;
    app.policy(&refunds_up_to(50, &format!("mode: shadow\n      {THRESHOLDS}"))).await;
    assert_eq!(
        rule(&app, &people).await,
        json!({"name": "Small refunds", "enabled": true, "mode": "SHADOW", "declaredMode": "SHADOW", "earnedAt": null,
            "decisions": 0, "agreed": 0, "agreement": null, "promoteAt": {"agreement": 0.75, "over": 4},
            "demoteBelow": {"agreement": 0.75, "over": 4}})
    );
    // What the rule has nothing to say about says nothing about it.
    let large = propose(&app, &people, "refund", 0.9, json!({"amount": 51})).await;
    reject(&app, &people, &large, "too much").await;
    for amount in [1, 2, 3] {
        let small = propose(&app, &people, "refund", 0.9, json!({"amount": amount})).await;
        assert_eq!(text(&small, "/status"), "PENDING", "people decide for real");
        let instead = (amount == 2).then(|| json!({"amount": 1}));
        approve(&app, &people, &small, instead).await;
    }
    let standing = rule(&app, &people).await;
    assert_eq!((at(&standing, "/decisions"), at(&standing, "/agreed")), (&json!(3), &json!(2)));
    assert_eq!(text(&standing, "/mode"), "SHADOW", "too few decisions");
    let small = propose(&app, &people, "refund", 0.9, json!({"amount": 4})).await;
    approve(&app, &people, &small, None).await;
    let standing = rule(&app, &people).await;
    assert_eq!((text(&standing, "/mode"), text(&standing, "/declaredMode")), ("LIVE", "SHADOW"));
    assert_eq!(at(&standing, "/agreement"), 0.75);
    assert!(at(&standing, "/earnedAt").is_string());
    let entries = audited(&app, &admin, &["RULE_PROMOTED"]).await;
    assert_eq!(at(&entries[0], "/details"), &json!({"rule": "Small refunds", "agreed": 3, "of": 4}));

    let by_rule = propose(&app, &people, "refund", 0.9, json!({"amount": 5})).await;
    assert_eq!(text(&by_rule, "/status"), "AUTO_APPROVED");
    let payload = override_approval(&app, &people, &by_rule, "the customer was blocked").await;
    assert!(at(&payload, "/checkpoint/overriddenAt").is_string(), "{payload}");
    assert_eq!(text(&payload, "/checkpoint/status"), "AUTO_APPROVED");
    assert_eq!(text(&rule(&app, &people).await, "/mode"), "SHADOW", "2 of the last 4");
    assert_eq!(audited(&app, &admin, &["RULE_DEMOTED"]).await.len(), 1);
    let asked = propose(&app, &people, "refund", 0.9, json!({"amount": 5})).await;
    assert_eq!(text(&asked, "/status"), "PENDING");

    let cases = "{ learningCases(filter: {kind: [OVERRIDDEN]}) { nodes { reason proposed { parameters } } } }";
    let answer = app.graphql(&people.agent, cases, json!({})).await;
    assert_eq!(
        at(&answer, "/data/learningCases/nodes"),
        &json!([{"reason": "the customer was blocked", "proposed": {"parameters": {"amount": 5}}}])
    );
    for event in [
        json!({"type": "CHANGED", "actor": {"kind": "SYSTEM"}, "rule": null, "agreed": null, "of": null}),
        json!({"type": "RULE_PROMOTED", "actor": {"kind": "SYSTEM"}, "rule": "Small refunds", "agreed": 3, "of": 4}),
        json!({"type": "RULE_DEMOTED", "actor": {"kind": "SYSTEM"}, "rule": "Small refunds", "agreed": 2, "of": 4}),
    ] {
        assert_eq!(at(&watching.next().await, "/payload/data/policyEvents"), &event);
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn another_rule_of_the_same_name_begins_anew_and_whoever_changes_the_mode_means_it() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    let one = "promote_at: { agreement: 1, over: 1 }";
    app.policy(&refunds_up_to(50, &format!("mode: shadow\n      {one}"))).await;
    let small = propose(&app, &people, "refund", 0.9, json!({"amount": 4})).await;
    approve(&app, &people, &small, None).await;
    assert_eq!(text(&rule(&app, &people).await, "/mode"), "LIVE");
    app.policy(&refunds_up_to(5_000, &format!("mode: shadow\n      {one}"))).await;
    let standing = rule(&app, &people).await;
    assert_eq!((text(&standing, "/mode"), at(&standing, "/decisions")), ("SHADOW", &json!(0)));
    app.policy(&refunds_up_to(50, &format!("mode: shadow\n      {one}"))).await;
    assert_eq!(text(&rule(&app, &people).await, "/mode"), "LIVE", "the first one has earned it");
    app.policy(&refunds_up_to(50, "mode: live\n      demote_below: 0.9")).await;
    let by_rule = propose(&app, &people, "refund", 0.9, json!({"amount": 5})).await;
    override_approval(&app, &people, &by_rule, "no").await;
    assert_eq!(text(&rule(&app, &people).await, "/mode"), "SHADOW");
}

#[tokio::test]
async fn only_what_a_rule_approved_is_overridden_and_once_with_a_reason() {
    let app = TestApp::start(Database::Sqlite).await;
    let people = people(&app).await;
    app.policy(&refunds_up_to(50, "")).await;
    let asked = propose(&app, &people, "refund", 0.9, json!({"amount": 51})).await;
    let by_rule = propose(&app, &people, "refund", 0.9, json!({"amount": 5})).await;
    let payload = override_approval(&app, &people, &asked, "no").await;
    assert_eq!(refused(&payload).0, "CONFLICT");
    let payload = override_approval(&app, &people, &by_rule, " ").await;
    assert_eq!(refused(&payload), ("INVALID", &json!(["input", "reason"])));
    assert_eq!(at(&override_approval(&app, &people, &by_rule, "no").await, "/userErrors"), &json!([]));
    assert_eq!(refused(&override_approval(&app, &people, &by_rule, "no").await).0, "ALREADY_DECIDED");
    app.assert_sound().await;
}
