//! Functions of lists. They move items as they are, which is why CEL's own are not used.

use std::cmp::Ordering;

use super::{compare, error::Fault, evaluate::Evaluation, value::Value};

pub fn slice(items: &[Value], from: &Value, to: &Value) -> Result<Value, Fault> {
    let index = |value: &Value| match value {
        Value::Int(number) => usize::try_from(*number).ok(),
        _ => None,
    };
    let part = index(from).zip(index(to)).and_then(|(from, to)| items.get(from..to));
    part.map(|part| Value::list(part.to_vec())).ok_or_else(|| {
        Fault::plain(format!("`slice` takes two positions from 0 to {}, the first not after the second", items.len()))
    })
}

pub fn flatten(work: &Evaluation<'_>, items: &[Value], depth: i64) -> Result<Value, Fault> {
    let mut flat = Vec::new();
    flatten_into(work, items, depth, &mut flat)?;
    Ok(Value::list(flat))
}

fn flatten_into(work: &Evaluation<'_>, items: &[Value], depth: i64, flat: &mut Vec<Value>) -> Result<(), Fault> {
    work.charge(items.len() as u64)?;
    for item in items {
        match item.open() {
            Value::List(list) if depth > 0 => flatten_into(work, &list.items, depth - 1, flat)?,
            _ => flat.push(item.clone()),
        }
    }
    Ok(())
}

/// The first of each set of equal items.
pub fn distinct(items: &[Value]) -> Value {
    let mut found: Vec<Value> = Vec::new();
    for item in items {
        if !found.iter().any(|other| compare::equal(item, other)) {
            found.push(item.clone());
        }
    }
    Value::list(found)
}

/// The items in the order of their keys; what has equal keys stays in order.
pub fn sort(items: &[Value], keys: &[Value]) -> Result<Value, Fault> {
    // Comparing with the first rules out what a sort must not be given: mixed types, and NaN.
    if let Some((first, other)) =
        keys.first().and_then(|first| Some((first, keys.iter().find(|key| compare::order(first, key).is_none())?)))
    {
        let message = format!("cannot put {} and {} in order", first.type_name(), other.type_name());
        return Err(Fault::plain(message));
    }
    let mut keyed: Vec<(&Value, &Value)> = keys.iter().zip(items).collect();
    keyed.sort_by(|(a, _), (b, _)| compare::order(a, b).unwrap_or(Ordering::Equal));
    Ok(Value::list(keyed.into_iter().map(|(_, item)| item.clone()).collect()))
}

pub fn join(items: &[Value], between: &str) -> Result<Value, Fault> {
    let mut joined = String::new();
    for (number, item) in items.iter().enumerate() {
        let Value::Text(text) = item.open() else {
            let message = format!("`join` takes strings: item {number} is {}, so say `string(…)`", item.type_name());
            return Err(Fault::plain(message));
        };
        if number > 0 {
            joined.push_str(between);
        }
        joined.push_str(text);
    }
    Ok(Value::Text(joined.into()))
}
