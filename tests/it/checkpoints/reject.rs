//! What happens after a rejection.

use countersign::domain::{
    checkpoint::Status,
    execution::{CompletionReason, StepStatus},
    role::Role,
};
use serde_json::json;

use super::{copying, payment};
use crate::support::{Database, TestApp};

#[tokio::test]
async fn a_rejected_step_can_be_skipped() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({"onReject": "SKIP"})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.reject(ada, &row, "not now").await.expect("rejected");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::Completed), (1, StepStatus::Skipped)]);
    app.assert_sound().await;
}

#[tokio::test]
async fn the_step_before_it_runs_again_and_learns_why() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Drafts", countersign::domain::agent::Kind::Worker, json!({"queue": "q"})).await;
    copying(&app, "Pay", countersign::domain::agent::RiskLevel::High).await;
    let steps = json!([{"key": "draft", "agent": "Drafts", "retry": {"attempts": 1}},
        {"key": "pay", "agent": "Pay", "onReject": "REVISE"}]);
    let workflow = app.workflow(json!({"name": "Revised", "steps": steps})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({"to": "Bob"})).await;
    let first = app.claim_next("q").await;
    assert_eq!(first.input.text(), r#"{"to":"Bob"}"#);
    app.complete(&first, r#"{"amount":9}"#).await.expect("completed");
    let row = app.waiting(id).await;
    app.reject(ada, &row, "too much").await.expect("rejected");
    app.assert_sound().await;
    let again = app.claim_next("q").await;
    assert_eq!(
        again.input.text(),
        r#"{"to":"Bob","revision":{"reason":"too much","rejected":{"to":"Bob","amount":9}}}"#
    );
    assert_ne!(again.idempotency_key, first.idempotency_key);
    app.complete(&again, r#"{"amount":4}"#).await.expect("completed");
    let row = app.waiting(id).await;
    assert_eq!(row.description, "Run Pay (pay) with to: Bob, amount: 4");
    app.approve(ada, &row).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    let statuses: Vec<Status> = app.engine.store().checkpoints_of(app.scope(), &[id]).await.expect("rows")[&id]
        .iter()
        .map(|row| row.status)
        .collect();
    assert_eq!(statuses, [Status::Rejected, Status::Approved]);
    app.assert_sound().await;
}
