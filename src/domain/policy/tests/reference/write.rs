//! Policies as texts, and proposals as facts.

use chrono::DateTime;
use uuid::Uuid;

use super::{Condition, Document, Proposal, Value};
use crate::domain::{
    agent::RiskLevel,
    policy::{
        Asker, Requester,
        tests::{Case, json},
    },
    workflow::Gate,
};

const RISKS: [&str; 4] = ["low", "Medium", "HIGH", "critical"];

/// 2024-01-01T00:00:00Z, a Monday.
const MONDAY: i64 = 1_704_067_200;

fn number(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest:02}") }
}

fn written(value: &Value) -> String {
    match value {
        Value::Number(hundredths) => number(*hundredths),
        Value::Text(text) => format!("\"{text}\""),
        Value::Flag(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::List(items) => format!("{items:?}"),
    }
}

fn trigger(conditions: &[Condition]) -> String {
    let (mut fields, mut thresholds, mut custom_fields) = (Vec::new(), Vec::new(), Vec::new());
    for condition in conditions {
        match condition {
            Condition::Risk(levels) => {
                let names: Vec<&str> = levels.iter().map(|level| RISKS[*level]).collect();
                fields.push(format!("risk_level: [{}]", names.join(", ")));
            }
            Condition::Operation(types) if types.len() == 1 => fields.push(format!("operation_type: {}", types[0])),
            Condition::Operation(types) => fields.push(format!("operation_type: [{}]", types.join(", "))),
            Condition::Confidence(operator, value) => {
                fields.push(format!("confidence: '{operator} {}'", number(*value)));
            }
            Condition::Field { custom, name, operator, value } => {
                let text = format!("{{field: {name}, operator: '{operator}', value: {}}}", written(value));
                if *custom { custom_fields.push(text) } else { thresholds.push(text) }
            }
            Condition::Expression(value) => fields.push(format!("condition: 'proposal.params.a > {value}'")),
            Condition::SafeExpression(value) => {
                fields.push(format!("condition: 'has(input.a) && input.a == {value}'"));
            }
        }
    }
    for (name, found) in [("data_threshold", thresholds), ("custom_field", custom_fields)] {
        match found.as_slice() {
            [] => {}
            [alone] => fields.push(format!("{name}: {alone}")),
            several => fields.push(format!("{name}: [{}]", several.join(", "))),
        }
    }
    fields.join(", ")
}

pub fn text(document: &Document) -> String {
    let mut text = "version: '1.0'\ncheckpoints:\n".to_owned();
    for (number, rule) in document.checkpoints.iter().enumerate() {
        let priority = rule.priority.map(|priority| format!("priority: {priority}, ")).unwrap_or_default();
        text += &format!(
            "  - {{name: c{number}, {priority}trigger: {{{}}}, action: {{auto_approve: {}, require_approval_count: {}}}}}\n",
            trigger(&rule.conditions),
            rule.auto_approve,
            rule.approvals
        );
    }
    if document.checkpoints.is_empty() {
        text = text.replace("checkpoints:", "checkpoints: []");
    }
    text += &format!(
        "auto_approval:\n  enabled: {}\n  global_settings:\n    emergency_stop: {}\n    business_hours_only: {}\n    business_hours: {{timezone: Asia/Tokyo, monday_friday: '09:00-17:00', saturday_sunday: '22:00-02:00'}}\n",
        document.enabled, document.emergency_stop, document.business_hours_only
    );
    let rules: Vec<String> = document
        .rules
        .iter()
        .enumerate()
        .map(|(number, rule)| {
            let rollout = rule.rollout.map(|percent| format!(", rollout_percentage: {percent}")).unwrap_or_default();
            format!(
                "{{name: a{number}, enabled: {}, conditions: {{{}}}, action: {{auto_approve: {}{rollout}}}}}",
                rule.enabled,
                trigger(&rule.conditions),
                rule.auto_approve
            )
        })
        .collect();
    text + &format!("  rules: [{}]\n", rules.join(", "))
}

pub fn case(proposal: &Proposal) -> Case {
    let object = |fields: &[Option<Value>; 2]| {
        let fields = ["a", "b"].into_iter().zip(fields);
        let given =
            fields.filter_map(|(name, value)| value.as_ref().map(|value| format!("\"{name}\":{}", written(value))));
        json(&format!("{{{}}}", given.collect::<Vec<_>>().join(",")))
    };
    Case {
        operation_type: proposal.operation,
        risk: RiskLevel::ALL[proposal.risk],
        confidence: proposal.confidence.map(|hundredths| hundredths as f64 / 100.0),
        params: object(&proposal.fields[0]),
        input: object(&proposal.fields[1]),
        context: object(&proposal.fields[2]),
        requester: Requester { identity: Uuid::from_u128(proposal.key), ..Requester::default() },
        asked_by: Asker::Step,
        gate: if proposal.always { Gate::Always } else { Gate::Policy },
        now: DateTime::from_timestamp(MONDAY + proposal.hour * 3600, 0).expect("a time"),
        emergency_stop: proposal.stopped,
    }
}
