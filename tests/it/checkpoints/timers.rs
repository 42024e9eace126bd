//! Deadlines, reminders and escalations.

use chrono::TimeDelta;
use countersign::domain::{checkpoint::Status, execution::CompletionReason, refusal::Code, role::Role};
use rstest::rstest;
use serde_json::json;

use super::payment;
use crate::support::{Database, Process, TestApp, TestClock, flows::refusal};

fn policy(action: &str) -> String {
    format!("{{version: '1.0', checkpoints: [{{name: Pay, trigger: {{operation_type: pay}}, action: {action}}}]}}")
}

#[rstest]
#[case::cancel("cancel", Status::TimedOut, CompletionReason::ApprovalTimeout)]
#[case::reject("reject", Status::TimedOut, CompletionReason::Rejected)]
#[case::approve("approve", Status::Approved, CompletionReason::Success)]
#[tokio::test]
async fn silence_means_what_the_policy_says(
    #[case] word: &str,
    #[case] status: Status,
    #[case] reason: CompletionReason,
) {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(&policy(&format!("{{timeout_seconds: 60, on_timeout: {word}}}"))).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    assert_eq!(row.deadline.map(|deadline| deadline - row.requested_at), Some(TimeDelta::seconds(60)));
    app.clock.advance(TimeDelta::seconds(61));
    app.ends(id, reason).await;
    assert_eq!(app.checkpoint(row.id).await.status, status);
    let late = refusal(app.approve(ada, &row).await);
    let expected = if status == Status::Approved { Code::AlreadyDecided } else { Code::Expired };
    assert_eq!(late.code, expected, "{}", late.message);
    app.assert_sound().await;
}

#[tokio::test]
async fn others_are_asked_after_a_while_and_everybody_is_reminded() {
    let app = TestApp::start(Database::Sqlite).await;
    let action = "{approvers: {groups: [finance]}, reminder_seconds: 100, timeout_seconds: 1000, on_timeout: escalate, \
                  escalation: {enabled: true, after_seconds: 250, escalate_to: [boss@example.com]}}";
    app.policy(&policy(action)).await;
    let boss = app.approver("boss@example.com", &[Role::Approver], &[]).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    assert_eq!(refusal(app.approve(boss, &row).await).code, Code::NotAllowed);
    for number in 1..=2 {
        app.clock.advance(TimeDelta::seconds(101));
        app.wait_for_event(id, "checkpoint.reminded", number).await;
    }
    app.clock.advance(TimeDelta::seconds(60));
    app.wait_for_event(id, "checkpoint.escalated", 1).await;
    app.clock.advance(TimeDelta::seconds(2_000));
    app.wait_for_event(id, "checkpoint.timed_out", 1).await;
    assert_eq!(app.kinds(id).await.iter().filter(|kind| *kind == "checkpoint.escalated").count(), 1, "once");
    app.assert_sound().await;
    assert_eq!(app.approve(boss, &row).await.expect("the boss stands in").status, Status::Approved);
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_fell_due_while_the_server_was_down_happens_once_afterwards(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let first = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    first.policy(&policy("{timeout_seconds: 60, on_timeout: cancel, reminder_seconds: 10}")).await;
    let workflow = payment(&first, json!({})).await;
    let id = first.start_execution(workflow, json!({})).await;
    let row = first.waiting(id).await;
    first.kill().await;
    clock.advance(TimeDelta::seconds(120));
    let app = TestApp::start_on(fresh, clock, |_| {}).await;
    app.ends(id, CompletionReason::ApprovalTimeout).await;
    let kinds = app.kinds(id).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "checkpoint.timed_out").count(), 1);
    assert_eq!(app.checkpoint(row.id).await.status, Status::TimedOut);
    app.assert_sound().await;
}

#[tokio::test]
async fn a_deadline_does_not_wait_for_a_paused_execution() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(&policy("{timeout_seconds: 60, on_timeout: cancel}")).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.waiting(id).await;
    app.engine.pause_execution(app.scope(), id).await.expect("paused");
    app.clock.advance(TimeDelta::seconds(61));
    app.ends(id, CompletionReason::ApprovalTimeout).await;
    app.assert_sound().await;
}
