//! The formats of texts: which there are, a text of each, and typing errors in their names.
//!
//! JSON Schema leaves it to its user whether `format` is a rule or a remark. Here it is a rule, in every version of the
//! specification: who writes `format: email` relies on it. A name that means nothing is a remark, as the specification
//! has it.

use std::{collections::HashMap, sync::LazyLock};

use jsonschema::{ValidationOptions, Validator};
use serde_json::{Value, json};

/// Every format that is checked, with a text that has it.
const KNOWN: [(&str, &str); 19] = [
    ("date", "2000-01-01"),
    ("date-time", "2000-01-01T00:00:00Z"),
    ("duration", "P1D"),
    ("email", "somebody@example.com"),
    ("hostname", "example.com"),
    ("idn-email", "somebody@example.com"),
    ("idn-hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("iri", "https://example.com"),
    ("iri-reference", "https://example.com"),
    ("json-pointer", "/a"),
    ("regex", "a"),
    ("relative-json-pointer", "0"),
    ("time", "00:00:00Z"),
    ("uri", "https://example.com"),
    ("uri-reference", "https://example.com"),
    ("uri-template", "https://example.com/{id}"),
    ("uuid", "00000000-0000-4000-8000-000000000000"),
];

/// A check of each format as the newest specification has it.
static CHECKS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let check = |name: &'static str| {
        let options = jsonschema::options().offline().should_validate_formats(true);
        Some((name, options.build(&json!({ "format": name })).ok()?))
    };
    KNOWN.iter().filter_map(|(name, _)| check(name)).collect()
});

/// Makes a schema's formats rules.
pub fn asserted<'i>(options: ValidationOptions<'i>, schema: &Value) -> ValidationOptions<'i> {
    let options = options.should_validate_formats(true);
    // A schema of an older specification would not know the newer formats, and let everything through.
    if schema.get("$schema").is_none() {
        return options;
    }
    CHECKS.iter().fold(options, |options, (name, check)| {
        options.with_format(*name, move |text| check.is_valid(&Value::from(text)))
    })
}

/// A text in a format, if it is known.
pub fn example(format: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(name, _)| *name == format).map(|(_, text)| *text)
}

/// Says which format is probably a typing error, and of what. Others that are not known may be somebody's own.
pub fn typing_error(schema: &Value) -> Option<String> {
    let rules = schema.as_object()?;
    let own = rules.get("format").and_then(Value::as_str).filter(|name| example(name).is_none()).and_then(|name| {
        let near = nearest(name)?;
        let shown: String = name.chars().take(40).collect();
        Some(format!("`{shown}` is no format of JSON Schema, so nothing would be checked: did you mean `{near}`?"))
    });
    own.or_else(|| rules.iter().find_map(|(keyword, value)| within(keyword, value)))
}

/// What is wrong in the schemas of a keyword. Only where schemas stand: a constant may have a member `format`.
fn within(keyword: &str, value: &Value) -> Option<String> {
    match (keyword, value) {
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
            Value::Object(schemas),
        ) => schemas.values().find_map(typing_error),
        ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(schemas)) => {
            schemas.iter().find_map(typing_error)
        }
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "propertyNames"
            | "contains"
            | "not"
            | "if"
            | "then"
            | "else"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema",
            schema,
        ) => typing_error(schema),
        _ => None,
    }
}

fn nearest(name: &str) -> Option<&'static str> {
    let written = name.to_lowercase();
    let near = KNOWN.iter().map(|(known, _)| (strsim::damerau_levenshtein(&written, known), *known)).min()?;
    let allowed = (name.chars().count() / 3).clamp(1, 2);
    (near.0 <= allowed).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::domain::schema::Schema;

    #[test]
    fn every_example_has_its_format_and_every_format_is_checked() {
        for (name, text) in KNOWN {
            for schema in [
                json!({"format": name}),
                json!({"format": name, "$schema": "http://json-schema.org/draft-07/schema#"}),
                json!({"format": name, "$schema": "http://json-schema.org/draft-04/schema#"}),
            ] {
                let schema = Schema::compile(&schema).expect("a schema");
                assert_eq!(schema.validate(&json!(text)), Ok(()), "{name}");
                let nonsense = schema.validate(&json!("\u{0} ( %zz"));
                assert!(nonsense.is_err(), "{name}: {}", schema.source());
                assert_eq!(schema.validate(&json!(1)), Ok(()), "only texts have a format");
            }
        }
    }

    #[rstest]
    #[case(json!({"format": "emial"}), Some("email"))]
    #[case(json!({"format": "Email"}), Some("email"))]
    #[case(json!({"format": "datetime"}), Some("date-time"))]
    #[case(json!({"format": "url"}), Some("uri"))]
    #[case(json!({"properties": {"a": {"items": {"format": "uiid"}}}}), Some("uuid"))]
    #[case(json!({"anyOf": [true, {"not": {"format": "ipv7"}}]}), Some("ipv4"))]
    #[case(json!({"format": "email"}), None)]
    #[case(json!({"format": "money"}), None)]
    #[case(json!({"format": "textarea"}), None)]
    #[case(json!({"properties": {"format": {"type": "string"}}}), None)]
    #[case(json!({"const": {"format": "emial"}, "default": {"format": "emial"}, "enum": [{"format": "emial"}]}), None)]
    fn typing_errors_are_told(#[case] schema: Value, #[case] meant: Option<&str>) {
        let found = typing_error(&schema);
        match meant {
            Some(meant) => {
                assert!(
                    found.as_ref().is_some_and(|text| text.contains(&format!("did you mean `{meant}`"))),
                    "{found:?}"
                );
            }
            None => assert_eq!(found, None),
        }
    }
}
