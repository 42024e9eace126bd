//! How a value is compared with the one that a rule names.

use std::cmp::Ordering;

use serde_json::{Value, value::RawValue};

use super::number;
use crate::domain::pattern::Pattern;

/// The words and signs of a comparison. The texts are part of the document and the journal: never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Greater,
    AtLeast,
    Less,
    AtMost,
    Equal,
    NotEqual,
    In,
    Contains,
    Matches,
}

impl Operator {
    pub const ALL: [Operator; 9] = [
        Operator::Greater,
        Operator::AtLeast,
        Operator::Less,
        Operator::AtMost,
        Operator::Equal,
        Operator::NotEqual,
        Operator::In,
        Operator::Contains,
        Operator::Matches,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::In => "in",
            Operator::Contains => "contains",
            Operator::Matches => "matches",
        }
    }

    /// Whether a number that is so to another one fulfils it. Nothing for operators that are not about order.
    fn accepts(self, order: Ordering) -> bool {
        match self {
            Operator::Greater => order.is_gt(),
            Operator::AtLeast => order.is_ge(),
            Operator::Less => order.is_lt(),
            Operator::AtMost => order.is_le(),
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::In | Operator::Contains | Operator::Matches => false,
        }
    }
}

/// A comparison that was read once and can be made often.
#[derive(Debug, Clone)]
pub enum Comparison {
    /// With a number, by order.
    Order(Operator, serde_json::Number),
    Equal(Value),
    NotEqual(Value),
    In(Vec<Value>),
    Contains(Value),
    Matches(Pattern),
}

impl Comparison {
    pub fn operator(&self) -> Operator {
        match self {
            Comparison::Order(operator, _) => *operator,
            Comparison::Equal(_) => Operator::Equal,
            Comparison::NotEqual(_) => Operator::NotEqual,
            Comparison::In(_) => Operator::In,
            Comparison::Contains(_) => Operator::Contains,
            Comparison::Matches(_) => Operator::Matches,
        }
    }

    /// Whether it holds for a value; or why that cannot be said.
    pub fn holds(&self, actual: &RawValue) -> Result<bool, &'static str> {
        match self {
            Comparison::Order(operator, threshold) => {
                if !is_number(actual) {
                    return Err("only a number can be compared with a number");
                }
                let order = number::order(actual.get(), threshold.as_str());
                Ok(operator.accepts(order.ok_or("the number is too large to be compared")?))
            }
            Comparison::Equal(wanted) => Ok(equal(&value(actual), wanted)),
            Comparison::NotEqual(unwanted) => Ok(!equal(&value(actual), unwanted)),
            Comparison::In(list) => {
                let actual = value(actual);
                Ok(list.iter().any(|item| equal(&actual, item)))
            }
            Comparison::Contains(wanted) => contains(&value(actual), wanted),
            Comparison::Matches(pattern) => match value(actual) {
                Value::String(text) => {
                    pattern.is_match(&text).map_err(|_| "the pattern takes too much work for this text")
                }
                _ => Err("only a text can match a pattern"),
            },
        }
    }
}

fn is_number(raw: &RawValue) -> bool {
    raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or(Value::Null)
}

fn contains(whole: &Value, part: &Value) -> Result<bool, &'static str> {
    match (whole, part) {
        (Value::String(whole), Value::String(part)) => Ok(whole.contains(part.as_str())),
        (Value::String(_), _) => Err("a text can contain only a text"),
        (Value::Array(items), part) => Ok(items.iter().any(|item| equal(item, part))),
        (Value::Object(fields), Value::String(key)) => Ok(fields.contains_key(key)),
        (Value::Object(_), _) => Err("the key of an object is a text"),
        _ => Err("only a text, a list or an object can contain something"),
    }
}

/// Whether two values are the same: numbers by what they stand for, objects in any order.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a.as_str() == b.as_str() || number::order(a.as_str(), b.as_str()) == Some(Ordering::Equal)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        serde_json::from_str(text).expect("JSON")
    }

    fn comparison(operator: Operator, text: &str) -> Comparison {
        let expected: Value = serde_json::from_str(text).expect("JSON");
        match (operator, expected) {
            (Operator::Equal, expected) => Comparison::Equal(expected),
            (Operator::NotEqual, expected) => Comparison::NotEqual(expected),
            (Operator::In, Value::Array(items)) => Comparison::In(items),
            (Operator::Contains, expected) => Comparison::Contains(expected),
            (Operator::Matches, Value::String(pattern)) => {
                Comparison::Matches(Pattern::compile(&pattern).expect("valid"))
            }
            (operator, Value::Number(number)) => Comparison::Order(operator, number),
            (operator, expected) => panic!("{operator:?} {expected}"),
        }
    }

    #[test]
    fn every_operator_holds_where_it_should() {
        use Operator::*;
        for (actual, operator, expected, holds) in [
            ("1000.01", Greater, "1000", true),
            ("1000.00", Greater, "1000", false),
            ("1000.00", AtLeast, "1000", true),
            ("999", AtLeast, "1000", false),
            ("-1", Less, "0", true),
            ("0", Less, "0", false),
            ("0.0", AtMost, "0", true),
            ("123456789012345678902", AtMost, "123456789012345678901", false),
            ("0.1", Equal, "0.10", true),
            ("123456789012345678901", Equal, "123456789012345678902", false),
            ("\"1\"", Equal, "1", false),
            ("null", Equal, "null", true),
            ("null", Equal, "false", false),
            (r#"{"a":[1,{"b":2.0}],"c":"é"}"#, Equal, r#"{"c":"\u00e9","a":[1.0,{"b":2}]}"#, true),
            (r#"{"a":1}"#, Equal, r#"{"a":1,"b":null}"#, false),
            ("[1,2]", Equal, "[2,1]", false),
            ("\"gold\"", NotEqual, "\"silver\"", true),
            ("1.0", NotEqual, "1", false),
            ("\"x\"", NotEqual, "1", true),
            ("\"b\"", In, r#"["a","b"]"#, true),
            ("1", In, r#"["1",2,1.0]"#, true),
            ("\"B\"", In, r#"["a","b"]"#, false),
            ("null", In, "[null]", true),
            ("\"a rare word\"", Contains, "\"rare\"", true),
            ("\"a rare word\"", Contains, "\"Rare\"", false),
            ("[1,[2.0]]", Contains, "[2]", true),
            ("[1,2]", Contains, "3", false),
            (r#"{"a":null}"#, Contains, "\"a\"", true),
            (r#"{"a":"b"}"#, Contains, "\"b\"", false),
            ("\"ACME-42 Ltd\"", Matches, r#""[A-Z]+-\\d+""#, true),
            ("\"acme\"", Matches, r#""^[A-Z]""#, false),
        ] {
            let comparison = comparison(operator, expected);
            assert_eq!(comparison.operator(), operator);
            assert_eq!(comparison.holds(&raw(actual)), Ok(holds), "{actual} {} {expected}", operator.as_str());
        }
    }

    #[test]
    fn what_cannot_be_compared_is_said_so() {
        use Operator::*;
        for (actual, operator, expected) in [
            ("\"1500\"", Greater, "1000"),
            ("null", AtMost, "1000"),
            ("[1500]", Less, "1000"),
            ("true", AtLeast, "0"),
            ("1e99999999999999999999", Greater, "1000"),
            ("\"a\"", Contains, "1"),
            ("{}", Contains, "1"),
            ("7", Contains, "7"),
            ("null", Contains, "null"),
            ("7", Matches, "\"7\""),
            ("[\"a\"]", Matches, "\"a\""),
        ] {
            assert!(comparison(operator, expected).holds(&raw(actual)).is_err(), "{actual} {operator:?} {expected}");
        }
    }
}
