//! Ways around an approval that must be closed: what was approved is what runs, by those who may approve exactly that.

use chrono::TimeDelta;
use countersign::{
    domain::{
        access::{Actor, Scope},
        agent::{Kind, RiskLevel},
        checkpoint::{self, Status},
        execution::{self, CompletionReason, Data},
        id::{ExecutionId, UserId},
        json::Json,
        refusal::Code,
        role::Role,
    },
    engine::{
        Origin,
        commands::{AgentFields, Asking, ChangeUserRoles, DecideCheckpoint, RequestApproval},
    },
    store::checkpoints::CheckpointRow,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::payment;
use crate::support::{Database, TestApp, flows::refusal, policies::approving};

const REFUNDS: &str = r#"
version: "1.0"
checkpoints:
  - name: Large
    priority: 1
    trigger: { operation_type: [pay, refund], data_threshold: { field: amount, operator: ">", value: 1000 } }
    action: { quorum: ["1 of user:p1@example.com", "1 of user:p2@example.com"] }
  - name: Critical
    priority: 2
    trigger: { operation_type: [pay, refund], risk_level: critical }
    action: { require_approval_count: 3 }
  - name: Small
    priority: 3
    trigger: { operation_type: [pay, refund] }
"#;

fn modified(row: &CheckpointRow, parameters: Value) -> DecideCheckpoint {
    let modified_parameters = Some(Json::parse(&parameters.to_string()).expect("JSON"));
    DecideCheckpoint { modified_parameters, ..approving(row) }
}

fn user(scope: Scope) -> UserId {
    match scope.actor() {
        Actor::User(user) => user,
        other => panic!("{other:?}"),
    }
}

async fn people(app: &TestApp) -> [Scope; 3] {
    let mut people = Vec::new();
    for name in ["p0", "p1", "p2"] {
        people.push(app.approver(&format!("{name}@example.com"), &[Role::Approver], &[]).await);
    }
    [people[0], people[1], people[2]]
}

async fn output(app: &TestApp, id: ExecutionId) -> Value {
    let found = app.events(id).await.into_iter().rev().find_map(|event| match event {
        execution::Event::StepCompleted { step: 1, output: Data::Inline(json), .. } => Some(json.to_value()),
        _ => None,
    });
    found.expect("an output")
}

#[rstest]
#[tokio::test]
async fn modified_parameters_are_judged_by_the_policy(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let [p0, p1, p2] = people(&app).await;
    app.policy(REFUNDS).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({"amount": 10})).await;
    let row = app.waiting(id).await;
    assert_eq!((row.rule.as_deref(), row.approvals_needed), (Some("Small"), 1));
    let large = modified(&row, json!({"amount": 1_000_000}));
    let row = app.engine.decide_checkpoint(p0, large, &Origin::default()).await.expect("a revision");
    assert_eq!((row.status, row.revision, row.approvals), (Status::Pending, 2, 0), "a change is no approval");
    assert_eq!((row.rule.as_deref(), row.approvals_needed), (Some("Large"), 2));
    assert_eq!(refusal(app.approve(p0, &row).await).code, Code::NotAllowed);
    // And back: what was asked for never becomes less.
    let small = modified(&row, json!({"amount": 11}));
    assert_eq!(refusal(app.engine.decide_checkpoint(p0, small, &Origin::default()).await).code, Code::NotAllowed);
    assert_eq!(app.approve(p1, &row).await.expect("the first of two").status, Status::Pending);
    assert_eq!(app.approve(p2, &row).await.expect("the second").status, Status::Approved);
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(output(&app, id).await, json!({"amount": 1_000_000}));
    app.assert_sound().await;
}

#[tokio::test]
async fn a_modification_counts_for_who_may_approve_the_result() {
    let app = TestApp::start(Database::Sqlite).await;
    let [_, p1, p2] = people(&app).await;
    app.policy(REFUNDS).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({"amount": 10})).await;
    let row = app.waiting(id).await;
    let row = app.engine.decide_checkpoint(p1, modified(&row, json!({"amount": 2000})), &Origin::default()).await;
    let row = row.expect("counted");
    assert_eq!((row.status, row.approvals, row.approvals_needed), (Status::Pending, 1, 2));
    assert_eq!(app.approve(p2, &row).await.expect("approved").status, Status::Approved);
    app.assert_sound().await;
}

#[tokio::test]
async fn the_choice_of_items_is_judged_by_the_policy() {
    let app = TestApp::start(Database::Sqlite).await;
    let [p0, p1, _] = people(&app).await;
    app.policy(
        r#"{version: "1.0", checkpoints: [{name: "One alone", priority: 1,
            trigger: {operation_type: pay, condition: "size(proposal.params.lines) == 1"},
            action: {approvers: {users: [p1@example.com]}}}, {name: Any, trigger: {operation_type: pay}}]}"#,
    )
    .await;
    let workflow = payment(&app, json!({"itemsFrom": "input.lines"})).await;
    let id = app.start_execution(workflow, json!({"lines": [{"id": "a"}, {"id": "b"}]})).await;
    let row = app.waiting(id).await;
    let one = DecideCheckpoint { items: Some(vec!["a".to_owned()]), ..approving(&row) };
    let row = app.engine.decide_checkpoint(p0, one, &Origin::default()).await.expect("a revision");
    assert_eq!((row.status, row.revision, row.approvals), (Status::Pending, 2, 0));
    assert_eq!(app.approve(p1, &row).await.expect("approved").status, Status::Approved);
    app.assert_sound().await;
}

fn request(risk_level: RiskLevel, parameters: Value) -> RequestApproval {
    RequestApproval {
        asking: Asking::default(),
        operation_type: "refund".to_owned(),
        description: "Refund the order".to_owned(),
        parameters: Json::parse(&parameters.to_string()).expect("JSON"),
        risk_level,
        reasoning: None,
        confidence: None,
        estimated_cost: None,
        supporting_data: None,
        alternatives: Vec::new(),
        items: None,
    }
}

#[tokio::test]
async fn a_revised_proposal_is_judged_by_the_policy() {
    let app = TestApp::start(Database::Sqlite).await;
    let [p0, p1, _] = people(&app).await;
    app.policy(REFUNDS).await;
    let bot = app.approver("bot@example.com", &[Role::Operator], &[]).await;
    let row = app.engine.request_approval(bot, request(RiskLevel::Low, json!({"amount": 1}))).await.expect("asked");
    assert_eq!(row.approvals_needed, 1);
    let critical = request(RiskLevel::Critical, json!({"amount": 1}));
    let row = app.engine.revise_proposal(bot, row.id, critical, &Origin::default()).await.expect("revised");
    assert_eq!((row.approvals_needed, row.rule.as_deref()), (3, Some("Critical")));
    // Harmless again, it still needs three.
    let harmless = request(RiskLevel::Low, json!({"amount": 1}));
    let row = app.engine.revise_proposal(bot, row.id, harmless, &Origin::default()).await.expect("revised");
    assert_eq!((row.approvals_needed, row.revision), (3, 3));
    for who in [p0, p1] {
        assert_eq!(app.approve(who, &row).await.expect("counted").status, Status::Pending);
    }
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn the_version_that_was_approved_runs(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let workflow = payment(&app, json!({})).await;
    let pay = app.engine.store().agent_by_name(app.scope(), "Pay").await.expect("a lookup").expect("an agent").id;
    let id = app.start_execution(workflow, json!({"amount": 1})).await;
    let row = app.waiting(id).await;
    let thousand = AgentFields { config: Some(json!({"output": {"amount": 1000}})), ..AgentFields::default() };
    app.update_agent(pay, 1, thousand).await;
    let token = app.token(Role::Approver).await;
    let query = "query($id: ID!) { checkpoint(id: $id) { runs { name version newerVersion config } } }";
    let told = app.graphql(&token, query, json!({"id": row.id.to_string()})).await;
    let runs = json!({"name": "Pay", "version": 1, "newerVersion": 2, "config": {"output": "/input"}});
    assert_eq!(told["data"]["checkpoint"]["runs"], runs, "{told}");
    app.approve(ada, &row).await.expect("of what was shown");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(output(&app, id).await, json!({"amount": 1}), "version 1, which was approved");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_checkpoint_can_be_revised_to_the_newest_version() {
    let app = TestApp::start(Database::Sqlite).await;
    let [p0, p1, _] = people(&app).await;
    app.policy("{version: '1.0', checkpoints: [{name: Two, trigger: {operation_type: pay}, action: {require_approval_count: 2}}]}")
        .await;
    let workflow = payment(&app, json!({})).await;
    let pay = app.engine.store().agent_by_name(app.scope(), "Pay").await.expect("a lookup").expect("an agent").id;
    let id = app.start_execution(workflow, json!({"amount": 1})).await;
    let row = app.waiting(id).await;
    app.approve(p0, &row).await.expect("the first of two");
    let same = app.engine.update_checkpoint_agent(p0, row.id, row.digest.clone(), &Origin::default()).await;
    assert_eq!(same.expect("nothing to do").revision, 1);
    let config = Some(json!({"output": {"amount": "input.amount * 1000"}}));
    app.update_agent(pay, 1, AgentFields { config, ..AgentFields::default() }).await;
    let updated = app.engine.update_checkpoint_agent(p0, row.id, row.digest.clone(), &Origin::default()).await;
    let updated = updated.expect("a revision");
    assert_eq!((updated.revision, updated.approvals), (2, 0), "the approval was of version 1");
    assert_ne!(updated.digest, row.digest);
    let stale = app.engine.update_checkpoint_agent(p0, row.id, row.digest.clone(), &Origin::default()).await;
    assert_eq!(refusal(stale).code, Code::Stale);
    assert_eq!(refusal(app.approve(p1, &row).await).code, Code::Stale);
    for who in [p0, p1] {
        app.approve(who, &updated).await.expect("of version 2");
    }
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_specification_that_was_changed_in_the_database_does_not_run() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let steps = json!([{"key": "work", "agent": "Worker", "gate": "ALWAYS"}]);
    let workflow = app.workflow(json!({"name": "Work", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.database.execute("UPDATE agent_version SET spec = REPLACE(spec, '\"q\"', '\"r\"')").await;
    let other = app.another_process().await;
    other.decide_checkpoint(ada, approving(&row), &Origin::default()).await.expect("approved");
    let claim = |queue: &str| countersign::engine::commands::ClaimTasks {
        queue: queue.to_owned(),
        max: 1,
        lease_seconds: 10,
        worker_id: "w".to_owned(),
    };
    for queue in ["q", "r"] {
        assert!(other.claim_tasks(app.scope(), claim(queue)).await.expect("an answer").is_empty());
    }
    let ended = app.ends(id, CompletionReason::Failed).await;
    assert_eq!(ended.status, execution::Status::Failed);
}

#[tokio::test]
async fn a_gate_that_always_asks_is_never_approved_by_silence() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    app.policy(
        "{version: '1.0', checkpoints: [{name: Pay, trigger: {operation_type: pay}, \
         action: {timeout_seconds: 60, on_timeout: approve}}]}",
    )
    .await;
    let workflow = payment(&app, json!({"gate": "ALWAYS"})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.clock.advance(TimeDelta::seconds(61));
    app.wait_for_event(id, "checkpoint.timed_out", 1).await;
    assert_eq!(app.checkpoint(row.id).await.status, Status::Pending);
    app.approve(ada, &row).await.expect("by a person");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_stricter_policy_holds_for_what_waits(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let [p0, p1, p2] = people(&app).await;
    let two = "{version: '1.0', checkpoints: [{name: Two, trigger: {operation_type: pay}, action: {require_approval_count: 2}}]}";
    app.policy(two).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({"amount": 5000})).await;
    let row = app.waiting(id).await;
    app.approve(p0, &row).await.expect("the first of two");
    app.policy(REFUNDS).await;
    let row = app.approve(p1, &row).await.expect("the first of the two that are asked now");
    assert_eq!((row.status, row.approvals, row.rule.as_deref()), (Status::Pending, 1, Some("Large")));
    let kinds = app.kinds(id).await;
    assert!(kinds.contains(&"checkpoint.reassessed".to_owned()) && kinds.contains(&"checkpoint.lapsed".to_owned()));
    assert_eq!(refusal(app.approve(p0, &row).await).code, Code::NotAllowed);
    assert_eq!(app.approve(p2, &row).await.expect("approved").status, Status::Approved);
    app.assert_sound().await;
}

#[tokio::test]
async fn silence_is_consent_only_while_the_policy_says_so() {
    let app = TestApp::start(Database::Sqlite).await;
    let approving = "{version: '1.0', checkpoints: [{name: Pay, trigger: {operation_type: pay}, \
                     action: {timeout_seconds: 60, on_timeout: approve}}]}";
    app.policy(approving).await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.policy(&approving.replace("approve}", "reject}")).await;
    app.clock.advance(TimeDelta::seconds(61));
    app.wait_for_event(id, "checkpoint.timed_out", 1).await;
    assert_eq!(app.checkpoint(row.id).await.status, Status::Pending, "people decide");
    app.assert_sound().await;
}

#[rstest]
#[case::disabled("disabled")]
#[case::left("left the group")]
#[case::demoted("lost the role")]
#[tokio::test]
async fn approvals_of_people_who_may_not_approve_any_more_do_not_count(#[case] how: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &["finance"]).await;
    let bob = app.approver("bob@example.com", &[Role::Approver], &["finance"]).await;
    let eve = app.approver("eve@example.com", &[Role::Approver], &["finance"]).await;
    app.policy("{version: '1.0', checkpoints: [{name: F, trigger: {operation_type: pay}, action: {quorum: ['2 of group:finance']}}]}")
        .await;
    let workflow = payment(&app, json!({})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let row = app.waiting(id).await;
    app.approve(ada, &row).await.expect("the first of two");
    let origin = Origin::default();
    match how {
        "disabled" => _ = app.engine.disable_user(app.scope(), user(ada), &origin).await.expect("disabled"),
        "left the group" => app.leave("finance", user(ada)).await,
        _ => {
            let command = ChangeUserRoles { user: user(ada), roles: Role::Viewer.into() };
            _ = app.engine.change_user_roles(app.scope(), command, &origin).await.expect("a viewer");
        }
    }
    let row = app.approve(bob, &row).await.expect("the only one that counts");
    assert_eq!((row.status, row.approvals), (Status::Pending, 1));
    let lapsed = app.events(id).await.into_iter().find_map(|event| match event {
        execution::Event::Checkpoint(checkpoint::Event::Lapsed { reason, .. }) => reason,
        _ => None,
    });
    assert!(lapsed.is_some());
    assert_eq!(app.approve(eve, &row).await.expect("the second").status, Status::Approved);
    app.assert_sound().await;
}

#[tokio::test]
async fn only_who_may_approve_can_stand_in() {
    let app = TestApp::start(Database::Sqlite).await;
    let boss = app.approver("boss@example.com", &[Role::Approver], &[]).await;
    let viewer = app.approver("viewer@example.com", &[Role::Viewer], &[]).await;
    let author = app.approver("author@example.com", &[Role::Approver, Role::Operator], &[]).await;
    app.policy("{version: '1.0', checkpoints: [{name: S, trigger: {operation_type: pay}, action: {separation_of_duties: true}}]}")
        .await;
    let workflow = payment(&app, json!({})).await;
    let id = crate::support::flows::start(&app.engine, author, workflow, json!({})).await;
    let row = app.waiting(id).await;
    for who in [viewer, author] {
        let refused = refusal(app.engine.delegate_checkpoint(boss, row.id, user(who), &Origin::default()).await);
        assert_eq!(refused.code, Code::NotAllowed, "{}", refused.message);
    }
    let now = app.engine.clock().now();
    let absence = countersign::store::absences::Absence {
        delegate: user(viewer),
        starts_at: now,
        ends_at: now + TimeDelta::hours(1),
    };
    let refused = refusal(app.engine.set_out_of_office(boss, Some(absence), &Origin::default()).await);
    assert_eq!(refused.code, Code::NotAllowed, "{}", refused.message);
}

#[tokio::test]
async fn questions_are_answered_by_those_to_whom_they_are_put() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let bot = app.approver("bot@example.com", &[Role::Operator], &[]).await;
    let other = app.approver("other@example.com", &[Role::Operator], &[]).await;
    let row = app.engine.request_approval(bot, request(RiskLevel::Low, json!({}))).await.expect("asked");
    let origin = Origin::default();
    app.engine.ask_about_checkpoint(ada, row.id, "Why?", &origin).await.expect("a question");
    let question = app.events(row.execution).await.into_iter().find_map(|event| match event {
        execution::Event::Checkpoint(checkpoint::Event::Asked { question, .. }) => Some(question),
        _ => None,
    });
    let question = question.expect("a question");
    let refused = refusal(app.engine.answer_about_checkpoint(other, row.id, question, "No idea", &origin).await);
    assert_eq!(refused.code, Code::NotAllowed, "{}", refused.message);
    let row = app.engine.answer_about_checkpoint(bot, row.id, question, "It broke", &origin).await.expect("answered");
    assert_eq!(row.revision, 2);
    app.assert_sound().await;
}
