//! What people decided, put to work.

mod backtest;
mod learning;
mod shadow;
mod suggest;

use countersign::domain::role::Role;
use serde_json::{Value, json};

use crate::{
    checkpoints::api::{DECIDED, mutate},
    support::{Person, TestApp, at},
};

/// Somebody who asks by a token, and somebody who decides.
struct People {
    agent: String,
    approver: Person,
}

async fn people(app: &TestApp) -> People {
    let approver = app.person("ada@example.com", &[Role::Approver, Role::Author]).await;
    People { agent: app.token(Role::Operator).await, approver }
}

/// Something that is proposed by an agent that stands alone.
async fn propose(app: &TestApp, people: &People, operation: &str, confidence: f64, parameters: Value) -> Value {
    let input = json!({"operationType": operation, "description": format!("Do a {operation}"), "riskLevel": "LOW",
        "confidence": confidence, "parameters": parameters});
    let selection = "checkpoint { id digest status } userErrors { message }";
    let payload = mutate(app, &people.agent, "requestApproval", input, selection).await;
    at(&payload, "/checkpoint").clone()
}

/// Approves as proposed, or with other parameters.
async fn approve(app: &TestApp, people: &People, checkpoint: &Value, instead: Option<Value>) {
    let mut input = json!({"checkpointId": checkpoint["id"], "digest": checkpoint["digest"]});
    if let Some(instead) = instead {
        input["modifiedParameters"] = instead;
    }
    let payload = mutate(app, &people.approver.access_token, "approveCheckpoint", input, DECIDED).await;
    assert_eq!(at(&payload, "/userErrors"), &json!([]));
}

async fn reject(app: &TestApp, people: &People, checkpoint: &Value, reason: &str) {
    let input = json!({"checkpointId": checkpoint["id"], "digest": checkpoint["digest"], "reason": reason});
    let payload = mutate(app, &people.approver.access_token, "rejectCheckpoint", input, DECIDED).await;
    assert_eq!(at(&payload, "/userErrors"), &json!([]));
}

/// A policy with one auto-approval rule for refunds up to an amount.
fn refunds_up_to(amount: u32, more: &str) -> String {
    format!(
        "version: '1.0'
checkpoints:
  - name: Refunds
    trigger: {{ operation_type: refund }}
    action: {{ require_approval_count: 1 }}
auto_approval:
  rules:
    - name: Small refunds
      {more}
      conditions: {{ operation_type: refund, data_threshold: {{ field: amount, operator: '<=', value: {amount} }} }}
      action: {{ auto_approve: true }}
"
    )
}
