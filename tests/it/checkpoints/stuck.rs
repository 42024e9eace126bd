//! What no one can approve any more is listed for admins, who give it to others.

use countersign::{
    domain::{
        access::{Actor, Scope},
        checkpoint::Status,
        execution::CompletionReason,
        id::UserId,
        refusal::Code,
        role::Role,
    },
    engine::Origin,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::payment;
use crate::support::{Database, TestApp, flows::refusal};

const TWO_OF_FINANCE: &str = "{version: '1.0', checkpoints: [{name: F, trigger: {operation_type: pay}, \
                              action: {quorum: ['2 of group:finance'], separation_of_duties: true}}]}";
const REASSIGN: &str = "mutation($input: ReassignCheckpointInput!) { reassignCheckpoint(input: $input) {
    checkpoint { status approvalsNeeded stuck } userErrors { code path } } }";

fn user(scope: Scope) -> UserId {
    match scope.actor() {
        Actor::User(user) => user,
        other => panic!("{other:?}"),
    }
}

async fn listed(app: &TestApp, admin: &str) -> Value {
    let query = "{ checkpoints(first: 10, filter: { stuck: true }) { totalCount nodes { id stuck } } }";
    let answer = app.graphql(admin, query, json!({})).await;
    answer["data"]["checkpoints"].clone()
}

#[rstest]
#[tokio::test]
async fn a_checkpoint_that_no_one_can_approve_is_given_to_others(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &["finance"]).await;
    let bob = app.approver("bob@example.com", &[Role::Approver], &["finance"]).await;
    let eve = app.approver("eve@example.com", &[Role::Approver], &[]).await;
    let starter = app.approver("starter@example.com", &[Role::Approver, Role::Operator], &[]).await;
    app.policy(TWO_OF_FINANCE).await;
    let workflow = payment(&app, json!({})).await;
    let id = crate::support::flows::start(&app.engine, starter, workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.approve(ada, &row).await.expect("the first of two");
    let give =
        |users: Value| json!({"input": {"checkpointId": row.id.to_string(), "userIds": users, "reason": "Bob left"}});
    let to_eve = give(json!([user(eve).to_string()]));
    // Admins do not take from others what these can decide.
    assert_eq!(listed(&app, &admin).await["totalCount"], 0);
    let answer = app.graphql(&admin, REASSIGN, to_eve.clone()).await;
    assert_eq!(answer["data"]["reassignCheckpoint"]["userErrors"][0]["code"], "CONFLICT", "{answer}");
    app.engine.disable_user(app.scope(), user(bob), &Origin::default()).await.expect("disabled");
    let stuck = listed(&app, &admin).await;
    assert_eq!(stuck, json!({"totalCount": 1, "nodes": [{"id": row.id.to_string(), "stuck": true}]}));
    // Nor do they go around the rest of the rule: who started it does not decide.
    let answer = app.graphql(&admin, REASSIGN, give(json!([user(starter).to_string()]))).await;
    let problem = json!([{"code": "NOT_ALLOWED", "path": ["input", "userIds"]}]);
    assert_eq!(answer["data"]["reassignCheckpoint"]["userErrors"], problem, "{answer}");
    let approver = app.token(Role::Approver).await;
    let answer = app.graphql(&approver, REASSIGN, to_eve.clone()).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{answer}");
    let answer = app.graphql(&admin, REASSIGN, to_eve).await;
    let given = json!({"checkpoint": {"status": "PENDING", "approvalsNeeded": 1, "stuck": false}, "userErrors": []});
    assert_eq!(answer["data"]["reassignCheckpoint"], given, "{answer}");
    assert_eq!(listed(&app, &admin).await["totalCount"], 0);
    assert_eq!(refusal(app.approve(ada, &row).await).code, Code::NotAllowed, "it is eve's now");
    let log = "{ auditEntries(first: 5, filter: { actions: [CHECKPOINT_REASSIGNED] }) { nodes { action details } } }";
    let log = app.graphql(&admin, log, json!({})).await;
    assert_eq!(log["data"]["auditEntries"]["nodes"][0]["action"], "CHECKPOINT_REASSIGNED", "{log}");
    assert_eq!(app.approve(eve, &row).await.expect("approved").status, Status::Approved);
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}
