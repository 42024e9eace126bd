//! What a single word of YAML means: the core schema of YAML 1.2, in which `no` and `on` are texts.

use std::sync::LazyLock;

use regex::Regex;
use saphyr_parser::{ScalarStyle, Tag};
use serde_json::{Number, Value};

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and a test uses them")]
static DECIMAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?<sign>[-+]?)(?<whole>[0-9]*)(?<point>\.)?(?<fraction>[0-9]*)(?<exponent>[eE][-+]?[0-9]+)?$")
        .unwrap()
});

/// The value of a scalar, by how it is written and tagged.
pub fn read(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Value, String> {
    match tag {
        None if style == ScalarStyle::Plain => plain(text),
        None => Ok(Value::from(text)),
        // A lone `!` says that it is no more than a text.
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(Value::from(text)),
        Some(tag) if !tag.is_yaml_core_schema() => Err(unknown_tag(tag)),
        Some(tag) => {
            let value = if tag.suffix == "str" { Value::from(text) } else { plain(text)? };
            let right = match tag.suffix.as_str() {
                "str" => true,
                "null" => value.is_null(),
                "bool" => value.is_boolean(),
                "int" => matches!(&value, Value::Number(number) if !number.as_str().contains(['.', 'e', 'E'])),
                "float" => value.is_number(),
                _ => return Err(unknown_tag(tag)),
            };
            if right { Ok(value) } else { Err(format!("`{text}` is not what its tag `!!{}` says", tag.suffix)) }
        }
    }
}

pub fn unknown_tag(tag: &Tag) -> String {
    format!("the tag `{}{}` is not known: leave it out", tag.handle, tag.suffix)
}

fn plain(text: &str) -> Result<Value, String> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Ok(Value::Bool(false)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf" | "-.INF" | ".nan" | ".NaN"
        | ".NAN" => return Err(format!("JSON cannot hold the number `{text}`: write it in quotes if it is a text")),
        _ => {}
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && digits.chars().all(|digit| digit.is_digit(radix))
        {
            let number = u64::from_str_radix(digits, radix).map_err(|_| format!("`{text}` is beyond 64 bits"))?;
            return Ok(Value::from(number));
        }
    }
    Ok(decimal(text).map_or_else(|| Value::from(text), Value::Number))
}

/// A number with exactly the digits that were written, in the form that JSON wants.
fn decimal(text: &str) -> Option<Number> {
    let parts = DECIMAL.captures(text)?;
    let part = |name: &str| parts.name(name).map_or("", |found| found.as_str());
    let (whole, fraction) = (part("whole"), part("fraction"));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let sign = if part("sign") == "-" { "-" } else { "" };
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let point = match (part("point"), fraction) {
        ("", _) => String::new(),
        (_, "") => ".0".to_owned(),
        (_, fraction) => format!(".{fraction}"),
    };
    serde_json::from_str(&format!("{sign}{whole}{point}{}", part("exponent"))).ok()
}
