//! What users of other systems reported as bugs.

use chrono::TimeDelta;
use countersign::{
    domain::{
        agent::RiskLevel,
        checkpoint::Status,
        execution::{self, CompletionReason, StepStatus},
        refusal::Code,
        role::Role,
    },
    engine::Origin,
};
use rstest::rstest;
use serde_json::json;

use super::{copying, payment};
use crate::support::{
    Database, Process, Service, TestApp, TestClock,
    flows::{allow_loopback, refusal},
};

/// One branch waits for people while another one runs.
async fn branches(app: &TestApp, pay: serde_json::Value) -> countersign::domain::id::WorkflowId {
    copying(app, "Pay", RiskLevel::High).await;
    let mut steps = vec![
        json!({"key": "one", "agent": "Pay", "needs": []}),
        json!({"key": "other", "agent": "Pay", "needs": []}),
        json!({"key": "end", "agent": "Pay", "needs": ["one", "other"], "gate": "NEVER"}),
    ];
    for (name, value) in pay.as_object().expect("fields") {
        steps[1][name] = value.clone();
    }
    app.workflow(json!({"name": "Branches", "steps": steps})).await
}

#[tokio::test]
async fn a_decision_that_arrives_before_the_execution_has_parked() {
    let (service, gate) = Service::gated().await;
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    copying(&app, "Pay", RiskLevel::High).await;
    app.agent("Slow", countersign::domain::agent::Kind::Http, service.config()).await;
    let steps = json!([{"key": "pay", "agent": "Pay", "needs": []}, {"key": "slow", "agent": "Slow", "needs": []}]);
    let workflow = app.workflow(json!({"name": "Both", "steps": steps})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    service.wait_for_calls(1).await;
    assert_eq!(app.wait_for(id, execution::Status::Running).await.steps_done, 0, "the other branch runs");
    app.approve(ada, &row).await.expect("approved");
    gate.add_permits(10);
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn an_old_timer_after_a_manual_decision() {
    let (service, gate) = Service::gated().await;
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    app.policy("{version: '1.0', checkpoints: [{name: P, trigger: {operation_type: pay}, action: {timeout_seconds: 60, on_timeout: cancel, reminder_seconds: 30}}]}").await;
    copying(&app, "Pay", RiskLevel::High).await;
    app.agent("Slow", countersign::domain::agent::Kind::Http, service.config()).await;
    let steps = json!([{"key": "pay", "agent": "Pay"}, {"key": "slow", "agent": "Slow", "timeoutSeconds": 1000}]);
    let workflow = app.workflow(json!({"name": "Both", "steps": steps})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.approve(ada, &row).await.expect("approved");
    service.wait_for_calls(1).await;
    app.clock.advance(TimeDelta::seconds(100));
    gate.add_permits(10);
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(app.checkpoint(row.id).await.status, Status::Approved);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn two_checkpoints_in_parallel_branches(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let workflow = branches(&app, json!({"onReject": "SKIP"})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let rows = app.checkpoints(id, Status::Pending, 2).await;
    let (one, other) = (&rows[0], &rows[1]);
    assert_eq!((one.step, other.step), (Some(0), Some(1)));
    app.reject(ada, other, "not this").await.expect("rejected");
    app.wait_for(id, execution::Status::AwaitingApproval).await;
    assert_eq!(app.steps(id).await, [(0, StepStatus::AwaitingApproval), (1, StepStatus::Skipped)]);
    assert_eq!(app.checkpoint(one.id).await.status, Status::Pending, "the answer was to the other one");
    // What was said to one says nothing about the other, whatever its digest.
    let mixed = countersign::engine::commands::DecideCheckpoint {
        checkpoint: other.id,
        ..crate::support::policies::approving(one)
    };
    assert_eq!(refusal(app.engine.decide_checkpoint(ada, mixed, &Origin::default()).await).code, Code::AlreadyDecided);
    app.approve(ada, one).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_retried_or_forked_execution_asks_anew() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.approve(ada, &row).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    let retried = app.engine.retry_execution(app.scope(), id, None).await.expect("retried").id;
    let forked = app.engine.fork_execution(app.scope(), id, "pay", None, None).await.expect("forked").id;
    for again in [retried, forked] {
        let row = app.waiting(again).await;
        app.wait_for(again, execution::Status::AwaitingApproval).await;
        app.reject(ada, &row, "not twice").await.expect("rejected");
        app.ends(again, CompletionReason::Rejected).await;
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn a_skipped_step_does_not_park() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({"when": "input.pay", "gate": "ALWAYS"})).await;
    let id = app.start_execution(workflow, json!({"pay": false})).await;
    app.ends(id, CompletionReason::Success).await;
    assert!(app.engine.store().checkpoints_of(app.scope(), &[id]).await.expect("rows").is_empty());
    app.assert_sound().await;
}

#[tokio::test]
async fn a_gate_in_a_branch_is_not_passed_by() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = branches(&app, json!({"gate": "NEVER"})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.wait_for(id, execution::Status::AwaitingApproval).await;
    assert_eq!(
        app.steps(id).await,
        [(0, StepStatus::AwaitingApproval), (1, StepStatus::Completed)],
        "what needs both waits for both"
    );
    app.approve(ada, &row).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_restart_with_pending_checkpoints(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let first = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    let workflow = payment(&first, json!({})).await;
    let ada = first.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = first.start_execution(workflow, json!({"n": 1})).await;
    let row = first.waiting(id).await;
    first.kill().await;
    let app = TestApp::start_on(fresh, clock, |_| {}).await;
    assert_eq!(app.waiting(id).await, row);
    app.approve(ada, &row).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}
