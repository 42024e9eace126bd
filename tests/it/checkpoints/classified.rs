//! Callers who say themselves what kind of action they ask for, how risky it is and how sure they are.

use countersign::{
    domain::{
        agent::{Kind, RiskLevel},
        checkpoint::Status,
        execution::CompletionReason,
        json::Json,
        refusal::Code,
        role::Role,
    },
    engine::{
        Origin,
        commands::{AgentFields, Asking, RequestApproval},
    },
};
use rstest::rstest;
use serde_json::json;

use super::{copying, policies::wish};
use crate::support::{
    Database, TestApp, at,
    flows::{refusal, start},
    text,
};

const LOW_RISK: &str = "{version: '1.0', auto_approval: {rules: [{name: Low, conditions: {risk_level: low}, \
     action: {auto_approve: true}}]}}";

fn asked_for(operation_type: &str) -> RequestApproval {
    RequestApproval { operation_type: operation_type.to_owned(), ..wish() }
}

#[rstest]
#[tokio::test]
async fn a_caller_does_not_get_its_own_words_approved(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(LOW_RISK).await;
    let row = app.engine.request_approval(app.scope(), asked_for("drop_table")).await.expect("asked");
    assert_eq!(row.status, Status::Pending);
    let query = "query($id: ID!) { checkpoint(id: $id) { reasons { condition message } } }";
    let viewer = app.token(Role::Viewer).await;
    let answer = app.graphql(&viewer, query, json!({"id": row.id.to_string()})).await;
    let reason = at(&answer, "/data/checkpoint/reasons/0");
    assert_eq!(text(reason, "/condition"), "operation_types", "{answer}");
    assert!(text(reason, "/message").contains("`drop_table` is not among the policy's operation types"));
    app.policy(
        "{version: '1.0', operation_types: {unknown: refuse, types: [{name: refund, minimum_risk: medium}]}, \
         auto_approval: {rules: [{name: Low, conditions: {risk_level: [low, medium]}, action: {auto_approve: true}}]}}",
    )
    .await;
    let refused = refusal(app.engine.request_approval(app.scope(), asked_for("drop_table")).await);
    assert_eq!((refused.code, refused.path.last().map(AsRef::as_ref)), (Code::NotAllowed, Some("operationType")));
    let row = app.engine.request_approval(app.scope(), asked_for("Refund")).await.expect("asked");
    assert_eq!((row.status, row.risk_level), (Status::AutoApproved, RiskLevel::Medium), "the catalogue knows better");
    // What is tried beforehand comes out as in reality.
    let query = "query($input: EvaluatePolicyInput!) { evaluatePolicy(input: $input) { outcome riskLevel reasons { message } } }";
    for (operation_type, kind, outcome) in
        [("drop_table", "REQUEST", "REFUSE"), ("drop_table", "STEP", "ASK"), ("refund", "REQUEST", "AUTO_APPROVE")]
    {
        let input = json!({"operationType": operation_type, "riskLevel": "LOW", "parameters": {}, "kind": kind});
        let answer = app.graphql(&viewer, query, json!({"input": input})).await;
        assert_eq!(text(&answer, "/data/evaluatePolicy/outcome"), outcome, "{answer}");
    }
}

#[tokio::test]
async fn a_name_that_only_looks_like_another_is_refused_everywhere() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy("{version: '1.0', checkpoints: [{name: Refunds, trigger: {operation_type: refund}}]}").await;
    for (disguised, code) in [("ref\u{200B}und", "U+200B"), ("r\u{435}fund", "U+0435"), ("refund\u{202C}", "U+202C")] {
        let refused = refusal(app.engine.request_approval(app.scope(), asked_for(disguised)).await);
        assert!(refused.code == Code::Invalid && refused.message.contains(code), "{refused:?}");
        let author = app.token(Role::Author).await;
        let create =
            "mutation($input: CreateAgentInput!) { createAgent(input: $input) { userErrors { message path } } }";
        let input =
            json!({"name": "Pay", "kind": "TRANSFORM", "config": {"output": "/input"}, "operationType": disguised});
        let answer = app.graphql(&author, create, json!({"input": input})).await;
        assert!(text(&answer, "/data/createAgent/userErrors/0/message").contains(code), "{answer}");
        let validate =
            "query($document: JSON) { validateWorkflow(definition: $document) { problems { path message } } }";
        let document =
            json!({"name": "W", "steps": [{"key": "a", "agent": "A", "proposal": {"operationType": disguised}}]});
        let answer = app.graphql(&author, validate, json!({"document": document})).await;
        assert!(answer.to_string().contains(code), "{answer}");
        let validate =
            "query($document: String!) { validatePolicy(document: $document) { problems { path message } } }";
        for document in [
            format!("version: '1.0'\ncheckpoints: [{{name: A, trigger: {{operation_type: '{disguised}'}}}}]"),
            format!("version: '1.0'\noperation_types: {{types: [{{name: '{disguised}'}}]}}"),
        ] {
            let answer = app.graphql(&author, validate, json!({"document": document})).await;
            assert!(text(&answer, "/data/validatePolicy/problems/0/message").contains(code), "{answer}");
        }
    }
    let row = app.engine.request_approval(app.scope(), asked_for("ＲＥＦＵＮＤ")).await.expect("asked");
    assert_eq!((row.rule.as_deref(), row.operation_type.as_str()), (Some("Refunds"), "REFUND"));
}

#[tokio::test]
async fn neither_a_step_nor_a_worker_lowers_the_risk() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(
        "{version: '1.0', checkpoints: [{name: High, trigger: {risk_level: high}}], \
         operation_types: {unknown: allow, types: [{name: pay, minimum_risk: high}]}}",
    )
    .await;
    copying(&app, "Pay", RiskLevel::High).await;
    let step = json!({"key": "pay", "agent": "Pay", "proposal": {"riskLevel": "LOW", "operationType": "harmless"}});
    let workflow = app.workflow(json!({"name": "Lowered", "steps": [step]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    assert_eq!(app.waiting(id).await.risk_level, RiskLevel::High, "the agent's own");
    copying(&app, "Harmless", RiskLevel::Low).await;
    let step = json!({"key": "pay", "agent": "Harmless", "proposal": {"riskLevel": "LOW", "operationType": "Pay"}});
    let workflow = app.workflow(json!({"name": "Listed", "steps": [step]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    assert_eq!(app.waiting(id).await.risk_level, RiskLevel::High, "the catalogue's");
    let fields = AgentFields {
        config: Some(json!({"queue": "q"})),
        risk_level: Some(Some(RiskLevel::Critical)),
        ..AgentFields::default()
    };
    app.agent_with("Worker", Kind::Worker, fields).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let asking = |key: &str| Asking { lease: Some(task.lease.clone()), key: Some(key.to_owned()), ..Asking::default() };
    let request = |key: &str| RequestApproval { asking: asking(key), ..asked_for("look") };
    let row = app.engine.request_approval(app.scope(), request("one")).await.expect("asked");
    assert_eq!(row.risk_level, RiskLevel::Critical, "the agent's");
    let again = app.engine.request_approval(app.scope(), request("one")).await.expect("the same");
    assert_eq!(again.id, row.id);
    let lowered = RequestApproval { description: "Again".to_owned(), ..request("one") };
    let revised = app.engine.revise_proposal(app.scope(), row.id, lowered, &Origin::default()).await.expect("revised");
    assert_eq!(revised.risk_level, RiskLevel::Critical);
}

#[tokio::test]
async fn only_some_may_request_some_actions() {
    let app = TestApp::start(Database::Sqlite).await;
    let support = app.approver("support@example.com", &[Role::Operator], &["support"]).await;
    let sales = app.approver("sales@example.com", &[Role::Operator, Role::Approver], &["sales"]).await;
    app.policy(
        "{version: '1.0', operation_types: {types: [{name: refund, requesters: {groups: [support]}}]}, \
         auto_approval: {rules: [{name: Low, conditions: {risk_level: low}, action: {auto_approve: true}}]}}",
    )
    .await;
    let refused = refusal(app.engine.request_approval(sales, asked_for("refund")).await);
    assert_eq!(refused.code, Code::NotAllowed);
    assert_eq!(refused.message, "you are not among those who may request `refund`: group:support");
    let row = app.engine.request_approval(support, asked_for("refund")).await.expect("asked");
    assert_eq!(row.status, Status::AutoApproved);
    let other = app.engine.request_approval(sales, asked_for("other")).await.expect("asked");
    let revised = app.engine.revise_proposal(sales, other.id, asked_for("refund"), &Origin::default()).await;
    assert_eq!(refusal(revised).code, Code::NotAllowed);
    // Whoever starts an execution wants what its steps do.
    copying(&app, "Refund", RiskLevel::Low).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Refund"}]})).await;
    let id = start(&app.engine, support, workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    let id = start(&app.engine, sales, workflow, json!({})).await;
    let waiting = app.waiting(id).await;
    app.approve(sales, &waiting).await.expect("people decide");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

/// An agent must not get an approval by asking until it is drawn.
#[rstest]
#[tokio::test]
async fn the_same_request_draws_the_same_answer(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.policy(
        "{version: '1.0', auto_approval: {rules: [{name: Half, conditions: {operation_type: refund}, \
         action: {auto_approve: true, rollout_percentage: 50}}]}}",
    )
    .await;
    let bots = [
        app.approver("one@example.com", &[Role::Operator], &[]).await,
        app.approver("two@example.com", &[Role::Operator], &[]).await,
    ];
    let mut answers = Vec::new();
    for (order, bot) in (0..20).flat_map(|order| bots.map(|bot| (order, bot))) {
        let mut seen = Vec::new();
        for (try_number, confidence) in [0.5, 0.7, 1.0].into_iter().enumerate() {
            // In other words, with other keys, in another case and another form: it is the same wish.
            let parameters = if try_number == 0 {
                format!(r#"{{"order":{order},"a":1}}"#)
            } else {
                format!(r#"{{"a":1.0,"order":{order}}}"#)
            };
            let request = RequestApproval {
                description: format!("Try {try_number}"),
                operation_type: if try_number == 2 { "Refund".to_owned() } else { "refund".to_owned() },
                parameters: Json::parse(&parameters).expect("JSON"),
                confidence: Some(confidence),
                ..wish()
            };
            seen.push(app.engine.request_approval(bot, request).await.expect("asked").status);
        }
        assert!(seen.iter().all(|status| *status == seen[0]), "{order}: {seen:?}");
        answers.push(seen[0]);
    }
    let approved = answers.iter().filter(|status| **status == Status::AutoApproved).count();
    assert!((8..=32).contains(&approved), "about half of 40: {approved}");
}

#[tokio::test]
async fn a_step_does_not_rename_what_its_agent_does() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(
        "{version: '1.0', checkpoints: [{name: Payments, trigger: {operation_type: pay}, action: {require_approval_count: 2}}]}",
    )
    .await;
    let workflow = super::payment(&app, json!({"proposal": {"operationType": "send_report"}})).await;
    let id = app.start_execution(workflow, json!({"amount": 10})).await;
    let row = app.waiting(id).await;
    assert_eq!((row.rule.as_deref(), row.approvals_needed), (Some("Payments"), 2));
    app.assert_sound().await;
}
