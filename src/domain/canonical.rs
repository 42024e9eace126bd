//! JSON in one form only, so that equal values have equal digests: RFC 8785.
//!
//! Numbers keep all their digits, where the RFC rounds them to what a double can hold: two different amounts must never
//! have the same digest.

use serde_json::Value;

/// The text of a value in the canonical form.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => text.push_str(&canonical_number(&number.to_string())),
        // serde_json escapes exactly what the RFC escapes, in the same way.
        Value::String(_) => text.push_str(&value.to_string()),
        Value::Array(items) => {
            text.push('[');
            for (position, item) in items.iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut sorted: Vec<(&String, &Value)> = fields.iter().collect();
            sorted.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            text.push('{');
            for (position, (name, field)) in sorted.into_iter().enumerate() {
                if position > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(field, text);
            }
            text.push('}');
        }
    }
}

/// A number's sign, its digits without zeros at either end, and where the point is: before the first digit, moved by
/// this many places to the right. Nothing for an exponent that is no number of places.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let trimmed = digits.trim_matches('0');
    let point = i64::try_from(whole.len()).ok()?.checked_sub(i64::try_from(leading).ok()?)?.checked_add(exponent)?;
    Some((negative && !trimmed.is_empty(), trimmed.to_owned(), if trimmed.is_empty() { 0 } else { point }))
}

fn canonical_number(text: &str) -> String {
    match decimal(text) {
        Some((_, digits, _)) if digits.is_empty() => "0".to_owned(),
        Some((negative, digits, point)) => layout(negative, &digits, point),
        None => text.to_owned(),
    }
}

/// As ECMAScript writes numbers.
fn layout(negative: bool, digits: &str, point: i64) -> String {
    let sign = if negative { "-" } else { "" };
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    match point {
        _ if (length..=21).contains(&point) => format!("{sign}{digits}{}", zeros(point - length)),
        1..=21 => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
            format!("{sign}{whole}.{fraction}")
        }
        -5..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
            let exponent = point - 1;
            let plus = if exponent > 0 { "+" } else { "" };
            format!("{sign}{first}{rest}e{plus}{exponent}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        canonical(&serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn the_examples_of_the_rfc() {
        let text = r#"{"numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"#;
        let expected = "{\"literals\":[null,true,false],\
            \"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],\
            \"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(of(text), expected);
        let sorted = "{\"€\":1,\"\\r\":2,\"\u{fb33}\":3,\"1\":4,\"😀\":5,\"\\u0080\":6,\"ö\":7}";
        assert_eq!(of(sorted), "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}");
    }

    #[test]
    fn equal_numbers_are_written_the_same_and_others_are_not() {
        for (text, expected) in [
            ("0", "0"),
            ("-0.00", "0"),
            ("0e99", "0"),
            ("100", "100"),
            ("1E2", "100"),
            ("100.000", "100"),
            ("0.10", "0.1"),
            ("-1.50e-3", "-0.0015"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("1e20", "100000000000000000000"),
            ("1e21", "1e+21"),
            ("123456789012345678901234567890", "1.2345678901234567890123456789e+29"),
            ("123456789012345678902", "123456789012345678902"),
            ("9007199254740993", "9007199254740993"),
            ("1e99999999999999999999", "1e+99999999999999999999"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }
}
