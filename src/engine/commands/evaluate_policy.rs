//! What a policy would say, without anything happening.

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::{
    domain::{
        access::{Actor, Scope},
        agent::RiskLevel,
        checkpoint::items,
        document::Problem,
        id::ExecutionId,
        json::Json,
        operation_type,
        policy::{Asker, Evaluation, Facts, Outcome, Policy, Requirement},
        refusal::Refusal,
        workflow::Gate,
    },
    engine::{Engine, Result, compute::compute_here, error::Problems, execution::unknown},
};

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
    pub items: Option<Json>,
    pub gate: Gate,
    /// Whether a program asks, or a step.
    pub asked_by: Asker,
    /// Now when absent.
    pub at: Option<DateTime<Utc>>,
    /// As if whoever started this execution wanted it; otherwise the caller.
    pub execution: Option<ExecutionId>,
}

/// What a policy says, and by which version.
#[derive(Debug)]
pub struct Evaluated {
    pub evaluation: Evaluation,
    /// How risky it counts.
    pub risk_level: RiskLevel,
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
        let list =
            command.items.as_ref().map(|list| items::read(list).map_err(|error| Refusal::invalid("items", error)));
        let list = list.and_then(|read| problems.take(read)).filter(|list| !list.is_empty());
        let items = list.as_deref().map(items::to_json);
        let operation_type = problems.take(operation_type::check("operationType", &command.operation_type));
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
        let policy = given.as_ref().unwrap_or(&in_force.policy);
        let risk_level = policy.risk_of(&operation_type, command.risk_level);
        let requester = match command.execution {
            Some(execution) => self.starter(scope, execution).await?,
            None => scope.actor(),
        };
        let requester = self.requester(scope, requester, policy).await?;
        let shown = json!({
            "operationType": operation_type,
            "riskLevel": risk_level.as_str(),
            "confidence": command.confidence,
            "params": command.parameters.to_value(),
        });
        let proposal = Json::from_value(&shown).map_err(|error| Refusal::invalid("parameters", error.to_string()))?;
        let facts = Facts {
            operation_type: &operation_type,
            risk: risk_level,
            confidence: command.confidence,
            params: &command.parameters,
            proposal: &proposal,
            input: &command.input,
            context: &command.context,
            items: items.as_ref(),
            asked_by: command.asked_by,
            requester: &requester,
            gate: command.gate,
            now: command.at.unwrap_or_else(|| self.clock().now()),
            emergency_stop: in_force.emergency_stop,
        };
        let mut evaluation = compute_here(|| policy.evaluate(&facts)).await?;
        // Whoever asks wants an answer: only a step goes on where no rule has anything to say.
        if command.asked_by == Asker::Caller && evaluation.outcome == Outcome::Proceed {
            evaluation.outcome = Outcome::Ask(Box::new(Requirement::of_request()));
        }
        let version = in_force.version.filter(|_| given.is_none());
        Ok(Ok(Evaluated { evaluation, risk_level, version, emergency_stop: in_force.emergency_stop }))
    }

    async fn starter(&self, scope: Scope, id: ExecutionId) -> Result<Actor> {
        let found = self.store().execution(scope, id).await?;
        Ok(found.ok_or_else(|| unknown(id))?.actor)
    }
}
