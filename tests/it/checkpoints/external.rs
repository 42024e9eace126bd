//! Agents that ask by themselves: workers in the middle of a task, and programs outside of any workflow.

use chrono::TimeDelta;
use countersign::{
    domain::{
        agent::{Kind, RiskLevel},
        checkpoint::{self, Status, Verdict},
        execution::{self, CompletionReason},
        id::WorkflowId,
        json::Json,
        refusal::Code,
        role::Role,
    },
    engine::{
        Origin,
        commands::{Asking, ClaimedTask, DecideCheckpoint, RequestApproval, RequestClarification},
    },
};
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, TestApp, flows::refusal, policies::approving};

fn request(asking: Asking, parameters: &str) -> RequestApproval {
    RequestApproval {
        asking,
        operation_type: "refund".to_owned(),
        description: "Refund the order".to_owned(),
        parameters: Json::parse(parameters).expect("JSON"),
        risk_level: RiskLevel::Medium,
        reasoning: Some("it was broken".to_owned()),
        confidence: Some(0.8),
        estimated_cost: None,
        supporting_data: None,
        alternatives: Vec::new(),
        items: None,
    }
}

fn within(task: &ClaimedTask, key: Option<&str>) -> Asking {
    Asking { lease: Some(task.lease.clone()), key: key.map(ToOwned::to_owned), ..Asking::default() }
}

async fn work(app: &TestApp) -> WorkflowId {
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let steps = json!([{"key": "work", "agent": "Worker", "timeoutSeconds": 100}]);
    app.workflow(json!({"name": "Work", "steps": steps})).await
}

#[rstest]
#[tokio::test]
async fn a_program_outside_of_any_workflow_asks_and_learns_the_answer(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let bot = app.approver("bot@example.com", &[Role::Operator], &[]).await;
    let asking = Asking { idempotency_key: Some("k".to_owned()), ..Asking::default() };
    let row = app.engine.request_approval(bot, request(asking.clone(), r#"{"order":1}"#)).await.expect("asked");
    assert_eq!((row.status, row.kind, row.step), (Status::Pending, checkpoint::Kind::External, None));
    let again = app.engine.request_approval(bot, request(asking.clone(), r#"{"order":1}"#)).await.expect("the same");
    assert_eq!(again.id, row.id);
    let other = refusal(app.engine.request_approval(bot, request(asking, r#"{"order":2}"#)).await);
    assert_eq!(other.code, Code::IdempotencyKeyReused);
    app.assert_sound().await;
    app.approve(ada, &row).await.expect("approved");
    app.ends(row.execution, CompletionReason::Success).await;
    let row = app.engine.request_approval(bot, request(Asking::default(), "{}")).await.expect("asked");
    app.reject(ada, &row, "no").await.expect("rejected");
    app.ends(row.execution, CompletionReason::Rejected).await;
    let listed = app.engine.store().count_workflows(app.scope(), &Default::default()).await.expect("a count");
    assert_eq!(listed, 0, "the library does not show what is not in it");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_worker_asks_in_the_middle_and_its_time_stands_still() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = work(&app).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let row = app.engine.request_approval(app.scope(), request(within(&task, Some("one")), "{}")).await.expect("asked");
    app.wait_for(id, execution::Status::AwaitingApproval).await;
    for _ in 0..10 {
        app.clock.advance(TimeDelta::seconds(20));
        app.heartbeat(&task).await.expect("alive");
    }
    let again = app.engine.request_approval(app.scope(), request(within(&task, Some("one")), "{}")).await;
    assert_eq!(again.expect("the same").id, row.id);
    app.assert_sound().await;
    app.approve(ada, &row).await.expect("approved");
    app.wait_for(id, execution::Status::Running).await;
    // A crash of the worker: whoever takes the task next finds the answer under the same key.
    app.clock.advance(TimeDelta::seconds(31));
    app.wait_for_event(id, "step.released 0", 1).await;
    let task = app.claim_next("q").await;
    let found = app.engine.request_approval(app.scope(), request(within(&task, Some("one")), "{}")).await;
    let found = found.expect("the answer");
    assert_eq!((found.id, found.status), (row.id, Status::Approved));
    let pending =
        app.engine.request_approval(app.scope(), request(within(&task, Some("two")), "{}")).await.expect("asked");
    app.complete(&task, "{}").await.expect("without waiting");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(app.checkpoint(pending.id).await.status, Status::Cancelled);
    app.assert_sound().await;
}

#[tokio::test]
async fn questions_are_answered_as_they_must_be() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let schema = Json::parse(r#"{"type":"integer"}"#).expect("JSON");
    let command = RequestClarification {
        asking: Asking::default(),
        description: None,
        questions: vec![
            (None, "How many?".to_owned(), Some(schema)),
            (Some("who".to_owned()), "Who?".to_owned(), None),
        ],
        supporting_data: None,
    };
    let row = app.engine.request_clarification(app.scope(), command).await.expect("asked");
    assert_eq!(row.kind, checkpoint::Kind::Clarification);
    let answer = |text: &str| DecideCheckpoint {
        verdict: Verdict::Answer,
        answers: Some(Json::parse(text).expect("JSON")),
        ..approving(&row)
    };
    assert_eq!(refusal(app.approve(ada, &row).await).code, Code::Conflict);
    for (text, code) in [
        (r#"{"q1":1}"#, Code::Invalid),
        (r#"{"q1":"1","who":"me"}"#, Code::Invalid),
        (r#"{"q1":1,"who":"me","x":1}"#, Code::NotFound),
        ("[]", Code::Invalid),
    ] {
        assert_eq!(
            refusal(app.engine.decide_checkpoint(ada, answer(text), &Origin::default()).await).code,
            code,
            "{text}"
        );
    }
    let row = app
        .engine
        .decide_checkpoint(ada, answer(r#"{"q1":1,"who":"me"}"#), &Origin::default())
        .await
        .expect("answered");
    assert_eq!(row.status, Status::Approved);
    app.ends(row.execution, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn answers_and_other_proposals_are_revisions_that_must_be_looked_at_anew() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy("{version: '1.0', checkpoints: [{name: R, trigger: {operation_type: refund}, action: {require_approval_count: 2}}]}").await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let bob = app.approver("bob@example.com", &[Role::Approver], &[]).await;
    let bot = app.approver("bot@example.com", &[Role::Operator], &[]).await;
    let first = app.engine.request_approval(bot, request(Asking::default(), r#"{"n":1}"#)).await.expect("asked");
    app.approve(ada, &first).await.expect("the first of two");
    app.engine.ask_about_checkpoint(bob, first.id, "Why?", &Origin::default()).await.expect("asked");
    let question = app.events(first.execution).await.into_iter().rev().find_map(|event| match event {
        execution::Event::Checkpoint(checkpoint::Event::Asked { question, .. }) => Some(question),
        _ => None,
    });
    let question = question.expect("a question");
    let second = app
        .engine
        .answer_about_checkpoint(bot, first.id, question, "It broke", &Origin::default())
        .await
        .expect("answered");
    assert_eq!((second.revision, second.approvals), (2, 0));
    assert_eq!(refusal(app.approve(ada, &first).await).code, Code::Stale);
    assert_eq!(
        refusal(app.engine.answer_about_checkpoint(bot, first.id, question, "x", &Origin::default()).await).code,
        Code::AlreadyDecided
    );
    let revised = request(Asking::default(), r#"{"n":2}"#);
    assert_eq!(
        refusal(app.engine.revise_proposal(bob, first.id, revised.clone(), &Origin::default()).await).code,
        Code::NotAllowed
    );
    let third = app.engine.revise_proposal(bot, first.id, revised, &Origin::default()).await.expect("revised");
    assert_eq!(third.revision, 3);
    for who in [ada, bob] {
        app.approve(who, &third).await.expect("approved");
    }
    app.ends(third.execution, CompletionReason::Success).await;
    app.assert_sound().await;
}

/// What a server remembers of the policy may be older than the stop.
#[tokio::test]
async fn nothing_is_approved_by_a_rule_after_the_stop_whoever_asks() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(
        "{version: '1.0', auto_approval: {enabled: true, rules: [{name: All, conditions: {operation_type: refund}, \
         action: {auto_approve: true}}]}}",
    )
    .await;
    let workflow = work(&app).await;
    app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let elsewhere = app.another_process().await;
    for alone in [true, false] {
        let asking = || if alone { Asking::default() } else { within(&task, None) };
        let before = app.engine.request_approval(app.scope(), request(asking(), "{}")).await.expect("asked");
        assert_eq!(before.status, Status::AutoApproved);
        let origin = Origin::default();
        elsewhere.set_emergency_stop(app.scope(), true, None, &origin).await.expect("stopped");
        let after = app.engine.request_approval(app.scope(), request(asking(), "{}")).await.expect("asked");
        assert_eq!(after.status, Status::Pending, "alone: {alone}");
        app.engine.set_emergency_stop(app.scope(), false, None, &origin).await.expect("lifted");
    }
    app.assert_sound().await;
}
