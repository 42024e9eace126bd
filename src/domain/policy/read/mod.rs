//! From a document to a policy, with every problem.

mod action;
mod automatic;
mod comparison;
mod conditions;
mod operation_types;
mod people;
mod values;

use std::collections::HashSet;

use serde_json::Value;

use super::{
    MOST_RULES, Policy,
    rule::{AutoApprovals, Checkpoint},
};
use crate::domain::{
    document::{Object, Place, Problem, ProblemCode, Problems, wrong_type},
    json::Json,
    name,
};

const VERSION: &str = "1.0";
const LONGEST_NAME: usize = 100;
const HIGHEST_PRIORITY: i64 = 1_000_000;

/// Reads a whole document.
pub fn read(document: &Value) -> Result<Policy, Vec<Problem>> {
    let mut problems = Problems::default();
    if let Err(error) = Json::from_value(document) {
        // Its line is one of the value as we would write it, not of the text.
        let error = error.to_string();
        let message = format!("the policy cannot be kept: {}", error.split(" at line ").next().unwrap_or(&error));
        return Err(vec![Place::default().problem(ProblemCode::InvalidValue, message)]);
    }
    let policy = comparison::check_patterns(document, &mut problems).then(|| read_policy(document, &mut problems));
    match policy.flatten() {
        Some(policy) if problems.is_empty() => Ok(policy),
        _ => Err(problems.into_vec()),
    }
}

fn read_policy(document: &Value, problems: &mut Problems) -> Option<Policy> {
    let mut object = Object::open(document, Place::default(), problems)?.strict();
    // Documents that have only this section are also written without a version.
    let alone = ["version", "checkpoints"].iter().all(|name| document.get(name).is_none())
        && document.get("auto_approval").is_some();
    if !alone && object.require("version", problems) {
        // Without quotes, YAML makes a number of it.
        let known = |value: &Value| match value {
            Value::String(text) => text.trim() == VERSION,
            value => value.as_f64() == Some(1.0),
        };
        object.read("version", "the version `\"1.0\"`", problems, |value| known(value).then_some(()));
    }
    let mut room = MOST_RULES;
    let mut checkpoints = read_rules(&mut object, "checkpoints", &mut room, problems, read_checkpoint);
    // Sorting is stable: what has the same priority stays in the order of the document.
    checkpoints.sort_by_key(|checkpoint| (checkpoint.priority.is_none(), checkpoint.priority));
    let place = object.place("auto_approval");
    let auto_approvals = match object.get("auto_approval") {
        Some(value) => automatic::read(value, place, &mut room, problems),
        None => AutoApprovals::default(),
    };
    let place = object.place("operation_types");
    let operation_types = object.get("operation_types");
    let operation_types = operation_types.map(|value| operation_types::read(value, place, problems));
    object.close(problems);
    Some(Policy { checkpoints, auto_approvals, operation_types: operation_types.unwrap_or_default() })
}

/// Reads a list of rules whose names differ.
fn read_rules<T>(
    object: &mut Object<'_>,
    field: &'static str,
    room: &mut usize,
    problems: &mut Problems,
    read_rule: impl Fn(&mut Object<'_>, &str, &mut Problems) -> T,
) -> Vec<T> {
    let place = object.place(field);
    let items = object.read(field, "a list of rules", problems, Value::as_array).map_or(&[][..], Vec::as_slice);
    if items.len() > *room {
        let message = format!("there are too many rules: at most {MOST_RULES} are allowed in a policy");
        problems.add(place.problem(ProblemCode::TooMany, message));
    }
    let mut names: HashSet<&str> = HashSet::new();
    let mut rules = Vec::new();
    for (number, item) in items.iter().enumerate().take(*room) {
        let place = place.child(number);
        if !item.is_object() {
            problems.add(wrong_type(&place, "a rule", item));
            continue;
        }
        let Some(mut object) = Object::open(item, place.clone(), problems).map(Object::strict) else { continue };
        let name = read_name(&mut object, problems);
        if !name.is_empty() && !names.insert(name) {
            let message = format!("there are two rules named `{name}`: names must differ");
            problems.add(place.child("name").problem(ProblemCode::Duplicate, message));
        }
        rules.push(read_rule(&mut object, name, problems));
        object.close(problems);
    }
    *room = room.saturating_sub(items.len());
    rules
}

/// A rule's name, or nothing if it has none that can be used.
fn read_name<'a>(object: &mut Object<'a>, problems: &mut Problems) -> &'a str {
    let Some(text) = object.required_text("name", problems) else { return "" };
    match name::check("name", text, LONGEST_NAME) {
        Ok(_) => text.trim(),
        Err(refusal) => {
            problems.add(object.place("name").problem(ProblemCode::InvalidValue, refusal.message));
            ""
        }
    }
}

fn read_checkpoint(object: &mut Object<'_>, name: &str, problems: &mut Problems) -> Checkpoint {
    let bounds = -HIGHEST_PRIORITY..=HIGHEST_PRIORITY;
    let expected = format!("a whole number from -{HIGHEST_PRIORITY} to {HIGHEST_PRIORITY}");
    let priority = object
        .read("priority", &expected, problems, |value| value.as_i64().filter(|priority| bounds.contains(priority)));
    let rule = conditions::read(object, "trigger", name, problems);
    let action::Action { auto_approve, log, requirement } = action::read(object, name, problems);
    Checkpoint { rule, priority, auto_approve, log, requirement }
}
