//! Computing with values: exactly, or not at all.

use cel::common::{ast::operators, value::Val};

use super::{carry, error::Fault, value::Value};

/// The largest whole number up to which a double holds every one.
const EXACT_IN_DOUBLE: i128 = 1 << 53;

/// `a + b`, `a - b`, `a * b`, `a / b` or `a % b`.
pub fn compute(operator: &str, a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a.open(), b.open()) {
        (Value::Beyond(number), _) | (_, Value::Beyond(number)) => Err(carry::beyond(number)),
        (Value::Int(a), Value::Int(b)) => {
            let result = whole(operator, (*a).into(), (*b).into())?;
            i64::try_from(result).map(Value::Int).map_err(|_| overflow(operator, a, b))
        }
        (Value::Uint(a), Value::Uint(b)) => {
            let result = whole(operator, (*a).into(), (*b).into())?;
            u64::try_from(result).map(Value::Uint).map_err(|_| overflow(operator, a, b))
        }
        (Value::Double(a), Value::Double(b)) => double(operator, *a, *b),
        // JSON does not tell 1 from 1.0, so neither do we where nothing is lost by it.
        (Value::Double(a), Value::Int(b)) => double(operator, *a, exact_double((*b).into())?),
        (Value::Int(a), Value::Double(b)) => double(operator, exact_double((*a).into())?, *b),
        (Value::Double(a), Value::Uint(b)) => double(operator, *a, exact_double((*b).into())?),
        (Value::Uint(a), Value::Double(b)) => double(operator, exact_double((*a).into())?, *b),
        (Value::Text(a), Value::Text(b)) if operator == operators::ADD => Ok(Value::Text([&**a, &**b].concat().into())),
        (Value::Bytes(a), Value::Bytes(b)) if operator == operators::ADD => {
            Ok(Value::Bytes([&**a, &**b].concat().into()))
        }
        (Value::List(a), Value::List(b)) if operator == operators::ADD => {
            Ok(Value::list(a.items.iter().chain(&b.items).cloned().collect()))
        }
        (a @ Value::Other(_), b) => time(operator, a, b),
        (a, b) => Err(mismatch(operator, a, b)),
    }
}

/// `-a`.
pub fn negate(value: &Value) -> Result<Value, Fault> {
    match value.open() {
        Value::Int(number) => {
            number.checked_neg().map(Value::Int).ok_or_else(|| Fault::plain(format!("-({number}) is beyond 64 bits")))
        }
        Value::Double(number) => Ok(Value::Double(-number)),
        Value::Beyond(number) => Err(carry::beyond(number)),
        other => Err(Fault::plain(format!("`-` does not take {}", other.type_name()))),
    }
}

/// The operator as it is written.
pub fn sign(operator: &str) -> &str {
    operator.trim_matches(['_', '@'])
}

pub fn mismatch(operator: &str, a: &Value, b: &Value) -> Fault {
    Fault::plain(format!("`{}` does not take {} and {}", sign(operator), a.type_name(), b.type_name()))
}

fn whole(operator: &str, a: i128, b: i128) -> Result<i128, Fault> {
    if b == 0 && matches!(operator, operators::DIVIDE | operators::MODULO) {
        return Err(Fault::plain(format!("{a} {} 0: a division by zero", sign(operator))));
    }
    // Numbers of 64 bits cannot leave 128, whatever is done to them.
    Ok(match operator {
        operators::ADD => a + b,
        operators::SUBSTRACT => a - b,
        operators::MULTIPLY => a.saturating_mul(b),
        operators::DIVIDE => a / b,
        _ => a % b,
    })
}

fn double(operator: &str, a: f64, b: f64) -> Result<Value, Fault> {
    Ok(Value::Double(match operator {
        operators::ADD => a + b,
        operators::SUBSTRACT => a - b,
        operators::MULTIPLY => a * b,
        operators::DIVIDE => a / b,
        _ => return Err(mismatch(operator, &Value::Double(a), &Value::Double(b))),
    }))
}

#[expect(clippy::cast_precision_loss, reason = "numbers that would lose something are refused")]
fn exact_double(number: i128) -> Result<f64, Fault> {
    if number.abs() > EXACT_IN_DOUBLE {
        let message =
            format!("{number} cannot be computed with a decimal number exactly: say `double(…)` if it may be rounded");
        return Err(Fault::plain(message));
    }
    Ok(number as f64)
}

/// Times and durations are added and taken from each other as CEL does it.
fn time(operator: &str, a: &Value, b: &Value) -> Result<Value, Fault> {
    let (left, right) = (carry::to_cel(a)?, carry::to_cel(b)?);
    let (left, right): (&dyn Val, &dyn Val) = (left.as_ref(), right.as_ref());
    let result = match operator {
        operators::ADD => left.as_adder().map(|left| left.add(right)),
        operators::SUBSTRACT => left.as_subtractor().map(|left| left.sub(right)),
        _ => None,
    };
    match result {
        Some(Ok(value)) => carry::from_cel(value.as_ref()),
        _ => Err(mismatch(operator, a, b)),
    }
}

fn overflow(operator: &str, a: &dyn std::fmt::Display, b: &dyn std::fmt::Display) -> Fault {
    Fault::plain(format!("{a} {} {b} is beyond 64 bits", sign(operator)))
}
