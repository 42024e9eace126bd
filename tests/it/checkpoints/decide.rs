//! Deciding: other parameters, some items, several people.

use countersign::{
    domain::{checkpoint::Status, execution::CompletionReason, json::Json, refusal::Code, role::Role},
    engine::{Origin, commands::DecideCheckpoint},
};
use rstest::rstest;
use serde_json::json;

use super::payment;
use crate::support::{Database, TestApp, flows::refusal, policies::approving};

const TWO: &str = "{version: '1.0', checkpoints: [{name: Two, trigger: {operation_type: pay}, \
                   action: {require_approval_count: 2}}]}";

async fn output(app: &TestApp, id: countersign::domain::id::ExecutionId) -> String {
    let loaded = app.events(id).await.into_iter().rev().find_map(|event| match event {
        countersign::domain::execution::Event::StepCompleted { step: 1, output, .. } => Some(output),
        _ => None,
    });
    match loaded.expect("an output") {
        countersign::domain::execution::Data::Inline(json) => json.text().to_owned(),
        stored => panic!("{stored:?}"),
    }
}

#[rstest]
#[tokio::test]
async fn the_step_gets_exactly_the_modified_parameters(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = payment(&app, json!({})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({"amount": 5, "ok": false, "big": 1})).await;
    let row = app.waiting(id).await;
    let given = r#"{"amount":7,"ok":true,"big":123456789012345678901234567890,"rate":1.50}"#;
    let modified_parameters = Some(Json::parse(given).expect("JSON"));
    let command = DecideCheckpoint { modified_parameters, ..approving(&row) };
    let decided = app.engine.decide_checkpoint(ada, command, &Origin::default()).await.expect("approved");
    assert_eq!((decided.status, decided.revision), (Status::Approved, 2));
    assert_ne!(decided.digest, row.digest);
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(output(&app, id).await, given, "types and digits as they were given");
    app.assert_sound().await;
}

#[tokio::test]
async fn the_step_gets_exactly_the_chosen_items() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({"itemsFrom": "input.lines"})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let lines = json!([{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 3}]);
    let id = app.start_execution(workflow, json!({"lines": lines, "x": 1})).await;
    let row = app.waiting(id).await;
    assert_eq!(row.items, Some(3));
    let choose = |ids: &[&str]| DecideCheckpoint {
        items: Some(ids.iter().map(|id| (*id).to_owned()).collect()),
        ..approving(&row)
    };
    let refused = refusal(app.engine.decide_checkpoint(ada, choose(&["a", "z"]), &Origin::default()).await);
    assert_eq!((refused.code, refused.message.as_ref()), (Code::NotFound, "the proposal has no item `z`"));
    assert_eq!(refusal(app.engine.decide_checkpoint(ada, choose(&[]), &Origin::default()).await).code, Code::Invalid);
    app.engine.decide_checkpoint(ada, choose(&["c", "a"]), &Origin::default()).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(output(&app, id).await, r#"{"lines":[{"id":"a","n":1},{"id":"c","n":3}],"x":1}"#);
    app.assert_sound().await;
}

#[tokio::test]
async fn whoever_changes_the_list_of_items_approves_the_items_that_are_in_it_then() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({"itemsFrom": "input.lines"})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({"lines": [{"id": "a"}, {"id": "b"}, {"id": "c"}]})).await;
    let row = app.waiting(id).await;
    let instead = |text: &str| DecideCheckpoint {
        modified_parameters: Some(Json::parse(text).expect("JSON")),
        ..approving(&row)
    };
    let twice = instead(r#"{"lines":[{"id":"a"},{"id":"a"}]}"#);
    let refused = refusal(app.engine.decide_checkpoint(ada, twice, &Origin::default()).await);
    let message = "`modifiedParameters` has items that cannot be used: two items have the id `a`";
    assert_eq!((refused.code, refused.message.as_ref()), (Code::Invalid, message));
    let others = instead(r#"{"lines":[{"id":"b"},{"id":"d"}]}"#);
    app.engine.decide_checkpoint(ada, others, &Origin::default()).await.expect("approved");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(output(&app, id).await, r#"{"lines":[{"id":"b"},{"id":"d"}]}"#);
    let token = app.token(Role::Viewer).await;
    let query = "query($id: ID!) { checkpoint(id: $id) { outcome { approvedItems } } }";
    let told = app.graphql(&token, query, json!({"id": row.id.to_string()})).await;
    assert_eq!(told["data"]["checkpoint"]["outcome"]["approvedItems"], json!(["b", "d"]), "{told}");
    app.assert_sound().await;
}

#[tokio::test]
async fn two_people_must_approve_the_same_thing() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(TWO).await;
    let workflow = payment(&app, json!({})).await;
    let mut people = Vec::new();
    for name in ["ada", "bob", "eve"] {
        people.push(app.approver(&format!("{name}@example.com"), &[Role::Approver], &[]).await);
    }
    let id = app.start_execution(workflow, json!({"amount": 5})).await;
    let row = app.waiting(id).await;
    let after = app.approve(people[0], &row).await.expect("the first of two");
    assert_eq!((after.status, after.approvals, after.approvals_needed), (Status::Pending, 1, 2));
    let refused = refusal(app.approve(people[0], &row).await);
    assert_eq!(refused.code, Code::AlreadyDecided, "nobody counts twice");
    let same = Some(Json::parse(r#"{"amount":5}"#).expect("JSON"));
    let command = DecideCheckpoint { modified_parameters: same, ..approving(&row) };
    let refused = refusal(app.engine.decide_checkpoint(people[0], command, &Origin::default()).await);
    assert_eq!(refused.code, Code::AlreadyDecided, "not even by giving the same parameters again");
    // The second one wants something else: the first approval was not of that.
    let modified_parameters = Some(Json::parse(r#"{"amount":4}"#).expect("JSON"));
    let command = DecideCheckpoint { modified_parameters, ..approving(&row) };
    let after =
        app.engine.decide_checkpoint(people[1], command, &Origin::default()).await.expect("with other parameters");
    assert_eq!((after.status, after.approvals, after.revision), (Status::Pending, 1, 2));
    assert!(app.kinds(id).await.contains(&"checkpoint.lapsed".to_owned()));
    let refused = refusal(app.approve(people[2], &row).await);
    assert_eq!(refused.code, Code::Stale, "{}", refused.message);
    app.approve(people[0], &after).await.expect("of what it is now");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(output(&app, id).await, r#"{"amount":4}"#);
    app.assert_sound().await;
}

#[tokio::test]
async fn one_rejection_ends_it_and_late_decisions_are_told_so() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(TWO).await;
    let workflow = payment(&app, json!({})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let bob = app.approver("bob@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.approve(ada, &row).await.expect("the first of two");
    assert_eq!(refusal(app.reject(bob, &row, " ").await).code, Code::Invalid, "a reason is required");
    let after = app.reject(bob, &row, "too much").await.expect("rejected");
    assert_eq!(after.status, Status::Rejected);
    let execution = app.ends(id, CompletionReason::Rejected).await;
    assert_eq!(execution.status.as_str(), "CANCELLED");
    for late in [refusal(app.approve(ada, &row).await), refusal(app.reject(bob, &row, "again").await)] {
        assert_eq!(late.code, Code::AlreadyDecided);
        assert!(late.message.contains("too much"), "{}", late.message);
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn parameters_must_fit_what_the_agent_takes() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = payment(&app, json!({})).await;
    let agent = app.engine.store().agent_by_name(app.scope(), "Pay").await.expect("a lookup").expect("an agent");
    let schema = json!({"type": "object", "properties": {"amount": {"type": "integer"}}});
    let fields = countersign::engine::commands::AgentFields { input_schema: Some(Some(schema)), ..Default::default() };
    app.update_agent(agent.id, 1, fields).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({"amount": 5})).await;
    let row = app.waiting(id).await;
    for (given, word) in [(r#"{"amount":"5"}"#, "/amount"), (r#"{"amount":5.5}"#, "/amount"), ("[1]", "object")] {
        let modified_parameters = Some(Json::parse(given).expect("JSON"));
        let command = DecideCheckpoint { modified_parameters, ..approving(&row) };
        let refused = refusal(app.engine.decide_checkpoint(ada, command, &Origin::default()).await);
        assert_eq!(refused.code, Code::Invalid);
        assert!(refused.message.contains(word), "{}", refused.message);
    }
    assert_eq!(app.waiting(id).await.revision, 1, "nothing has changed");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_at_the_same_moment_one_wins(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let workflow = payment(&app, json!({})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let bob = app.approver("bob@example.com", &[Role::Approver], &[]).await;
    for _ in 0..10 {
        let id = app.start_execution(workflow, json!({})).await;
        let row = app.waiting(id).await;
        let (approved, rejected) = tokio::join!(app.approve(ada, &row), app.reject(bob, &row, "no"));
        assert_ne!(approved.is_ok(), rejected.is_ok(), "{approved:?} {rejected:?}");
        let reason = if approved.is_ok() { CompletionReason::Success } else { CompletionReason::Rejected };
        let loser = if approved.is_ok() { refusal(rejected) } else { refusal(approved) };
        assert_eq!(loser.code, Code::AlreadyDecided);
        app.ends(id, reason).await;
    }
    app.assert_sound().await;
}
