//! Who may decide.

use chrono::TimeDelta;
use countersign::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Event, Status},
        execution,
        id::{ExecutionId, UserId},
        refusal::Code,
        role::Role,
    },
    engine::Origin,
    store::{absences::Absence, checkpoints::CheckpointRow},
};
use serde_json::json;

use super::payment;
use crate::support::{Database, TestApp, flows::refusal};

fn policy(action: &str) -> String {
    format!("{{version: '1.0', checkpoints: [{{name: Pay, trigger: {{operation_type: pay}}, action: {action}}}]}}")
}

fn user(scope: Scope) -> UserId {
    match scope.actor() {
        Actor::User(user) => user,
        other => panic!("{other:?}"),
    }
}

async fn asked(app: &TestApp, action: &str) -> (ExecutionId, CheckpointRow) {
    app.policy(&policy(action)).await;
    let workflow = payment(app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    (id, row)
}

#[tokio::test]
async fn a_quorum_needs_the_right_people_each_on_one_seat() {
    let app = TestApp::start(Database::Sqlite).await;
    let both = app.approver("both@example.com", &[Role::Approver], &["finance", "security"]).await;
    let money = app.approver("money@example.com", &[Role::Approver], &["finance"]).await;
    let more = app.approver("more@example.com", &[Role::Approver], &["finance"]).await;
    let nobody = app.approver("nobody@example.com", &[Role::Admin], &[]).await;
    let (_, row) = asked(&app, "{quorum: ['2 of group:finance', '1 of group:security']}").await;
    let refused = refusal(app.approve(nobody, &row).await);
    assert_eq!(refused.code, Code::NotAllowed);
    assert_eq!(
        refused.message, "you are not among those who may decide this: group:finance, group:security",
        "an admin is nobody special here"
    );
    for who in [both, money] {
        assert_eq!(app.approve(who, &row).await.expect("counted").status, Status::Pending);
    }
    assert_eq!(app.approve(more, &row).await.expect("counted").status, Status::Approved);
    app.assert_sound().await;
}

#[tokio::test]
async fn delegates_decide_in_somebody_s_place_and_it_says_so() {
    let app = TestApp::start(Database::Sqlite).await;
    let boss = app.approver("boss@example.com", &[Role::Approver], &["finance"]).await;
    let deputy = app.approver("deputy@example.com", &[Role::Approver], &[]).await;
    let (id, row) = asked(&app, "{approvers: {groups: [finance]}}").await;
    assert_eq!(refusal(app.approve(deputy, &row).await).code, Code::NotAllowed);
    let now = app.engine.clock().now();
    let absence =
        Absence { delegate: user(deputy), starts_at: now - TimeDelta::hours(1), ends_at: now + TimeDelta::hours(1) };
    app.engine.set_out_of_office(boss, Some(absence), &Origin::default()).await.expect("away");
    app.clock.advance(TimeDelta::hours(2));
    assert_eq!(refusal(app.approve(deputy, &row).await).code, Code::NotAllowed, "the time is over");
    app.engine.delegate_checkpoint(boss, row.id, user(deputy), &Origin::default()).await.expect("delegated");
    app.approve(deputy, &row).await.expect("in the boss's place");
    let decided = app.events(id).await.into_iter().find_map(|event| match event {
        execution::Event::Checkpoint(Event::Decided(decided)) => Some(decided),
        _ => None,
    });
    let decided = decided.expect("a decision");
    assert_eq!((decided.by, decided.on_behalf_of), (deputy.actor(), Some(user(boss).0)));
    app.assert_sound().await;
}

#[tokio::test]
async fn only_somebody_who_may_decide_can_be_given_it() {
    let app = TestApp::start(Database::Sqlite).await;
    let finance = app.approver("a@example.com", &[Role::Approver], &["finance"]).await;
    let other = app.approver("b@example.com", &[Role::Approver], &[]).await;
    let (_, row) = asked(&app, "{approvers: {groups: [finance]}}").await;
    assert_eq!(refusal(app.engine.claim_checkpoint(other, row.id, &Origin::default()).await).code, Code::NotAllowed);
    let claimed = app.engine.claim_checkpoint(finance, row.id, &Origin::default()).await.expect("claimed");
    assert_eq!(claimed.assignee, Some(user(finance)));
    assert_eq!(
        app.engine.assign_checkpoint(other, row.id, None, &Origin::default()).await.expect("given back").assignee,
        None
    );
    let elsewhere = app.create_workspace("elsewhere").await;
    let stranger = Scope::as_user(elsewhere.id, user(finance));
    assert_eq!(refusal(app.approve(stranger, &row).await).code, Code::NotFound);
    app.assert_sound().await;
}
