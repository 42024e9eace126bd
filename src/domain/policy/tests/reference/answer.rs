//! What the documentation says.

use std::cmp::Ordering;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Condition, Document, Proposal, Rule, Value};

/// Whether a condition holds; nothing if that cannot be said.
fn holds(condition: &Condition, proposal: &Proposal) -> Option<bool> {
    let field = |place: usize, name: &str| proposal.fields[place][usize::from(name == "b")].as_ref();
    match condition {
        Condition::Risk(levels) => Some(levels.contains(&proposal.risk)),
        Condition::Operation(types) => {
            Some(types.iter().any(|name| name.to_lowercase() == proposal.operation.to_lowercase()))
        }
        Condition::Confidence(operator, threshold) => match proposal.confidence {
            None => Some(false),
            Some(confidence) => Some(ordered(operator, confidence.cmp(threshold))),
        },
        Condition::Field { custom, name, operator, value } => {
            let places = if *custom { 0..3 } else { 0..1 };
            match places.into_iter().find_map(|place| field(place, name)) {
                None => Some(false),
                Some(actual) => compared(actual, operator, value),
            }
        }
        Condition::Expression(threshold) => match field(0, "a") {
            Some(Value::Number(actual)) => Some(*actual > threshold * 100),
            _ => None,
        },
        Condition::SafeExpression(wanted) => Some(field(1, "a") == Some(&Value::Number(wanted * 100))),
    }
}

fn ordered(operator: &str, order: Ordering) -> bool {
    match operator {
        ">" => order == Ordering::Greater,
        ">=" => order != Ordering::Less,
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        "==" => order == Ordering::Equal,
        "!=" => order != Ordering::Equal,
        other => panic!("{other}"),
    }
}

fn compared(actual: &Value, operator: &str, expected: &Value) -> Option<bool> {
    match (operator, actual, expected) {
        ("==", actual, expected) => Some(actual == expected),
        ("!=", actual, expected) => Some(actual != expected),
        ("in", actual, Value::List(items)) => Some(items.iter().any(|item| *actual == Value::Number(item * 100))),
        ("contains", Value::Text(whole), Value::Text(part)) => Some(whole.contains(part)),
        ("contains", Value::List(items), part) => Some(items.iter().any(|item| *part == Value::Number(item * 100))),
        ("matches", Value::Text(text), Value::Text(pattern)) => Some(match *pattern {
            "^x" => text.starts_with('x'),
            "y$" => text.ends_with('y'),
            other => text.contains(other),
        }),
        ("contains" | "matches", ..) => None,
        (operator, Value::Number(actual), Value::Number(expected)) => Some(ordered(operator, actual.cmp(expected))),
        _ => None,
    }
}

/// In Tokyo, where the clocks never change: weekdays 9 to 17, and the nights after Saturday and Sunday from 22 to 2.
fn is_open(hour: i64) -> bool {
    let local = hour + 9;
    let (day, hour) = ((local / 24) % 7, local % 24);
    let weekend = |day: i64| day >= 5;
    let night_before = weekend((day + 6) % 7) && hour < 2;
    night_before || if weekend(day) { hour >= 22 } else { (9..17).contains(&hour) }
}

/// A value in RFC 8785's form.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(hundredths) if hundredths % 100 == 0 => (hundredths / 100).to_string(),
        Value::Number(hundredths) => {
            let sign = if *hundredths < 0 { "-" } else { "" };
            let digits = format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100);
            digits.trim_end_matches('0').to_owned()
        }
        Value::Text(text) => format!("\"{text}\""),
        Value::Flag(flag) => flag.to_string(),
        Value::Null => "null".to_owned(),
        Value::List(items) => format!("{items:?}").replace(' ', ""),
    }
}

fn is_in_rollout(name: &str, proposal: &Proposal, percent: i64) -> bool {
    let fields = ["a", "b"].into_iter().zip(&proposal.fields[0]);
    let fields = fields.filter_map(|(name, value)| Some(format!("\"{name}\":{}", canonical(value.as_ref()?))));
    let (requester, operation) = (Uuid::from_u128(proposal.key), proposal.operation.to_lowercase());
    let parameters = fields.collect::<Vec<_>>().join(",");
    let content = format!("[\"{requester}\",\"{operation}\",{{{parameters}}},null]");
    let digest = Sha256::digest([name.as_bytes(), &Sha256::digest(content)].concat());
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    (u64::from_be_bytes(first) % 10_000) < percent as u64 * 100
}

#[derive(Debug, PartialEq)]
pub enum Answer {
    Proceed,
    Approved { rule: String, instead_of: Option<String> },
    Ask { rule: Option<String>, approvals: u32 },
}

/// The answer, and the names of all rules that match.
pub fn answer(document: &Document, proposal: &Proposal) -> (Answer, Vec<String>) {
    let matches = |rule: &Rule, in_doubt: bool| {
        rule.conditions.iter().all(|condition| holds(condition, proposal).unwrap_or(in_doubt))
    };
    let mut checkpoints: Vec<(String, &Rule)> =
        document.checkpoints.iter().enumerate().map(|(number, rule)| (format!("c{number}"), rule)).collect();
    checkpoints.sort_by_key(|(_, rule)| rule.priority.unwrap_or(i64::MAX));
    checkpoints.retain(|(_, rule)| matches(rule, true));
    let mut autos: Vec<(String, &Rule)> =
        document.rules.iter().enumerate().map(|(number, rule)| (format!("a{number}"), rule)).collect();
    autos.retain(|(_, rule)| matches(rule, false));
    let matched = checkpoints.iter().chain(&autos).map(|(name, _)| name.clone()).collect();

    let closed = document.business_hours_only && !is_open(proposal.hour);
    let nothing_may = proposal.always || proposal.stopped || document.emergency_stop || closed;
    let asking = checkpoints.first();
    let taking_part = |rule: &Rule| document.enabled && rule.enabled && rule.auto_approve;
    let mut was_blocked = false;
    if let Some((name, rule)) = autos.iter().find(|(_, rule)| taking_part(rule)) {
        let out = rule.rollout.is_some_and(|percent| !is_in_rollout(name, proposal, percent));
        if !nothing_may && !out {
            let instead_of = asking.filter(|(_, rule)| !rule.auto_approve).map(|(name, _)| name.clone());
            return (Answer::Approved { rule: name.clone(), instead_of }, matched);
        }
        was_blocked = true;
    }
    let certain = |rule: &Rule| rule.conditions.iter().all(|condition| holds(condition, proposal) == Some(true));
    let answer = match asking {
        Some((name, rule)) if rule.auto_approve && certain(rule) && !nothing_may => {
            Answer::Approved { rule: name.clone(), instead_of: None }
        }
        Some((name, rule)) => Answer::Ask { rule: Some(name.clone()), approvals: rule.approvals },
        None if was_blocked || proposal.always => Answer::Ask { rule: None, approvals: 1 },
        None => Answer::Proceed,
    };
    (answer, matched)
}
