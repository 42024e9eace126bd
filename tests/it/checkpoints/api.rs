//! What GraphQL shows of a checkpoint.

use countersign::{
    domain::{agent::Kind, agent::RiskLevel, execution::Status, role::Role},
    engine::commands::AgentFields,
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{
    executions::api::start,
    support::{Database, TestApp, at, text},
};

/// A workflow whose second step pays what the first one prepared, once somebody has approved that. `fields` are more
/// fields of the second step.
pub async fn payment(app: &TestApp, fields: Value) -> String {
    copying(app, "Prepare", RiskLevel::Low, "prepare").await;
    copying(app, "Pay", RiskLevel::High, "pay").await;
    let mut pay = json!({"key": "pay", "agent": "Pay", "needs": ["prepare"], "gate": "ALWAYS"});
    for (name, value) in fields.as_object().expect("an object") {
        pay[name] = value.clone();
    }
    let steps = json!([{"key": "prepare", "agent": "Prepare"}, pay]);
    app.workflow(json!({"name": "Payment", "steps": steps})).await.to_string()
}

/// An agent that gives back what it gets: an object, whose `amount` is a number.
async fn copying(app: &TestApp, name: &str, risk: RiskLevel, operation: &str) {
    let fields = AgentFields {
        config: Some(json!({"output": "input"})),
        input_schema: Some(Some(json!({"type": "object", "properties": {"amount": {"type": "number"}}}))),
        risk_level: Some(Some(risk)),
        operation_type: Some(Some(operation.to_owned())),
        ..AgentFields::default()
    };
    app.agent_with(name, Kind::Transform, fields).await;
}

/// Starts an execution that waits for approval, and gives its checkpoint.
pub async fn parked(app: &TestApp, token: &str, workflow: &str, input: Value) -> Value {
    let id = start(app, token, workflow, input).await;
    app.wait_for(id.parse().expect("an id"), Status::AwaitingApproval).await;
    let query = "query($id: ID!) { execution(id: $id) { checkpoints { id digest execution { id } } } }";
    let answer = app.graphql(token, query, json!({"id": id})).await;
    at(&answer, "/data/execution/checkpoints/0").clone()
}

/// The fields of every payload of a decision.
pub const DECIDED: &str = "checkpoint { id status revision digest approvals approvalsNeeded }
    difference { path before after } userErrors { code message path }";

/// Runs a mutation about a checkpoint and gives its payload.
pub async fn mutate(app: &TestApp, token: &str, field: &str, input: Value, selection: &str) -> Value {
    let mut kind = field.to_owned();
    kind.replace_range(..1, &field[..1].to_uppercase());
    let query = format!("mutation($input: {kind}Input!) {{ payload: {field}(input: $input) {{ {selection} }} }}");
    let answer = app.graphql(token, &query, json!({"input": input})).await;
    answer.pointer("/data/payload").filter(|payload| !payload.is_null()).unwrap_or_else(|| panic!("{answer}")).clone()
}

pub async fn approve(app: &TestApp, token: &str, checkpoint: &Value) -> Value {
    let input = json!({"checkpointId": checkpoint["id"], "digest": checkpoint["digest"]});
    mutate(app, token, "approveCheckpoint", input, DECIDED).await
}

/// The code and the path of the only thing that was wrong.
#[track_caller]
pub fn refused(payload: &Value) -> (&str, &Value) {
    assert_eq!(payload["userErrors"].as_array().map(Vec::len), Some(1), "{payload}");
    (text(payload, "/userErrors/0/code"), at(payload, "/userErrors/0/path"))
}

#[rstest]
#[tokio::test]
async fn a_checkpoint_shows_what_is_proposed_and_why(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let template = json!({"proposal": {"description": "Pay {{ input.amount }} to {{ input.to }}",
        "reasoning": "the order is broken", "confidence": 0.5, "estimatedCostMicros": 1200,
        "supportingData": "/steps/prepare/order", "alternatives": ["Send a voucher."]}});
    let workflow = payment(&app, template).await;
    let input = json!({"amount": 12.5, "to": "Bob", "order": {"n": 7}});
    let found = parked(&app, &operator, &workflow, input.clone()).await;
    let query = "query($id: ID!) { checkpoint(id: $id) {
        id kind status test operationType description riskLevel confidence estimatedCostMicros itemCount rule
        policyVersion approvals approvalsNeeded revision reminders stepKey agent { name } workflow { name }
        assignee { email } requestedBy { kind } deadline escalatedAt resolvedAt secondsLeft reason
        viewerCanDecide viewerCannotDecideBecause execution { status pendingCheckpoints }
        outcome { approvedParameters approvedItems answers }
        proposal { operationType parameters description reasoning confidence riskLevel estimatedCostMicros
            supportingData alternatives items { id } questions { id } answered { question } }
        reasons { rule condition field operator threshold value message }
        requirement { rule seats { count who } groups users roles exclude separationOfDuties timeoutSeconds onTimeout
            escalateAfterSeconds escalateTo reminderSeconds channels recipients }
        stillNeeded { count who } decisions { id } revisions { number cause digest by { kind } proposal { parameters } }
        difference { path } comments { id } questions { id } delegations { from { id } } } }";
    let answer = app.graphql(&approver, query, json!({"id": found["id"]})).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    let shown = at(&answer, "/data/checkpoint");
    let mut expected = json!({
        "id": found["id"], "kind": "STEP", "status": "PENDING", "test": false, "operationType": "pay",
        "description": "Pay 12.5 to Bob", "riskLevel": "HIGH", "confidence": 0.5, "estimatedCostMicros": 1200.0,
        "itemCount": null, "rule": "High and critical risk", "policyVersion": null, "approvals": 0,
        "approvalsNeeded": 1, "revision": 1, "reminders": 0, "stepKey": "pay", "agent": {"name": "Pay"},
        "workflow": {"name": "Payment"}, "assignee": null, "requestedBy": {"kind": "SYSTEM"}, "deadline": null,
        "escalatedAt": null, "resolvedAt": null, "secondsLeft": null, "reason": null, "viewerCanDecide": true,
        "viewerCannotDecideBecause": null, "outcome": null,
        "execution": {"status": "AWAITING_APPROVAL", "pendingCheckpoints": 1},
    });
    let of_journal = json!({
        "proposal": {"operationType": "pay", "parameters": input, "description": "Pay 12.5 to Bob",
            "reasoning": "the order is broken", "confidence": 0.5, "riskLevel": "HIGH", "estimatedCostMicros": 1200.0,
            "supportingData": {"n": 7}, "alternatives": ["Send a voucher."], "items": [], "questions": [],
            "answered": []},
        "reasons": shown["reasons"],
        "requirement": {"rule": "High and critical risk", "seats": [{"count": 1, "who": "any"}], "groups": [],
            "users": [], "roles": ["APPROVER"], "exclude": [], "separationOfDuties": false, "timeoutSeconds": null,
            "onTimeout": null, "escalateAfterSeconds": null, "escalateTo": [], "reminderSeconds": null,
            "channels": [], "recipients": []},
        "stillNeeded": [{"count": 1, "who": "any"}], "decisions": [],
        "revisions": [{"number": 1, "cause": null, "digest": found["digest"], "by": {"kind": "SYSTEM"},
            "proposal": {"parameters": input}}],
        "difference": [], "comments": [], "questions": [], "delegations": [],
    });
    for (name, value) in of_journal.as_object().expect("an object") {
        expected[name] = value.clone();
    }
    assert_eq!(shown, &expected);
    let reasons: Vec<&str> =
        shown["reasons"].as_array().expect("a list").iter().map(|one| text(one, "/message")).collect();
    assert!(reasons.contains(&"the risk level is HIGH"), "{reasons:?}");

    let node = "query($id: ID!) { node(id: $id) { id ... on Checkpoint { status } } }";
    let answer = app.graphql(&operator, node, json!({"id": found["id"]})).await;
    assert_eq!(at(&answer, "/data/node"), &json!({"id": found["id"], "status": "PENDING"}));
    let query = "query($id: ID!) { checkpoint(id: $id) { viewerCanDecide viewerCannotDecideBecause } }";
    let answer = app.graphql(&operator, query, json!({"id": found["id"]})).await;
    let because = json!({"viewerCanDecide": false, "viewerCannotDecideBecause": "deciding needs the role APPROVER"});
    assert_eq!(at(&answer, "/data/checkpoint"), &because);

    let payload = approve(&app, &approver, &found).await;
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED", "{payload}");
    let id = text(&found, "/execution/id");
    app.wait_for(id.parse().expect("an id"), Status::Completed).await;
    let query = "query($id: ID!) { execution(id: $id) { output pendingCheckpoints
        steps { key input checkpoint { id status stillNeeded { who } waitedSeconds
            viewerCannotDecideBecause outcome { approvedParameters approvedItems answers }
            decisions { verdict revision digest comment lapsed by { kind } onBehalfOf { email } } } } } }";
    let answer = app.graphql(&approver, query, json!({"id": id})).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    let done = at(&answer, "/data/execution");
    assert_eq!((&done["output"], &done["pendingCheckpoints"]), (&input, &json!(0)));
    assert_eq!(at(done, "/steps/0/checkpoint"), &Value::Null);
    let pay = at(done, "/steps/1");
    assert_eq!((&pay["input"], &pay["checkpoint"]["id"]), (&input, &found["id"]));
    assert_eq!(at(pay, "/checkpoint/viewerCannotDecideBecause"), "the checkpoint is APPROVED");
    let outcome = json!({"approvedParameters": input, "approvedItems": null, "answers": null});
    assert_eq!(at(pay, "/checkpoint/outcome"), &outcome);
    let decision = json!({"verdict": "APPROVE", "revision": 1, "digest": found["digest"], "comment": null,
        "lapsed": false, "by": {"kind": "USER"}, "onBehalfOf": null});
    assert_eq!(at(pay, "/checkpoint/decisions"), &json!([decision]));
}
