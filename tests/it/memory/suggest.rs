//! Rules that people always follow.

use rstest::rstest;
use serde_json::json;

use super::{approve, people, propose, refunds_up_to, reject};
use crate::support::{Database, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn what_people_always_approve_is_suggested_and_can_be_accepted(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let people = people(&app).await;
    app.policy(&refunds_up_to(0, "")).await;
    for amount in 1..=8 {
        let checkpoint = propose(&app, &people, "refund", 0.9, json!({"amount": amount})).await;
        match amount {
            1..=6 => approve(&app, &people, &checkpoint, None).await,
            _ => reject(&app, &people, &checkpoint, "too much").await,
        }
    }
    let query = "query($least: Int!) { suggestPolicyRules(minimumCases: $least) { name description cases rule document
        backtest { autoApproved agreed contradicted proceeded } } }";
    let author = &people.approver.access_token;
    let answer = app.graphql(author, query, json!({"least": 5})).await;
    let suggestions = at(&answer, "/data/suggestPolicyRules").as_array().expect("a list").clone();
    assert_eq!(suggestions.len(), 1, "{answer:#}");
    let suggestion = &suggestions[0];
    assert_eq!(text(suggestion, "/description"), "people approved 6 of 6 `refund` with `amount` up to 6");
    assert_eq!(at(suggestion, "/cases"), 6);
    assert_eq!(
        at(suggestion, "/backtest"),
        &json!({"autoApproved": 6, "agreed": 6, "contradicted": 0, "proceeded": 0})
    );
    let answer = app.graphql(author, query, json!({"least": 7})).await;
    assert_eq!(at(&answer, "/data/suggestPolicyRules"), &json!([]));
    let answer = app.graphql(author, query, json!({"least": 4})).await;
    assert!(text(&answer, "/errors/0/message").contains("`minimumCases` is 4: give 5 to 10000"), "{answer}");

    // Accepted: it begins in the shadow, beside the rules that are there.
    app.policy(text(suggestion, "/document")).await;
    let rules = "{ policy { autoApprovalRules { name mode } } }";
    let answer = app.graphql(author, rules, json!({})).await;
    assert_eq!(
        at(&answer, "/data/policy/autoApprovalRules"),
        &json!([{"name": text(suggestion, "/name"), "mode": "SHADOW"}, {"name": "Small refunds", "mode": "LIVE"}])
    );
    let checkpoint = propose(&app, &people, "refund", 0.9, json!({"amount": 2})).await;
    assert_eq!(text(&checkpoint, "/status"), "PENDING");
    let evaluate = "{ evaluatePolicy(input: {operationType: \"refund\", riskLevel: LOW, parameters: {amount: 2}}) {
        outcome autoApprovalRules { matched enabled shadow } } }";
    let answer = app.graphql(author, evaluate, json!({})).await;
    assert_eq!(text(&answer, "/data/evaluatePolicy/outcome"), "ASK");
    assert_eq!(
        at(&answer, "/data/evaluatePolicy/autoApprovalRules/0"),
        &json!({"matched": true, "enabled": false, "shadow": true})
    );
}
