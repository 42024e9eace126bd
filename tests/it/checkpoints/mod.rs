//! Where executions wait for people.

pub mod api;
mod api_ask;
mod api_decide;
mod api_discuss;
mod api_events;
mod api_lists;
mod api_people;
mod barred;
mod bypass;
mod classified;
mod decide;
mod external;
mod formats;
mod gate;
mod interleavings;
mod policies;
mod reject;
mod reported;
mod reviews;
mod rights;
mod service_accounts;
mod stuck;
mod timers;

use countersign::{
    domain::{
        agent::{Kind, RiskLevel},
        id::WorkflowId,
    },
    engine::commands::AgentFields,
};
use serde_json::{Value, json};

use crate::support::TestApp;

/// A workflow whose second step pays what the first one prepared, with these fields of its own.
pub async fn payment(app: &TestApp, pay: Value) -> WorkflowId {
    copying(app, "Prepare", RiskLevel::Low).await;
    copying(app, "Pay", RiskLevel::High).await;
    let mut step = json!({"key": "pay", "agent": "Pay"});
    for (name, value) in pay.as_object().expect("fields") {
        step[name] = value.clone();
    }
    let steps = json!([{"key": "prepare", "agent": "Prepare"}, step]);
    app.workflow(json!({"name": "Payment", "steps": steps})).await
}

/// An agent that gives its input as its output.
async fn copying(app: &TestApp, name: &str, risk: RiskLevel) {
    let fields = AgentFields {
        config: Some(json!({"output": "/input"})),
        operation_type: Some(Some(name.to_lowercase())),
        risk_level: Some(Some(risk)),
        ..AgentFields::default()
    };
    app.agent_with(name, Kind::Transform, fields).await;
}
