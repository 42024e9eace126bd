//! When an execution stops, and with what it goes on.

use countersign::domain::{
    checkpoint,
    execution::{CompletionReason, Event, Status, StepStatus},
    role::Role,
};
use rstest::rstest;
use serde_json::json;

use super::{copying, payment};
use crate::support::{Database, TestApp};

#[rstest]
#[tokio::test]
async fn a_risky_step_waits_and_goes_on_with_what_was_approved(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = payment(&app, json!({})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({"amount": 5, "to": "Bob"})).await;
    let row = app.waiting(id).await;
    assert_eq!(row.description, "Run Pay (pay) with amount: 5, to: Bob");
    assert_eq!((row.rule.as_deref(), row.policy), (Some("High and critical risk"), None));
    assert_eq!((row.approvals, row.approvals_needed, row.revision), (0, 1, 1));
    let execution = app.wait_for(id, Status::AwaitingApproval).await;
    assert_eq!(execution.running_since, None, "waiting for people does not count");
    assert_eq!(app.steps(id).await, [(0, StepStatus::Completed), (1, StepStatus::AwaitingApproval)]);
    app.assert_sound().await;
    let decided = app.approve(ada, &row).await.expect("approved");
    assert_eq!((decided.status, decided.approvals), (checkpoint::Status::Approved, 1));
    app.ends(id, CompletionReason::Success).await;
    let kinds = app.kinds(id).await;
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).skip(4).collect();
    let expected = [
        "checkpoint.requested",
        "checkpoint.decided",
        "checkpoint.approved",
        "step.started 1",
        "step.completed 1",
        "execution.completed",
    ];
    assert_eq!(kinds, expected);
    app.assert_sound().await;
}

#[tokio::test]
async fn a_step_that_never_asks_runs_and_one_that_always_asks_asks() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({"gate": "NEVER"})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    copying(&app, "Harmless", countersign::domain::agent::RiskLevel::Low).await;
    let steps = json!([{"key": "a", "agent": "Harmless", "gate": "ALWAYS"}]);
    let always = app.workflow(json!({"name": "Always", "steps": steps})).await;
    app.policy(
        "{version: '1.0', auto_approval: {enabled: true, rules: [{name: All, conditions: {risk_level: low}, action: {auto_approve: true}}]}}",
    )
    .await;
    let id = app.start_execution(always, json!({})).await;
    let row = app.waiting(id).await;
    assert_eq!(row.rule, None, "no rule asks: the step itself does");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_rule_approves_what_it_may_and_the_stop_ends_that_at_once() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({})).await;
    app.policy(
        "
version: '1.0'
checkpoints:
  - { name: Payments, trigger: { operation_type: pay }, action: { require_approval_count: 1 } }
auto_approval:
  enabled: true
  rules:
    - name: Small
      conditions: { operation_type: pay, data_threshold: { field: amount, operator: '<=', value: 50 } }
      action: { auto_approve: true }
",
    )
    .await;
    let small = app.start_execution(workflow, json!({"amount": 50})).await;
    app.ends(small, CompletionReason::Success).await;
    let row = app.checkpoints(small, checkpoint::Status::AutoApproved, 1).await.remove(0);
    assert_eq!((row.rule.as_deref(), row.policy), (Some("Small"), Some(1)));
    let large = app.start_execution(workflow, json!({"amount": 51})).await;
    assert_eq!(app.waiting(large).await.rule.as_deref(), Some("Payments"));
    // Another process, such as the command line, stops it.
    let elsewhere = app.another_process().await;
    let origin = countersign::engine::Origin::default();
    elsewhere.set_emergency_stop(app.scope(), true, Some("audit"), &origin).await.expect("stopped");
    let stopped = app.start_execution(workflow, json!({"amount": 1})).await;
    let row = app.waiting(stopped).await;
    assert_eq!(row.rule.as_deref(), Some("Payments"));
    app.assert_sound().await;
}

#[tokio::test]
async fn what_a_step_says_about_itself_is_what_people_see() {
    let app = TestApp::start(Database::Sqlite).await;
    let proposal = json!({
        "description": "Pay {{ input.amount }} to {{ input.to }}",
        "reasoning": "{{ steps.prepare.why }}",
        "confidence": "input.sure / 100.0",
        "estimatedCostMicros": "input.amount * 10",
        "supportingData": {"source": "ledger"},
        "alternatives": ["Pay {{ input.amount / 2 }} now"],
        "riskLevel": "CRITICAL",
        "operationType": "refund",
    });
    let workflow = payment(&app, json!({"proposal": proposal})).await;
    let input = json!({"amount": 10, "to": "Bob", "why": "it is due", "sure": 87});
    let id = app.start_execution(workflow, input).await;
    let row = app.waiting(id).await;
    assert_eq!(row.description, "Pay 10 to Bob");
    assert_eq!((row.operation_type.as_str(), row.risk_level.as_str()), ("refund", "CRITICAL"));
    assert_eq!((row.confidence, row.estimated_cost), (Some(0.87), Some(100)));
    let events = app.events(id).await;
    let requested = events.into_iter().find_map(|event| match event {
        Event::Checkpoint(checkpoint::Event::Requested(requested)) => Some(requested),
        _ => None,
    });
    let proposal = requested.expect("asked").proposal;
    assert_eq!(proposal.reasoning.as_deref(), Some("it is due"));
    assert_eq!(proposal.alternatives, ["Pay 5 now"]);
    app.assert_sound().await;
}

#[tokio::test]
async fn a_step_that_cannot_say_what_it_does_does_not_run() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({"itemsFrom": "input.lines"})).await;
    for input in [json!({}), json!({"lines": 7}), json!({"lines": [{"id": 1}, {"id": 1}]})] {
        let id = app.start_execution(workflow, input).await;
        app.ends(id, CompletionReason::Failed).await;
    }
    app.assert_sound().await;
}
