//! JSON Schema (2020-12): what values must look like.
//!
//! Nothing is ever fetched: a `$ref` leads to another place in the same schema or is refused.

mod fit;
mod sample;
mod shape;
mod types;

use std::sync::Arc;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

pub use fit::{Misfit, MisfitKind, absence, fits, shapes_fit};
pub use sample::sample;
pub use shape::{Presence, Shape};
pub use types::Types;

/// How many violations are told at once.
const MOST_VIOLATIONS: usize = 20;
const LONGEST_SHOWN: usize = 200;
const LARGEST_PATTERN_BYTES: usize = 1 << 20;

/// A schema that is ready to check values. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Schema(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    source: Value,
    validator: Validator,
}

/// One thing that is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where in the value, as a JSON pointer; empty for the whole value.
    pub instance: String,
    /// Which part of the schema is broken, as a JSON pointer.
    pub schema: String,
    /// That part of the schema, shortened.
    pub expected: String,
    /// What came instead, shortened.
    pub found: String,
    /// What is wrong, in words.
    pub message: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.instance.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.instance, self.message)
        }
    }
}

/// Says what is wrong with a schema, if anything.
pub fn check(schema: &Value) -> Result<(), String> {
    Schema::compile(schema).map(drop)
}

impl Schema {
    /// Prepares a schema, or says in one line why it is none.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
            return Err(format!("a JSON Schema is an object or a boolean, not {}", shown(schema)));
        }
        let patterns = PatternOptions::regex().size_limit(LARGEST_PATTERN_BYTES).dfa_size_limit(LARGEST_PATTERN_BYTES);
        let validator = jsonschema::options().offline().with_pattern_options(patterns).build(schema);
        let validator = validator.map_err(|error| {
            let place = error.instance_path().to_string();
            let message = shortened(&error.masked_with("the value").to_string());
            match error.kind() {
                jsonschema::error::ValidationErrorKind::Referencing(reason) => {
                    format!("a reference leads nowhere, and nothing is fetched: {}", shortened(&reason.to_string()))
                }
                _ if place.is_empty() => message,
                _ => format!("at `{place}`: {message}"),
            }
        })?;
        Ok(Self(Arc::new(Compiled { source: schema.clone(), validator })))
    }

    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// Checks a value and tells the first things that are wrong with it.
    pub fn validate(&self, value: &Value) -> Result<(), Vec<Violation>> {
        if self.0.validator.is_valid(value) {
            return Ok(());
        }
        let errors = self.0.validator.iter_errors(value).take(MOST_VIOLATIONS);
        Err(errors.map(|error| self.violation(&error)).collect())
    }

    fn violation(&self, error: &jsonschema::ValidationError<'_>) -> Violation {
        let message = shortened(&error.masked_with("the value").to_string());
        let schema = error.schema_path().to_string();
        let keyword = schema.rsplit('/').next().unwrap_or_default();
        let expected = match self.0.source.pointer(&schema) {
            Some(rule) if schema.is_empty() => shown(rule),
            Some(rule) => shortened(&format!("{}: {rule}", Value::from(keyword))),
            None => message.clone(),
        };
        let instance = error.instance_path().to_string();
        Violation { instance, schema, expected, found: shown(error.instance()), message }
    }
}

fn shown(value: &Value) -> String {
    shortened(&value.to_string())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn violations_say_where_and_why() {
        let schema = Schema::compile(&json!({
            "type": "object", "required": ["id"],
            "properties": {"n": {"$ref": "#/$defs/small"}, "id": {"type": "string"}},
            "$defs": {"small": {"type": "integer", "maximum": 5}},
        }))
        .expect("a schema");
        assert_eq!(schema.validate(&json!({"id": "a", "n": 5})), Ok(()));
        let found = schema.validate(&json!({"n": "x".repeat(1000)})).expect_err("violations");
        assert_eq!(found.len(), 2, "{found:?}");
        let [missing, wrong] = found.as_slice() else { panic!("two") };
        assert_eq!((wrong.instance.as_str(), wrong.schema.as_str()), ("/n", "/$defs/small/type"));
        assert_eq!(wrong.expected, r#""type": "integer""#);
        assert!(wrong.found.chars().count() <= LONGEST_SHOWN + 1, "{}", wrong.found);
        assert_eq!(wrong.to_string(), r#"/n: the value is not of type "integer""#);
        assert_eq!(missing.to_string(), r#""id" is a required property"#);
    }

    #[test]
    fn there_is_a_bound_on_violations() {
        let schema = Schema::compile(&json!({"items": {"type": "string"}})).expect("a schema");
        let found = schema.validate(&Value::from((0..1000).collect::<Vec<_>>())).expect_err("violations");
        assert_eq!(found.len(), MOST_VIOLATIONS);
    }

    #[test]
    fn numbers_of_any_size_are_compared_exactly() {
        let schema = json!({"maximum": serde_json::from_str::<Value>("123456789012345678901234567890").expect("JSON")});
        let schema = Schema::compile(&schema).expect("a schema");
        let number = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert!(schema.validate(&number("123456789012345678901234567890")).is_ok());
        assert!(schema.validate(&number("123456789012345678901234567891")).is_err());
        let whole = Schema::compile(&json!({"type": "integer"})).expect("a schema");
        assert!(whole.validate(&number("123456789012345678901234567890")).is_ok());
        assert!(whole.validate(&number("1.0")).is_ok());
        assert!(whole.validate(&number("1.5")).is_err());
    }

    #[test]
    fn what_is_not_a_schema_is_refused() {
        for (schema, reason) in [
            (json!({"type": "strin"}), "/type"),
            (json!({"properties": []}), "/properties"),
            (json!("object"), "an object or a boolean"),
            (json!(null), "an object or a boolean"),
            (json!({"$ref": "https://example.com/schema.json"}), "nothing is fetched"),
            (json!({"$ref": "file:///etc/passwd"}), "nothing is fetched"),
            (json!({"$ref": "#/$defs/none"}), "nothing is fetched"),
            (json!({"properties": {"a": {"$ref": "other.json"}}}), "nothing is fetched"),
            (json!({"pattern": "("}), "/pattern"),
            (json!({"pattern": "(x{1000}){1000}"}), "/pattern"),
            (json!({"pattern": "(?=a)"}), "/pattern"),
        ] {
            let error = check(&schema).expect_err(&schema.to_string());
            assert!(error.contains(reason) && !error.contains('\n'), "{schema}: {error}");
        }
        assert_eq!(check(&json!(true)), Ok(()));
        assert_eq!(check(&json!({"$schema": "http://json-schema.org/draft-07/schema#"})), Ok(()));
    }

    #[test]
    fn circles_and_slow_patterns_do_no_harm() {
        let circle = Schema::compile(&json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}));
        if let Ok(circle) = circle {
            assert!(circle.validate(&json!(1)).is_ok());
        }
        let tree = Schema::compile(&json!({"items": {"$ref": "#"}, "type": "array"})).expect("a schema");
        let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
        assert!(tree.validate(&serde_json::from_str(&deep).expect("JSON")).is_ok());
        let slow = Schema::compile(&json!({"pattern": "^(a+)+$"})).expect("a schema");
        assert!(slow.validate(&Value::from("a".repeat(100_000) + "b")).is_err());
    }
}
