//! What a policy would say, without anything happening.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use crate::{
    domain::{
        access::Scope,
        agent::RiskLevel,
        document::Problem,
        id::ExecutionId,
        json::Json,
        name,
        policy::{Evaluation, Facts, Policy},
        refusal::Refusal,
        workflow::Gate,
    },
    engine::{Engine, Result, error::Problems},
};

const LONGEST_WORD: usize = 100;

/// A proposal, and what is around it.
#[derive(Debug, Clone)]
pub struct EvaluatePolicy {
    /// A policy that is not in force; the one that is when absent.
    pub document: Option<String>,
    pub operation_type: String,
    pub risk_level: RiskLevel,
    pub confidence: Option<f64>,
    pub parameters: Json,
    /// The execution's input.
    pub input: Json,
    pub context: Json,
    pub gate: Gate,
    /// Now when absent.
    pub at: Option<DateTime<Utc>>,
    /// Of which gradual rollouts are drawn.
    pub execution: Option<ExecutionId>,
}

/// What a policy says, and by which version.
#[derive(Debug)]
pub struct Evaluated {
    pub evaluation: Evaluation,
    /// Nothing for a policy that is not in force, or is built in.
    pub version: Option<i32>,
    pub emergency_stop: bool,
}

impl Engine {
    /// What would happen to a proposal; or what is wrong with the policy.
    pub async fn evaluate_policy(
        &self,
        scope: Scope,
        command: EvaluatePolicy,
    ) -> Result<std::result::Result<Evaluated, Vec<Problem>>> {
        let mut problems = Problems::default();
        let operation_type = problems.take(name::check("operationType", &command.operation_type, LONGEST_WORD));
        if let Some(confidence) = command.confidence.filter(|confidence| !(0.0..=1.0).contains(confidence)) {
            problems.note(Refusal::invalid("confidence", format!("`confidence` is {confidence}: give 0 to 1")));
        }
        problems.check()?;
        let in_force = self.in_force(scope).await?;
        let given = match command.document.as_deref().map(Policy::read) {
            Some(Ok(policy)) => Some(policy),
            Some(Err(problems)) => return Ok(Err(problems)),
            None => None,
        };
        let operation_type = operation_type.unwrap_or_default();
        let shown = json!({
            "operationType": operation_type,
            "riskLevel": command.risk_level.as_str(),
            "confidence": command.confidence,
            "params": command.parameters.to_value(),
        });
        let proposal = Json::from_value(&shown).map_err(|error| Refusal::invalid("parameters", error.to_string()))?;
        let facts = Facts {
            operation_type: &operation_type,
            risk: command.risk_level,
            confidence: command.confidence,
            params: &command.parameters,
            proposal: &proposal,
            input: &command.input,
            context: &command.context,
            rollout_key: command.execution.map_or(Uuid::nil(), |execution| execution.0),
            gate: command.gate,
            now: command.at.unwrap_or_else(|| self.clock().now()),
            emergency_stop: in_force.emergency_stop,
        };
        let evaluation = given.as_ref().unwrap_or(&in_force.policy).evaluate(&facts);
        let version = in_force.version.filter(|_| given.is_none());
        Ok(Ok(Evaluated { evaluation, version, emergency_stop: in_force.emergency_stop }))
    }
}
