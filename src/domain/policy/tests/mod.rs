//! Policies as a whole: read from texts and asked.

mod doubt;
mod foreign;
mod journal;
mod operation_types;
mod people;
mod precedence;
mod problems;
mod quorum;
mod reading;
mod reference;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Asker, Evaluation, Facts, Outcome, Policy, Requester, Requirement};
use crate::domain::{agent::RiskLevel, json::Json, workflow::Gate};

/// A document with every field.
const EXAMPLE: &str = include_str!("example.yaml");

fn policy(text: &str) -> Policy {
    Policy::read(text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"))
}

fn json(text: &str) -> Json {
    Json::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A proposal that tests change where they need to.
#[derive(Clone)]
struct Case {
    operation_type: &'static str,
    risk: RiskLevel,
    confidence: Option<f64>,
    params: Json,
    input: Json,
    context: Json,
    requester: Requester,
    asked_by: Asker,
    gate: Gate,
    now: DateTime<Utc>,
    emergency_stop: bool,
}

impl Case {
    fn new(params: &str) -> Self {
        Self {
            operation_type: "refund",
            risk: RiskLevel::Low,
            confidence: Some(0.9),
            params: json(params),
            input: json("{}"),
            context: json("{}"),
            requester: Requester::default(),
            asked_by: Asker::Step,
            gate: Gate::Policy,
            // A Tuesday, at noon in New York.
            now: "2024-05-14T16:00:00Z".parse().expect("a time"),
            emergency_stop: false,
        }
    }

    fn evaluate(&self, policy: &Policy) -> Evaluation {
        let proposal =
            Json::object([("params", self.params.raw()), ("riskLevel", Json::string(self.risk.as_str()).raw())]);
        policy.evaluate(&Facts {
            operation_type: self.operation_type,
            risk: self.risk,
            confidence: self.confidence,
            params: &self.params,
            proposal: &proposal,
            input: &self.input,
            context: &self.context,
            items: None,
            asked_by: self.asked_by,
            requester: &self.requester,
            gate: self.gate,
            now: self.now,
            emergency_stop: self.emergency_stop,
        })
    }

    /// The outcome in one line: who approves or asks, and why.
    fn told(&self, policy: &Policy) -> String {
        match self.evaluate(policy).outcome {
            Outcome::Proceed => "proceed".to_owned(),
            Outcome::AutoApproved(approval) => {
                let reasons: Vec<String> = approval.reasons.into_iter().map(|reason| reason.message).collect();
                let instead = approval.instead_of.map(|rule| format!(" instead of {rule}")).unwrap_or_default();
                format!("{} approves{instead}: {}", approval.rule, reasons.join("; "))
            }
            Outcome::Ask(requirement) => {
                let reasons: Vec<&str> = requirement.reasons.iter().map(|reason| reason.message.as_str()).collect();
                let seats: Vec<String> =
                    requirement.seats.iter().map(|seat| format!("{} of {}", seat.count, seat.who)).collect();
                let rule = requirement.rule.as_deref().unwrap_or("nobody");
                format!("{rule} asks {}: {}", seats.join(", "), reasons.join("; "))
            }
        }
    }

    /// The same, wanted by somebody else.
    fn by(self, identity: Uuid) -> Self {
        Self { requester: Requester { identity, ..Requester::default() }, ..self }
    }

    fn asked(&self, policy: &Policy) -> Requirement {
        match self.evaluate(policy).outcome {
            Outcome::Ask(requirement) => *requirement,
            other => panic!("nobody is asked: {other:?}"),
        }
    }
}
