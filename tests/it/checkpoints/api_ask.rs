//! Agents that ask people, through GraphQL.

use countersign::domain::{agent::Kind, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::api::{DECIDED, approve, mutate, refused};
use crate::{
    executions::api::{claim, start},
    support::{Database, TestApp, at, text},
};

const ASKED: &str = "checkpoint { id digest kind status revision stepKey workflow { id } agent { name }
        requestedBy { kind } execution { id status correlationId workflow { id name } workflowVersion { number } steps { key } } }
    userErrors { code message path }";

fn refund(fields: Value) -> Value {
    let mut input = json!({"operationType": "refund", "description": "Give 20 back", "riskLevel": "MEDIUM",
        "parameters": {"amount": 20, "order": "A-17"}});
    for (name, value) in fields.as_object().expect("an object") {
        input[name] = value.clone();
    }
    input
}

#[rstest]
#[tokio::test]
async fn anybody_can_ask_from_outside(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let items = json!([{"id": "1", "label": "Shoes", "action": "refund", "data": {"n": 1}}, {"id": "2"}]);
    let input = refund(json!({"items": items, "correlationId": "order A-17", "idempotencyKey": "k", "confidence": 0.9,
        "estimatedCostMicros": 5, "reasoning": "broken", "supportingData": {"photos": 2}, "alternatives": ["Nothing."]}));
    let payload = mutate(&app, &operator, "requestApproval", input.clone(), ASKED).await;
    let asked = at(&payload, "/checkpoint");
    assert_eq!((&asked["kind"], &asked["status"]), (&json!("EXTERNAL"), &json!("PENDING")), "{payload}");
    assert_eq!((&asked["workflow"], &asked["stepKey"], &asked["agent"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!(at(asked, "/requestedBy/kind"), "API_TOKEN");
    assert_eq!(at(asked, "/execution/status"), "AWAITING_APPROVAL");
    assert_eq!(at(asked, "/execution/correlationId"), "order A-17");
    assert_eq!((at(asked, "/execution/workflowVersion"), at(asked, "/execution/steps")), (&Value::Null, &json!([])));
    let again = mutate(&app, &operator, "requestApproval", input.clone(), ASKED).await;
    assert_eq!(at(&again, "/checkpoint/id"), &asked["id"]);
    let other = mutate(&app, &operator, "requestApproval", refund(json!({"idempotencyKey": "k"})), ASKED).await;
    assert_eq!(refused(&other), ("IDEMPOTENCY_KEY_REUSED", &json!(["input", "idempotencyKey"])));

    // The workflow that such requests belong to is in no library.
    let hidden = text(asked, "/execution/workflow/id");
    let query = "query($id: ID!) { node(id: $id) { id } workflows { totalCount } workflowByName(name: \"Approval requests\") { id } }";
    let answer = app.graphql(&operator, query, json!({"id": hidden})).await;
    assert_eq!(answer["data"], json!({"node": null, "workflows": {"totalCount": 0}, "workflowByName": null}));
    let payload =
        mutate(&app, &operator, "startExecution", json!({"workflowId": hidden, "input": {}}), "userErrors { path }")
            .await;
    assert_eq!(at(&payload, "/userErrors/0/path"), &json!(["input", "workflowId"]));

    let choose = json!({"checkpointId": asked["id"], "digest": asked["digest"], "items": ["2"]});
    let selection = "checkpoint { status outcome { approvedParameters approvedItems }
        execution { status completionReason } } userErrors { message }";
    let payload = mutate(&app, &approver, "approveCheckpoint", choose, selection).await;
    let chosen = json!([{"id": "2", "label": "2", "action": null, "data": at(&payload, "/checkpoint/outcome/approvedParameters/approvedItems/0/data")}]);
    let parameters = json!({"amount": 20, "order": "A-17", "approvedItems": chosen});
    let expected = json!({"status": "APPROVED", "outcome": {"approvedParameters": parameters, "approvedItems": ["2"]},
        "execution": {"status": "COMPLETED", "completionReason": "SUCCESS"}});
    assert_eq!(payload["checkpoint"], expected, "{payload}");
    for field in ["retryExecution", "resumeFailedExecution"] {
        let input = json!({"executionId": asked["execution"]["id"]});
        let payload = mutate(&app, &operator, field, input, "userErrors { code message path }").await;
        assert_eq!(refused(&payload), ("CONFLICT", &json!(["input", "executionId"])), "{payload}");
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn everything_that_is_wrong_with_a_request_is_told() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    for (fields, path) in [
        (json!({"operationType": ""}), "operationType"),
        (json!({"description": " "}), "description"),
        (json!({"parameters": [1]}), "parameters"),
        (json!({"parameters": {"a": "\0"}}), "parameters"),
        (json!({"confidence": 2}), "confidence"),
        (json!({"estimatedCostMicros": 0.5}), "estimatedCostMicros"),
        (json!({"alternatives": vec![""; 21]}), "alternatives"),
        (json!({"items": [{"id": "a"}, {"id": "a"}]}), "items"),
        (json!({"leaseToken": "x"}), "leaseToken"),
        (json!({"key": "x"}), "key"),
        (json!({"correlationId": ""}), "correlationId"),
        (json!({"idempotencyKey": ""}), "idempotencyKey"),
    ] {
        let payload = mutate(&app, &operator, "requestApproval", refund(fields), ASKED).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", path])), "{payload}");
    }
    for questions in [json!([]), json!([{"text": ""}]), json!([{"text": "x", "schema": {"type": 7}}])] {
        let payload = mutate(&app, &operator, "requestClarification", json!({"questions": questions}), ASKED).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", "questions"])), "{payload}");
    }
}

#[tokio::test]
async fn a_worker_asks_in_the_middle_of_its_task_and_proposes_something_else() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    app.agent("Refunder", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "refund", "agent": "Refunder"}]})).await;
    start(&app, &operator, &workflow.to_string(), json!({})).await;
    let task = claim(&app, &operator, "q").await;
    let input = refund(json!({"leaseToken": task["leaseToken"], "key": "first"}));
    let asked = mutate(&app, &operator, "requestApproval", input.clone(), ASKED).await;
    let again = mutate(&app, &operator, "requestApproval", input, ASKED).await;
    assert_eq!(at(&again, "/checkpoint/id"), at(&asked, "/checkpoint/id"), "{again}");
    assert_eq!(at(&asked, "/checkpoint/stepKey"), "refund");
    assert_eq!(at(&asked, "/checkpoint/agent/name"), "Refunder");
    let (id, digest) = (at(&asked, "/checkpoint/id"), at(&asked, "/checkpoint/digest"));

    let other = refund(json!({"checkpointId": id, "parameters": {"amount": 10, "order": "A-17"}}));
    let revised = mutate(&app, &operator, "reviseProposal", other.clone(), ASKED).await;
    assert_eq!(at(&revised, "/checkpoint/revision"), &json!(2), "{revised}");
    let stranger = app.person("eve@example.com", &[Role::Operator]).await.access_token;
    let payload = mutate(&app, &stranger, "reviseProposal", other, ASKED).await;
    assert_eq!(refused(&payload).0, "NOT_ALLOWED");
    let stale = approve(&app, &approver, &json!({"id": id, "digest": digest})).await;
    assert_eq!(refused(&stale).0, "STALE");
    assert_eq!(stale["difference"], json!([{"path": "/parameters/amount", "before": 20, "after": 10}]));
    let payload = approve(&app, &approver, at(&revised, "/checkpoint")).await;
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED", "{payload}");
    let query = "query($id: ID!) { checkpoint(id: $id) { execution { status } outcome { approvedParameters } } }";
    let answer = app.graphql(&operator, query, json!({"id": id})).await;
    let outcome = at(&answer, "/data/checkpoint/outcome/approvedParameters");
    assert_eq!(outcome, &json!({"amount": 10, "order": "A-17"}));
    assert_eq!(at(&answer, "/data/checkpoint/execution/status"), "RUNNING");
}

#[tokio::test]
async fn questions_are_answered() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let questions =
        json!([{"text": "Which account?"}, {"id": "n", "text": "How many?", "schema": {"type": "integer"}}]);
    let input = json!({"questions": questions, "supportingData": [1, 2], "mode": "TEST"});
    let selection =
        "checkpoint { id digest kind test description proposal { questions { id text schema } supportingData } }
        userErrors { message }";
    let payload = mutate(&app, &operator, "requestClarification", input, selection).await;
    let asked = at(&payload, "/checkpoint");
    assert_eq!((&asked["kind"], &asked["test"]), (&json!("CLARIFICATION"), &json!(true)), "{payload}");
    assert_eq!(asked["description"], "Which account?");
    let shown = json!([{"id": "q1", "text": "Which account?", "schema": null},
        {"id": "n", "text": "How many?", "schema": {"type": "integer"}}]);
    assert_eq!(asked["proposal"], json!({"questions": shown, "supportingData": [1, 2]}));
    let payload = approve(&app, &approver, asked).await;
    assert_eq!(refused(&payload).0, "CONFLICT", "{payload}");
    let answer = |answers: Value| json!({"checkpointId": asked["id"], "digest": asked["digest"], "answers": answers});
    for answers in [json!({"q1": "x"}), json!({"q1": "x", "n": 1.5}), json!([])] {
        let payload = mutate(&app, &approver, "answerClarification", answer(answers), DECIDED).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", "answers"])), "{payload}");
    }
    let answers = json!({"q1": "the second", "n": 3});
    let selection = "checkpoint { status outcome { answers } decisions { verdict } } userErrors { message }";
    let payload = mutate(&app, &approver, "answerClarification", answer(answers.clone()), selection).await;
    let expected = json!({"status": "APPROVED", "outcome": {"answers": answers}, "decisions": [{"verdict": "ANSWER"}]});
    assert_eq!(payload["checkpoint"], expected, "{payload}");
}
