//! Whom a policy keeps from deciding.

use chrono::TimeDelta;
use countersign::{
    domain::{
        access::{Actor, Scope},
        agent::Kind,
        checkpoint::Status,
        id::UserId,
        json::Json,
        refusal::Code,
        role::Role,
    },
    engine::{
        Origin,
        commands::{AgentFields, DecideCheckpoint},
        janitor,
    },
    store::{
        absences::Absence,
        checkpoints::{CheckpointRow, Filter},
    },
};
use rstest::rstest;
use serde_json::json;

use super::payment;
use crate::support::{
    Database, TestApp,
    flows::{refusal, start},
    policies::approving,
};

fn policy(action: &str) -> String {
    format!("{{version: '1.0', checkpoints: [{{name: Pay, trigger: {{operation_type: pay}}, action: {action}}}]}}")
}

/// How many checkpoints wait for somebody.
async fn mine(app: &TestApp, who: Scope) -> u64 {
    let audiences = Some(app.engine.audiences_of_caller(who).await.expect("audiences"));
    let filter = Filter { statuses: vec![Status::Pending], audiences, ..Filter::default() };
    app.engine.store().count_checkpoints(who, &filter).await.expect("a count")
}

async fn refused(app: &TestApp, who: Scope, row: &CheckpointRow) -> String {
    let refusal = refusal(app.approve(who, row).await);
    assert_eq!(refusal.code, Code::NotAllowed);
    refusal.message.into_owned()
}

/// Somebody acting by a token that they have made.
async fn by_token(app: &TestApp, who: Scope) -> Scope {
    let token = app.token_in(who, Role::Admin).await.into();
    Scope::own(&app.engine.authenticate(&token).await.expect("a lookup").expect("a good token"))
}

fn user(scope: Scope) -> UserId {
    match scope.actor() {
        Actor::User(user) => user,
        other => panic!("{other:?}"),
    }
}

#[rstest]
#[case::separation("{separation_of_duties: true}")]
#[case::requester("{exclude: [requester]}")]
#[tokio::test]
async fn whoever_started_it_neither_decides_nor_is_asked(
    #[case] action: &str,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(&policy(action)).await;
    let starter = app.approver("starter@example.com", &[Role::Approver, Role::Admin], &[]).await;
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let token = by_token(&app, starter).await;
    let workflow = payment(&app, json!({})).await;
    for (started, by) in [(1, starter), (2, token)] {
        let row = app.waiting(start(&app.engine, by, workflow, json!({})).await).await;
        for who in [starter, token] {
            assert_eq!(refused(&app, who, &row).await, "you started this execution: somebody else must decide");
            assert_eq!(mine(&app, who).await, 0);
        }
        assert_eq!(mine(&app, other).await, started);
    }
    // What somebody else has started waits for them as for anybody.
    let id = start(&app.engine, other, workflow, json!({})).await;
    let row = app.waiting(id).await;
    assert_eq!((mine(&app, starter).await, mine(&app, token).await, mine(&app, other).await), (1, 1, 2));
    app.approve(starter, &row).await.expect("approved");
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn whoever_wrote_the_agent_neither_decides_nor_is_asked(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(&policy("{exclude: [agent_owner]}")).await;
    let author = app.approver("author@example.com", &[Role::Approver, Role::Author], &[]).await;
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let fields = AgentFields {
        config: Some(json!({"output": "/input"})),
        operation_type: Some(Some("pay".to_owned())),
        ..AgentFields::default()
    };
    app.agent_in(author, "Transfer", Kind::Transform, fields).await;
    let steps = json!([{"key": "pay", "agent": "Transfer"}]);
    let workflow = app.workflow(json!({"name": "Transfers", "steps": steps})).await;
    let row = app.waiting(app.start_execution(workflow, json!({})).await).await;
    assert_eq!(refused(&app, author, &row).await, "you own the agent: somebody else must decide");
    assert_eq!((mine(&app, author).await, mine(&app, other).await), (0, 1));
    app.approve(other, &row).await.expect("approved");
}

#[tokio::test]
async fn nobody_decides_for_somebody_who_may_not() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(&policy("{separation_of_duties: true, approvers: {groups: [finance]}}")).await;
    let boss = app.approver("boss@example.com", &[Role::Approver, Role::Operator], &["finance"]).await;
    let deputy = app.approver("deputy@example.com", &[Role::Approver], &[]).await;
    let now = app.engine.clock().now();
    let absence = Absence { delegate: user(deputy), starts_at: now, ends_at: now + TimeDelta::hours(1) };
    app.engine.set_out_of_office(boss, Some(absence), &Origin::default()).await.expect("away");
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(start(&app.engine, boss, workflow, json!({})).await).await;
    assert_eq!(mine(&app, deputy).await, 0);
    refused(&app, deputy, &row).await;
    let row = app.waiting(app.start_execution(workflow, json!({})).await).await;
    assert_eq!(mine(&app, deputy).await, 1);
    app.approve(deputy, &row).await.expect("in the place of the boss");
}

#[rstest]
#[tokio::test]
async fn whoever_has_approved_is_asked_again_only_about_something_else(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(&policy("{require_approval_count: 3}")).await;
    let [ada, bob, cyd] = [
        app.approver("ada@example.com", &[Role::Approver], &[]).await,
        app.approver("bob@example.com", &[Role::Approver], &[]).await,
        app.approver("cyd@example.com", &[Role::Approver], &[]).await,
    ];
    let all = async |app: &TestApp| [mine(app, ada).await, mine(app, bob).await, mine(app, cyd).await];
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(app.start_execution(workflow, json!({"amount": 5})).await).await;
    assert_eq!(all(&app).await, [1, 1, 1]);
    app.approve(ada, &row).await.expect("one of three");
    assert_eq!(all(&app).await, [0, 1, 1]);
    let modified_parameters = Some(Json::parse(r#"{"amount": 4}"#).expect("JSON"));
    let modifying = DecideCheckpoint { modified_parameters, ..approving(&row) };
    app.engine.decide_checkpoint(bob, modifying, &Origin::default()).await.expect("something else");
    assert_eq!(all(&app).await, [1, 0, 1], "what Ada approved was something else");
    janitor::clean_up(&app.engine).await.expect("cleaned");
    assert_eq!(all(&app).await, [1, 0, 1], "what waits is still found");
    let row = app.checkpoint(row.id).await;
    app.approve(ada, &row).await.expect("two of three");
    app.approve(cyd, &row).await.expect("three of three");
    assert_eq!(all(&app).await, [0, 0, 0]);
    janitor::clean_up(&app.engine).await.expect("cleaned");
    assert_eq!(app.engine.store().audiences(ada).await.expect("audiences").len(), 1, "who has decided is forgotten");
    app.assert_sound().await;
}
