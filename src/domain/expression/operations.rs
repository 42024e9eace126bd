//! Operators between two values.

use cel::common::ast::operators;

use super::{
    arithmetic, compare,
    error::Fault,
    value::{Key, Value},
};

/// Whether this is the name of an operator between two values.
pub fn is_binary(name: &str) -> bool {
    name == operators::IN || (name.starts_with('_') && name.ends_with('_'))
}

/// What an operator makes of two values.
pub fn binary(name: &str, a: &Value, b: &Value) -> Result<Value, Fault> {
    let ordered = || compare::order(a, b).ok_or_else(|| arithmetic::mismatch(name, a, b));
    Ok(match name {
        operators::EQUALS => compare::equal(a, b).into(),
        operators::NOT_EQUALS => (!compare::equal(a, b)).into(),
        operators::LESS => ordered()?.is_lt().into(),
        operators::LESS_EQUALS => ordered()?.is_le().into(),
        operators::GREATER => ordered()?.is_gt().into(),
        operators::GREATER_EQUALS => ordered()?.is_ge().into(),
        operators::IN => contains(a, b)?.into(),
        operators::ADD | operators::SUBSTRACT | operators::MULTIPLY | operators::DIVIDE | operators::MODULO => {
            arithmetic::compute(name, a, b)?
        }
        _ => return Err(arithmetic::mismatch(name, a, b)),
    })
}

fn contains(item: &Value, container: &Value) -> Result<bool, Fault> {
    match container.open() {
        Value::List(list) => Ok(list.items.iter().any(|other| compare::equal(item, other))),
        Value::Map(map) => Ok(Key::of(item).is_some_and(|key| map.entries.contains_key(&key))),
        _ => Err(arithmetic::mismatch(operators::IN, item, container)),
    }
}
