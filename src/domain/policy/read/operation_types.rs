//! The catalogue of operation types.

use std::collections::HashMap;

use serde_json::Value;

use super::{conditions::risk_levels, people::read_approvers, values::word};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems, wrong_type},
    operation_type,
    policy::operation_types::{OperationType, OperationTypes, Unknown},
};

const MOST_TYPES: usize = 500;
const LONGEST_DESCRIPTION: usize = 1_000;

/// Reads the section `operation_types`.
pub fn read(value: &Value, place: Place, problems: &mut Problems) -> OperationTypes {
    let Some(mut object) = Object::open(value, place, problems).map(Object::strict) else {
        return OperationTypes::default();
    };
    let words = [("ask", Unknown::Ask), ("refuse", Unknown::Refuse), ("allow", Unknown::Allow)];
    let unknown = one_word(&mut object, "unknown", &words, problems).unwrap_or(Unknown::Ask);
    let types = read_types(&mut object, problems);
    object.close(problems);
    OperationTypes { unknown: Some(unknown), types }
}

fn read_types(object: &mut Object<'_>, problems: &mut Problems) -> HashMap<String, OperationType> {
    let place = object.place("types");
    let items = object.read("types", "a list of operation types", problems, Value::as_array);
    let items = items.map_or(&[][..], Vec::as_slice);
    if items.len() > MOST_TYPES {
        let message = format!("there are {} operation types: at most {MOST_TYPES} are allowed", items.len());
        problems.add(place.problem(ProblemCode::TooMany, message));
    }
    let mut types = HashMap::new();
    for (number, item) in items.iter().enumerate().take(MOST_TYPES) {
        let place = place.child(number);
        let Some(read) = read_type(number, item, &place, problems) else { continue };
        let name = read.name.clone();
        if types.insert(operation_type::comparable(&name), read).is_some() {
            let message = format!("`{name}` is here twice: names must differ, whatever their case");
            problems.add(place.child("name").problem(ProblemCode::Duplicate, message));
        }
    }
    types
}

fn read_type(position: usize, item: &Value, place: &Place, problems: &mut Problems) -> Option<OperationType> {
    if !item.is_object() {
        problems.add(wrong_type(place, "an operation type such as `{ name: refund, minimum_risk: medium }`", item));
        return None;
    }
    let mut object = Object::open(item, place.clone(), problems)?.strict();
    let name = object.required_text("name", problems).and_then(|text| {
        let checked = operation_type::check("name", text);
        checked
            .map_err(|refusal| problems.add(place.child("name").problem(ProblemCode::InvalidValue, refusal.message)))
            .ok()
    });
    let minimum_risk = one_word(&mut object, "minimum_risk", &risk_levels(), problems);
    let requesters = object.get("requesters");
    let requesters = requesters.and_then(|value| read_approvers(value, place.child("requesters"), problems));
    if let Some(text) = object.text("description", problems)
        && text.chars().count() > LONGEST_DESCRIPTION
    {
        let message = format!("`description` is too long: at most {LONGEST_DESCRIPTION} characters are allowed");
        problems.add(place.child("description").problem(ProblemCode::InvalidValue, message));
    }
    object.close(problems);
    Some(OperationType { name: name?, position, minimum_risk, requesters })
}

/// One of a few words, in any case.
fn one_word<T: Copy>(
    object: &mut Object<'_>,
    name: &'static str,
    words: &[(&str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let text = object.text(name, problems)?;
    word(text.trim(), words)
        .map_err(|message| problems.add(object.place(name).problem(ProblemCode::InvalidValue, message)))
        .ok()
}
