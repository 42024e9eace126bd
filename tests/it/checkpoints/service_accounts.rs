//! Programs are not people: their tokens fill no seat of a quorum that does not name them.

use countersign::{
    domain::{
        access::Scope,
        checkpoint::Status,
        refusal::Code,
        role::{Role, Roles},
    },
    engine::commands::{BelongsTo, CreateApiToken},
    store::checkpoints::Filter,
};
use rstest::rstest;
use serde_json::json;

use super::payment;
use crate::support::{
    Database, TestApp,
    flows::{refusal, start},
};

fn policy(action: &str) -> String {
    format!("{{version: '1.0', checkpoints: [{{name: Pay, trigger: {{operation_type: pay}}, action: {action}}}]}}")
}

/// A new token of a service account, or of whoever calls, and who acts with it.
async fn program(app: &TestApp, scope: Scope, name: &str, account: Option<&str>) -> Scope {
    let belongs_to = account.map_or(BelongsTo::Caller, |account| BelongsTo::ServiceAccountNamed(account.to_owned()));
    let roles = Roles::from(Role::Approver);
    let command = CreateApiToken { name: name.to_owned(), roles, belongs_to, ..CreateApiToken::default() };
    let secret = app.make_token(scope, command).await.into();
    Scope::own(&app.engine.authenticate(&secret).await.expect("a lookup").expect("a good token"))
}

async fn mine(app: &TestApp, who: Scope) -> u64 {
    let audiences = Some(app.engine.audiences_of_caller(who).await.expect("audiences"));
    let filter = Filter { statuses: vec![Status::Pending], audiences, ..Filter::default() };
    app.engine.store().count_checkpoints(who, &filter).await.expect("a count")
}

#[rstest]
#[case::any("{require_approval_count: 3}")]
#[case::role("{quorum: ['3 of role:approver']}")]
#[case::every_role("{quorum: ['3 of any'], approvers: {roles: [viewer, operator, approver]}}")]
#[tokio::test]
async fn three_tokens_of_the_command_line_fill_no_seat(
    #[case] action: &str,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(&policy(action)).await;
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(app.start_execution(workflow, json!({})).await).await;
    for name in ["one", "two", "three"] {
        let token = program(&app, app.scope(), name, None).await;
        for answer in [app.approve(token, &row).await, app.reject(token, &row, "no").await] {
            let refused = refusal(answer);
            assert_eq!(refused.code, Code::NotAllowed);
            let expected = format!("the service account `{name}` is not named by the rule: ");
            assert!(refused.message.starts_with(&expected), "{}", refused.message);
        }
        assert_eq!(mine(&app, token).await, 0);
    }
    let row = app.checkpoint(row.id).await;
    assert_eq!((row.status, row.approvals), (Status::Pending, 0));
}

#[tokio::test]
async fn a_person_and_all_their_tokens_are_one_approval() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(&policy("{require_approval_count: 3}")).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(app.start_execution(workflow, json!({})).await).await;
    let first = program(&app, ada, "first", None).await;
    app.approve(first, &row).await.expect("as ada");
    let second = program(&app, ada, "second", None).await;
    for who in [first, second, ada] {
        assert_eq!(refusal(app.approve(who, &row).await).code, Code::AlreadyDecided);
    }
    let row = app.checkpoint(row.id).await;
    assert_eq!((row.status, row.approvals), (Status::Pending, 1));
}

#[rstest]
#[tokio::test]
async fn a_rule_can_name_a_service_account(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let bot = program(&app, app.scope(), "eu", Some("deploy-bot")).await;
    let twin = program(&app, app.scope(), "us", Some("deploy-bot")).await;
    let other = program(&app, app.scope(), "deploy-bot", Some("other-bot")).await;
    app.policy(&policy("{quorum: ['2 of any', '1 of service_account:deploy-bot']}")).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let bob = app.approver("bob@example.com", &[Role::Approver], &[]).await;
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(app.start_execution(workflow, json!({})).await).await;
    assert_eq!((mine(&app, bot).await, mine(&app, twin).await, mine(&app, other).await), (1, 1, 0));
    assert_eq!(refusal(app.approve(other, &row).await).code, Code::NotAllowed, "the name of the token is not its own");
    app.approve(bot, &row).await.expect("its own seat");
    assert_eq!((mine(&app, bot).await, mine(&app, twin).await), (0, 0));
    assert_eq!(refusal(app.approve(twin, &row).await).code, Code::AlreadyDecided, "the same identity");
    app.approve(ada, &row).await.expect("a person");
    let seen = app.checkpoint(row.id).await;
    assert_eq!((seen.status, seen.approvals), (Status::Pending, 2), "the program is none of the two people");
    app.approve(bob, &row).await.expect("another person");
    assert_eq!(app.checkpoint(row.id).await.status, Status::Approved);
    app.assert_sound().await;
}

#[tokio::test]
async fn people_do_not_take_the_seat_of_a_service_account() {
    let app = TestApp::start(Database::Sqlite).await;
    let bot = program(&app, app.scope(), "bot", None).await;
    app.policy(&policy("{quorum: ['1 of service_account:bot']}")).await;
    let boss = app.approver("boss@example.com", &[Role::Admin], &[]).await;
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(app.start_execution(workflow, json!({})).await).await;
    let refused = refusal(app.approve(boss, &row).await);
    assert_eq!(refused.message, "you are not among those who may decide this: service_account:bot");
    app.reject(bot, &row, "the build is red").await.expect("whoever is asked can say no");
    assert_eq!(app.checkpoint(row.id).await.status, Status::Rejected);
}

#[tokio::test]
async fn a_service_account_that_started_it_does_not_decide_by_another_token() {
    let app = TestApp::start(Database::Sqlite).await;
    let bot = program(&app, app.scope(), "one", Some("bot")).await;
    let twin = program(&app, app.scope(), "two", Some("bot")).await;
    app.policy(&policy("{quorum: ['1 of service_account:bot'], separation_of_duties: true}")).await;
    let workflow = payment(&app, json!({})).await;
    let row = app.waiting(start(&app.engine, bot, workflow, json!({})).await).await;
    for who in [bot, twin] {
        let refused = refusal(app.approve(who, &row).await);
        assert_eq!(refused.message, "you started this execution: somebody else must decide");
        assert_eq!(mine(&app, who).await, 0);
    }
}
