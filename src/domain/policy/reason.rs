//! Why people are asked, or why nobody needed to be.

use serde::{Deserialize, Deserializer, Serialize};

use super::report::ConditionReport;
use crate::domain::json::Json;

/// How large a value may be that is kept in a reason: the journal keeps it for ever.
pub const LARGEST_KEPT: usize = 1_000;

/// How much of a value is shown in a sentence.
const LONGEST_SHOWN: usize = 80;

/// What a reason is about. The texts are in the journal: never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    RiskLevel,
    OperationType,
    DataThreshold,
    AgentConfidence,
    CustomField,
    /// An expression.
    Condition,
    /// What the step says itself.
    Gate,
    EmergencyStop,
    BusinessHours,
    Rollout,
    /// What the policy's catalogue says about the kind of action.
    OperationTypes,
}

impl Aspect {
    /// The name in the document, where it has one.
    pub fn as_str(self) -> &'static str {
        match self {
            Aspect::RiskLevel => "risk_level",
            Aspect::OperationType => "operation_type",
            Aspect::DataThreshold => "data_threshold",
            Aspect::AgentConfidence => "agent_confidence",
            Aspect::CustomField => "custom_field",
            Aspect::Condition => "condition",
            Aspect::Gate => "gate",
            Aspect::EmergencyStop => "emergency_stop",
            Aspect::BusinessHours => "business_hours",
            Aspect::Rollout => "rollout",
            Aspect::OperationTypes => "operation_types",
        }
    }
}

/// One reason for an outcome, for people and for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The rule that it comes from; nothing if it is the step's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub condition: Aspect,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// What the rule names, unless it is too large.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "even_null")]
    pub threshold: Option<Json>,
    /// What was found, unless it is too large.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "even_null")]
    pub value: Option<Json>,
    /// A sentence.
    pub message: String,
}

impl Reason {
    pub fn new(rule: Option<&str>, condition: Aspect, message: impl Into<String>) -> Self {
        let rule = rule.map(str::to_owned);
        Self { rule, condition, field: None, operator: None, threshold: None, value: None, message: message.into() }
    }

    /// The reason that a condition which held is.
    pub fn of_condition(rule: &str, report: &ConditionReport) -> Self {
        Self {
            field: report.field.as_deref().map(str::to_owned),
            operator: report.operator.map(|operator| operator.as_str().to_owned()),
            threshold: Some(report.expected.clone()).filter(|expected| expected.size() <= LARGEST_KEPT),
            value: report.actual.clone(),
            ..Self::new(Some(rule), report.condition, sentence(report))
        }
    }

    /// The reason that a step which always asks is.
    pub fn of_gate() -> Self {
        Self::new(None, Aspect::Gate, "the step always asks for approval")
    }
}

/// A value that is there, which null is as well.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

fn sentence(report: &ConditionReport) -> String {
    let expected = shown(Some(&report.expected));
    let value = shown(report.actual.as_ref());
    let subject = match report.condition {
        Aspect::RiskLevel => return format!("the risk level is {value}"),
        Aspect::OperationType => return format!("the operation type is {value}"),
        Aspect::Condition => {
            return match &report.note {
                None => format!("`{expected}` holds"),
                Some(why) => format!("`{expected}` cannot be evaluated, so people are asked to be safe: {why}"),
            };
        }
        Aspect::AgentConfidence => "the agent's confidence",
        _ => report.field.as_deref().unwrap_or_default(),
    };
    let operator = report.operator.map_or("", |operator| operator.as_str());
    match (&report.note, operator) {
        (Some(why), _) => {
            format!(
                "{subject} is {value}, for which `{operator} {expected}` means nothing, so people are asked to be safe: {why}"
            )
        }
        (None, "contains" | "matches") => format!("{subject} is {value}, which {operator} {expected}"),
        (None, _) => format!("{subject} is {value}, which is {operator} {expected}"),
    }
}

/// A value as it stands in a sentence: a text without its quotes, a whole number without `.0`, and not too long.
fn shown(value: Option<&Json>) -> String {
    let Some(value) = value else { return "too large to show".to_owned() };
    let text = serde_json::from_str::<String>(value.text())
        .unwrap_or_else(|_| without_empty_fraction(value.text()).to_owned());
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Many languages write a whole number that they keep as a double with `.0` behind it, which people do not.
fn without_empty_fraction(written: &str) -> &str {
    match written.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|digit| digit == b'0') => whole,
        _ => written,
    }
}
