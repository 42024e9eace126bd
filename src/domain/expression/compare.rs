//! Which values are equal, and which come first.

use std::cmp::Ordering;

use super::value::Value;

/// Whether two values are equal. Numbers are compared by what they stand for, objects without regard to order.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a.open(), b.open()) {
        (Value::Null, Value::Null) => true,
        (Value::List(a), Value::List(b)) => {
            a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(a, b)| equal(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.entries.len() == b.entries.len()
                && a.entries.iter().all(|(key, value)| b.entries.get(key).is_some_and(|other| equal(value, other)))
        }
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (Some(a), Some(b)) => equal(a, b),
            (None, None) => true,
            _ => false,
        },
        (Value::Other(a), Value::Other(b)) => a.equals(b.as_ref()),
        (a, b) => order(a, b) == Some(Ordering::Equal),
    }
}

/// Which of two values comes first, if they can be compared.
pub fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a.open(), b.open()) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Bytes(a), Value::Bytes(b)) => Some(a.cmp(b)),
        (Value::Other(a), Value::Other(b)) => a.as_comparer()?.compare(b.as_ref()).ok(),
        (Value::Double(a), Value::Double(b)) => a.partial_cmp(b),
        (Value::Double(a), b) => order_with_double(b, *a).map(Ordering::reverse),
        (a, Value::Double(b)) => order_with_double(a, *b),
        (Value::Beyond(a), Value::Beyond(b)) if a == b => Some(Ordering::Equal),
        (a, b) => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            // A number such as 1e400 is larger than every whole one that is likely to be written out.
            (Some(_), None) => order_with_double(a, huge(b)?),
            (None, Some(_)) => order_with_double(b, huge(a)?).map(Ordering::reverse),
            (None, None) => None,
        },
    }
}

fn huge(value: &Value) -> Option<f64> {
    match value {
        Value::Beyond(text) => text.parse().ok(),
        _ => None,
    }
}

/// A whole number of any size, in a form that orders as the number does.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Whole {
    Negative(std::cmp::Reverse<(usize, String)>),
    Positive((usize, String)),
}

fn whole(value: &Value) -> Option<Whole> {
    let text = match value {
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Beyond(text) if !text.contains(['.', 'e', 'E']) => text.to_string(),
        _ => return None,
    };
    Some(match text.strip_prefix('-') {
        Some(digits) => Whole::Negative(std::cmp::Reverse((digits.len(), digits.to_owned()))),
        None => Whole::Positive((text.len(), text)),
    })
}

fn order_with_double(value: &Value, double: f64) -> Option<Ordering> {
    match value {
        Value::Int(number) => order_whole_with_double((*number).into(), double),
        Value::Uint(number) => order_whole_with_double((*number).into(), double),
        Value::Beyond(text) => text.parse::<f64>().ok()?.partial_cmp(&double),
        _ => None,
    }
}

/// Compares without rounding the whole number, which a double cannot always hold.
fn order_whole_with_double(number: i128, double: f64) -> Option<Ordering> {
    if double.is_nan() {
        return None;
    }
    if double.abs() >= 1e20 {
        return Some(if double > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    #[expect(clippy::cast_possible_truncation, reason = "the number is within bounds, and its fraction is looked at")]
    let truncated = double.trunc() as i128;
    Some(number.cmp(&truncated).then_with(|| 0.0.partial_cmp(&double.fract()).unwrap_or(Ordering::Equal)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::json::Json;

    fn given(text: &str) -> Value {
        Value::given(Json::parse(text).expect("valid"))
    }

    #[test]
    fn numbers_are_compared_by_what_they_stand_for() {
        for (a, expected, b) in [
            ("1", Ordering::Equal, "1.0"),
            ("0.1000", Ordering::Equal, "0.1"),
            ("9007199254740993", Ordering::Greater, "9007199254740992.0"),
            ("-1", Ordering::Less, "-0.5"),
            ("1", Ordering::Less, "1.5"),
            ("123456789012345678901234567890", Ordering::Less, "123456789012345678901234567891"),
            ("-123456789012345678901234567890", Ordering::Less, "-99999999999999999999"),
            ("99999999999999999999", Ordering::Greater, "5"),
            ("99999999999999999999", Ordering::Less, "1e30"),
            ("18446744073709551615", Ordering::Equal, "18446744073709551615"),
        ] {
            assert_eq!(order(&given(a), &given(b)), Some(expected), "{a} {b}");
            assert_eq!(order(&given(b), &given(a)), Some(expected.reverse()), "{b} {a}");
        }
        assert_eq!(order(&given("1"), &given("\"1\"")), None);
        assert_eq!(order(&given("null"), &given("null")), None);
    }

    #[test]
    fn objects_are_equal_in_any_order() {
        assert!(equal(&given(r#"{"a":1,"b":[1.0,{}]}"#), &given(r#"{ "b":[1,{}], "a":1.00 }"#)));
        assert!(!equal(&given(r#"{"a":1}"#), &given(r#"{"a":1,"b":null}"#)));
        assert!(!equal(&given("[1,2]"), &given("[2,1]")));
        assert!(!equal(&given("null"), &given("false")));
    }
}
