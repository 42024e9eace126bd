//! Decisions are entries, written with what they decide.

use chrono::TimeDelta;
use countersign::{
    domain::{
        access::Scope,
        audit::{Action, Part},
        checkpoint::Status,
        execution::CompletionReason,
        json::Json,
        role::Role,
    },
    engine::{Origin, commands::DecideCheckpoint},
    store::{
        Range,
        audit::{AuditEntry, Filter},
    },
};
use rstest::rstest;
use serde_json::json;

use super::{lines, payment, sound};
use crate::support::{Database, TestApp, policies::approving};

/// What the log has on checkpoints, oldest first.
async fn decisions(app: &TestApp) -> Vec<AuditEntry> {
    let range = Range { above: None, below: None, newest_first: false, limit: 1000 };
    let entries = app.engine.store().audit_entries(app.scope(), &Filter::default(), range).await.expect("entries");
    let about = |entry: &AuditEntry| entry.action.is_some_and(|action| action.as_str().starts_with("checkpoint."));
    entries.into_iter().filter(about).collect()
}

fn user(scope: Scope) -> countersign::domain::id::UserId {
    let countersign::domain::access::Actor::User(id) = scope.actor() else { panic!("a person") };
    id
}

#[rstest]
#[tokio::test]
async fn a_decision_says_what_its_maker_saw_and_approved(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = payment(&app).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({"amount": 5})).await;
    let row = app.waiting(id).await;
    let from = Origin { address: Some([10, 1, 2, 3].into()), user_agent: Some("Sextant/1.0".to_owned()) };
    app.engine.claim_checkpoint(ada, row.id, &from).await.expect("claimed");
    app.engine.comment_on_checkpoint(ada, row.id, "Too much?", &from).await.expect("said");
    let command = DecideCheckpoint {
        comment: Some("Half of it.".to_owned()),
        modified_parameters: Some(Json::parse(r#"{"amount":2.50}"#).expect("JSON")),
        ..approving(&row)
    };
    let after = app.engine.decide_checkpoint(ada, command, &from).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    let found = decisions(&app).await;
    let actions: Vec<Action> = found.iter().filter_map(|entry| entry.action).collect();
    assert_eq!(actions, [Action::CheckpointAssigned, Action::CheckpointCommented, Action::CheckpointApproved]);
    let entry = &found[2];
    assert_eq!((entry.person, entry.subject, entry.execution), (Some(user(ada)), Some(row.id.into()), Some(id)));
    assert_eq!(entry.digest.as_deref(), Some(row.digest.as_str()), "what was seen");
    assert_eq!(entry.before, Some(json!({"revision": 1, "digest": row.digest})));
    assert_eq!(entry.after, Some(json!({"revision": 2, "digest": after.digest, "cause": "MODIFIED"})));
    assert_eq!(entry.details["outcome"], "APPROVED");
    assert_eq!(entry.values[&Part::Details], json!({"comment": "Half of it."}));
    assert_eq!(entry.values[&Part::Origin], json!({"address": "10.1.2.3", "userAgent": "Sextant/1.0"}));
    assert_eq!(entry.values[&Part::Actor], json!({"name": "ada", "email": "ada@example.com"}));
    assert_eq!(found[1].values[&Part::Details], json!({"text": "Too much?"}));
    sound(&lines(&app).await);
}

#[rstest]
#[tokio::test]
async fn a_decision_and_its_entry_happen_together_or_not_at_all(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = payment(&app).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.database.execute("ALTER TABLE audit_value RENAME TO elsewhere").await;
    assert!(matches!(app.approve(ada, &row).await, Err(countersign::engine::Error::Store(_))));
    assert_eq!(app.checkpoint(row.id).await.status, Status::Pending);
    app.database.execute("ALTER TABLE elsewhere RENAME TO audit_value").await;
    app.approve(ada, &row).await.expect("approved");
    assert_eq!(decisions(&app).await.len(), 1);
    let store = app.engine.store();
    let known = *store.audit_head().borrow();
    assert_eq!(known, store.current_audit_position().await.expect("a position"), "streams hear of it");
    sound(&lines(&app).await);
}

#[rstest]
#[tokio::test]
async fn a_decision_in_somebodys_place_names_both(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.policy(
        "{version: '1.0', checkpoints: [{name: Boss, trigger: {operation_type: pay}, \
         action: {approvers: {users: [boss@example.com]}}}]}",
    )
    .await;
    let workflow = payment(&app).await;
    let boss = app.approver("boss@example.com", &[Role::Approver], &[]).await;
    let deputy = app.approver("deputy@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.engine.delegate_checkpoint(boss, row.id, user(deputy), &Origin::default()).await.expect("delegated");
    app.reject(deputy, &row, "Not now.").await.expect("rejected");
    let found = decisions(&app).await;
    assert_eq!(found[0].action, Some(Action::CheckpointDelegated));
    let entry = &found[1];
    assert_eq!(entry.action, Some(Action::CheckpointRejected));
    assert_eq!((entry.person, entry.on_behalf_of), (Some(user(deputy)), Some(user(boss))));
    assert_eq!(entry.values[&Part::OnBehalfOf]["email"], "boss@example.com");
    sound(&lines(&app).await);
}

#[rstest]
#[tokio::test]
async fn rules_and_the_time_decide_in_the_servers_name(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = payment(&app).await;
    app.policy(
        "{version: '1.0', auto_approval: {rules: [{name: Small, conditions: {operation_type: pay, \
         data_threshold: {field: amount, operator: '<', value: 10}}, action: {auto_approve: true}}]}, \
         checkpoints: [{name: Pay, trigger: {operation_type: pay}, action: {timeout_seconds: 3600, on_timeout: reject}}]}",
    )
    .await;
    let small = app.start_execution(workflow, json!({"amount": 5})).await;
    app.ends(small, CompletionReason::Success).await;
    let large = app.start_execution(workflow, json!({"amount": 50})).await;
    app.waiting(large).await;
    app.clock.advance(TimeDelta::hours(2));
    app.checkpoints(large, Status::TimedOut, 1).await;
    let found = decisions(&app).await;
    let actions: Vec<Action> = found.iter().filter_map(|entry| entry.action).collect();
    assert_eq!(actions, [Action::CheckpointAutoApproved, Action::CheckpointTimedOut]);
    assert!(found.iter().all(|entry| entry.person.is_none() && entry.digest.is_some()), "{found:#?}");
    assert_eq!(found[0].details["rule"], "Small");
    assert!(found[0].details["reasons"][0]["message"].is_string(), "{}", found[0].details);
    assert_eq!(found[0].details["policy"], 1);
    sound(&lines(&app).await);
}
