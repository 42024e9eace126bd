//! Operators and what they are given.

use serde_json::{Number, Value};

use super::values::word;
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems, wrong_type},
    pattern::{Pattern, Unusable},
    policy::{
        comparison::{Comparison, Operator},
        number,
    },
};

/// How many patterns a policy may have, and how large each may be when it is ready. Both together bound the memory.
const MOST_PATTERNS: usize = 200;
const LARGEST_PATTERN_BYTES: usize = 256 << 10;
const LONGEST_PATTERN: usize = 1_000;

/// Refuses a document with more patterns than should be made ready.
pub fn check_patterns(document: &Value, problems: &mut Problems) -> bool {
    let patterns = count_patterns(document);
    if patterns > MOST_PATTERNS {
        let message = format!("the policy uses `matches` {patterns} times: at most {MOST_PATTERNS} are allowed");
        problems.add(Place::default().problem(ProblemCode::TooMany, message));
    }
    patterns <= MOST_PATTERNS
}

fn count_patterns(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_patterns).sum(),
        Value::Object(fields) => {
            let own = fields.get("operator").and_then(Value::as_str).map(str::trim);
            let own = own.is_some_and(|word| word.eq_ignore_ascii_case(Operator::Matches.as_str()));
            usize::from(own) + fields.values().map(count_patterns).sum::<usize>()
        }
        _ => 0,
    }
}

/// The operator in a field.
pub fn read_operator(object: &mut Object<'_>, allowed: &[Operator], problems: &mut Problems) -> Option<Operator> {
    let place = object.place("operator");
    let text = object.required_text("operator", problems)?;
    let words: Vec<(&str, Operator)> = allowed.iter().map(|operator| (operator.as_str(), *operator)).collect();
    word(text.trim(), &words).map_err(|message| problems.add(place.problem(ProblemCode::InvalidValue, message))).ok()
}

/// What to compare with: the field `value`, of a kind that the operator can use.
pub fn read_comparison(
    object: &mut Object<'_>,
    operator: Option<Operator>,
    problems: &mut Problems,
) -> Option<Comparison> {
    let place = object.place("value");
    let Some(value) = object.get_any("value") else {
        problems.add(place.problem(ProblemCode::Missing, "`value` is missing"));
        return None;
    };
    match (operator?, value) {
        (Operator::Equal, value) => Some(Comparison::Equal(value.clone())),
        (Operator::NotEqual, value) => Some(Comparison::NotEqual(value.clone())),
        (Operator::Contains, value) => Some(Comparison::Contains(value.clone())),
        (Operator::In, Value::Array(items)) if items.is_empty() => {
            problems.add(place.problem(ProblemCode::InvalidValue, "the list is empty: nothing can be in it"));
            None
        }
        (Operator::In, Value::Array(items)) => Some(Comparison::In(items.clone())),
        (Operator::In, value) => expected("a list of values, as the operator is `in`", value, &place, problems),
        (Operator::Matches, Value::String(pattern)) => read_pattern(pattern, &place, problems),
        (Operator::Matches, value) => {
            expected("a regular expression, as the operator is `matches`", value, &place, problems)
        }
        (operator, Value::Number(number)) => order(operator, number, &place, problems),
        (operator, value) => {
            let wanted = format!("a number, as the operator is `{}`", operator.as_str());
            expected(&wanted, value, &place, problems)
        }
    }
}

fn expected(wanted: &str, value: &Value, place: &Place, problems: &mut Problems) -> Option<Comparison> {
    problems.add(wrong_type(place, wanted, value));
    None
}

fn order(operator: Operator, threshold: &Number, place: &Place, problems: &mut Problems) -> Option<Comparison> {
    // Otherwise every comparison with it would be in doubt.
    if number::order(threshold.as_str(), "0").is_none() {
        problems.add(place.problem(ProblemCode::InvalidValue, "the number is too large to be compared with"));
        return None;
    }
    Some(Comparison::Order(operator, threshold.clone()))
}

fn read_pattern(pattern: &str, place: &Place, problems: &mut Problems) -> Option<Comparison> {
    let length = pattern.chars().count();
    let compiled = if length > LONGEST_PATTERN {
        Err(format!("the pattern has {length} characters: at most {LONGEST_PATTERN} are allowed"))
    } else {
        Pattern::compile_within(pattern, LARGEST_PATTERN_BYTES).map_err(|error| match error {
            Unusable::Spent => "the patterns take too much work: write fewer, or simpler ones".to_owned(),
            Unusable::Wrong(regex::Error::CompiledTooBig(_)) => "the pattern is too large: repeat less".to_owned(),
            Unusable::Wrong(error) => {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
                format!("not a regular expression: {reason}")
            }
        })
    };
    compiled
        .map(Comparison::Matches)
        .map_err(|message| problems.add(place.problem(ProblemCode::InvalidValue, message)))
        .ok()
}
