//! Changes of the rules themselves, which another person approves first.

use countersign::{
    config::Settings,
    domain::{
        access::Scope,
        agent::{Kind, RiskLevel},
        checkpoint::Status,
        refusal::Code,
        role::Role,
    },
    engine::{
        Origin,
        commands::{
            AgentFields, CreateAgent, CreateWorkflow, Document, Reviewed, SavePolicy, SavedPolicy, SavedWorkflow,
            UpdateAgent, UpdateWorkflow,
        },
    },
    store::checkpoints::CheckpointRow,
};
use rstest::rstest;
use serde_json::json;

use super::payment;
use crate::support::{Database, TestApp, flows::refusal, policies::approving};

const EASY: &str = "{version: '1.0', auto_approval: {rules: [{name: All, conditions: {risk_level: [low, medium, high]}, \
                    action: {auto_approve: true}}]}}";

fn reviewing(settings: &mut Settings) {
    settings.review_changes = true;
}

async fn save(app: &TestApp, who: Scope, document: &str) -> CheckpointRow {
    let base_version = app.engine.store().policy_in_force(app.scope()).await.expect("a lookup").version;
    let command = SavePolicy { document: document.to_owned(), base_version };
    match app.engine.save_policy(who, command, &Origin::default()).await.expect("an answer") {
        SavedPolicy::InReview(row) => *row,
        other => panic!("{other:?}"),
    }
}

#[rstest]
#[tokio::test]
async fn a_policy_is_in_force_once_somebody_else_has_approved_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, reviewing).await;
    let admin = app.approver("admin@example.com", &[Role::Admin], &[]).await;
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let row = save(&app, admin, EASY).await;
    assert_eq!((row.status, row.operation_type.as_str()), (Status::Pending, "policy_change"));
    assert_eq!(app.engine.store().policy_in_force(app.scope()).await.expect("a lookup").version, None);
    assert_eq!(refusal(app.approve(admin, &row).await).code, Code::NotAllowed, "not by who wants it");
    let changed = countersign::domain::json::Json::parse(r#"{"document":"x"}"#).ok();
    let command = countersign::engine::commands::DecideCheckpoint { modified_parameters: changed, ..approving(&row) };
    let refused = refusal(app.engine.decide_checkpoint(other, command, &Origin::default()).await);
    assert_eq!(refused.code, Code::Conflict, "{}", refused.message);
    let token = app.token(Role::Viewer).await;
    let query = "query($id: ID!) { checkpoint(id: $id) { reviewedChange { subject doneAt problem } proposal { supportingData } } }";
    let told = app.graphql(&token, query, json!({"id": row.id.to_string()})).await;
    let told = &told["data"]["checkpoint"];
    assert_eq!(told["reviewedChange"], json!({"subject": "POLICY", "doneAt": null, "problem": null}), "{told}");
    let helps = &told["proposal"]["supportingData"];
    assert!(helps["diff"].as_str().is_some_and(|diff| diff.contains("+++ after")), "{helps}");
    assert_eq!(helps["backtest"]["proposals"], json!(0), "{helps}");
    // Rules never approve a change of the rules, also not the ones that it makes.
    app.approve(other, &row).await.expect("approved");
    assert_eq!(app.engine.store().policy_in_force(app.scope()).await.expect("a lookup").version, Some(1));
    let again = save(&app, admin, &EASY.replace("All", "More")).await;
    assert_eq!(again.status, Status::Pending);
    // The stop is immediate.
    app.engine.set_emergency_stop(admin, true, None, &Origin::default()).await.expect("stopped");
    app.assert_sound().await;
}

#[tokio::test]
async fn of_two_changes_from_the_same_version_the_second_is_not_made() {
    let app = TestApp::start_with(Database::Sqlite, reviewing).await;
    let admin = app.approver("admin@example.com", &[Role::Admin], &[]).await;
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let (first, second) = (save(&app, admin, EASY).await, save(&app, admin, &EASY.replace("All", "More")).await);
    app.approve(other, &first).await.expect("approved");
    app.approve(other, &second).await.expect("approved, and too late");
    let made = app.engine.store().reviewed_changes(app.scope(), &[first.id, second.id]).await.expect("changes");
    assert_eq!(made[&first.id].problem, None);
    assert!(made[&second.id].problem.as_ref().is_some_and(|why| why.contains("baseVersion")), "{made:?}");
    assert_eq!(app.engine.store().policy_in_force(app.scope()).await.expect("a lookup").version, Some(1));
}

#[tokio::test]
async fn a_change_that_was_approved_is_made_after_a_crash() {
    let app = TestApp::start_with(Database::Sqlite, reviewing).await;
    let admin = app.approver("admin@example.com", &[Role::Admin], &[]).await;
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let row = save(&app, admin, EASY).await;
    // As if the server had died right after the approval.
    app.database.execute("UPDATE reviewed_change SET done_at = '2020-01-01T00:00:00+00:00'").await;
    app.approve(other, &row).await.expect("approved");
    assert_eq!(app.engine.store().policy_in_force(app.scope()).await.expect("a lookup").version, None);
    app.database.execute("UPDATE reviewed_change SET done_at = NULL").await;
    countersign::engine::commands::make_approved_changes(&app.engine).await.expect("made");
    assert_eq!(app.engine.store().policy_in_force(app.scope()).await.expect("a lookup").version, Some(1));
}

#[tokio::test]
async fn risk_levels_and_gates_are_changed_once_somebody_else_has_approved_that() {
    let app = TestApp::start_with(Database::Sqlite, reviewing).await;
    let author = app.approver("author@example.com", &[Role::Author], &[]).await;
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let workflow = payment(&app, json!({"gate": "ALWAYS"})).await;
    let agent = app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let update = |fields| UpdateAgent { agent, base_version: 1, fields };
    let fields = AgentFields { risk_level: Some(Some(RiskLevel::Low)), ..AgentFields::default() };
    let row = match app.engine.update_agent(author, update(fields), &Origin::default()).await.expect("an answer") {
        Reviewed::Waits(row) => row,
        Reviewed::Done(agent) => panic!("{agent:?}"),
    };
    app.approve(other, &row).await.expect("approved");
    let found = app.engine.store().agent(app.scope(), agent).await.expect("a lookup").expect("an agent");
    assert_eq!(found.version, 2);

    let steps = |gate: &str| {
        json!({"name": "Payment", "steps": [{"key": "prepare", "agent": "Prepare"},
            {"key": "pay", "agent": "Pay", "gate": gate}]})
    };
    let update = |definition, base: i32| UpdateWorkflow {
        workflow,
        base_version: Some(base),
        document: Document::Definition(definition),
        draft: false,
    };
    let command = update(steps("NEVER"), 1);
    let row = match app.engine.update_workflow(author, command, &Origin::default()).await.expect("an answer") {
        SavedWorkflow::InReview(row) => *row,
        other => panic!("{other:?}"),
    };
    let latest = || async {
        app.engine.store().workflow(app.scope(), workflow).await.expect("a lookup").expect("a workflow").latest_version
    };
    assert_eq!(latest().await, Some(1));
    app.approve(other, &row).await.expect("approved");
    assert_eq!(latest().await, Some(2));
    // Anything else is saved at once.
    let mut described = steps("NEVER");
    described["description"] = json!("Pays");
    let saved = app.engine.update_workflow(author, update(described, 2), &Origin::default()).await.expect("an answer");
    assert!(matches!(saved, SavedWorkflow::Saved { .. }), "{saved:?}");
    app.assert_sound().await;
}

#[tokio::test]
async fn what_is_new_does_not_go_around_the_review() {
    let app = TestApp::start_with(Database::Sqlite, reviewing).await;
    let author = app.approver("author@example.com", &[Role::Author], &[]).await;
    let origin = Origin::default();
    payment(&app, json!({})).await;
    let fields = AgentFields {
        config: Some(json!({"queue": "q"})),
        risk_level: Some(Some(RiskLevel::Low)),
        ..AgentFields::default()
    };
    let command = CreateAgent { name: "Sly".to_owned(), kind: Kind::Worker, fields, idempotency_key: None };
    assert_eq!(refusal(app.engine.create_agent(author, command, &origin).await).code, Code::NotAllowed);
    let sly = |gate: &str, agent: &str| {
        Document::Definition(json!({"name": "Sly", "steps": [{"key": "a", "agent": agent, "gate": gate}]}))
    };
    let create = |draft, document| CreateWorkflow { document, draft, idempotency_key: None };
    let refused = refusal(app.engine.create_workflow(author, create(false, sly("NEVER", "Pay")), &origin).await);
    assert!(refused.code == Code::NotAllowed && refused.message.contains("gate: NEVER"), "{}", refused.message);
    // Neither does a draft that becomes the first version.
    let drafted = app.engine.create_workflow(author, create(true, sly("NEVER", "Pay")), &origin).await;
    let SavedWorkflow::Saved { workflow, .. } = drafted.expect("a draft") else { panic!("not saved") };
    let update =
        |base_version, document| UpdateWorkflow { workflow: workflow.id, base_version, document, draft: false };
    let refused = refusal(app.engine.update_workflow(author, update(None, sly("NEVER", "Pay")), &origin).await);
    assert_eq!(refused.code, Code::NotAllowed);
    // Nor another agent in a step that never asks.
    let other = app.approver("other@example.com", &[Role::Approver], &[]).await;
    let saved = app.engine.update_workflow(author, update(None, sly("POLICY", "Prepare")), &origin).await;
    assert!(matches!(saved, Ok(SavedWorkflow::Saved { .. })), "{saved:?}");
    let reviewed = async |base: i32, gate: &str, agent: &str| {
        let saved = app.engine.update_workflow(author, update(Some(base), sly(gate, agent)), &origin).await;
        match saved.expect("an answer") {
            SavedWorkflow::InReview(row) => *row,
            other => panic!("{other:?}"),
        }
    };
    let row = reviewed(1, "NEVER", "Prepare").await;
    app.approve(other, &row).await.expect("approved");
    reviewed(2, "NEVER", "Pay").await;
}
