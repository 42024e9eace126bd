//! JSON Schema (2020-12): what values must look like.
//!
//! Nothing is ever fetched: a `$ref` leads to another place in the same schema or is refused.

mod fit;
mod format;
mod meter;
mod sample;
mod shape;
mod types;

use std::sync::Arc;

use jsonschema::{PatternOptions, Validator, error::ValidationErrorKind};
use serde_json::Value;

use super::pattern::Pattern;
pub use fit::{Misfit, MisfitKind, absence, fits, shapes_fit};
pub use sample::sample;
pub use shape::{Presence, Shape};
pub use types::Types;

/// How many violations are told at once.
const MOST_VIOLATIONS: usize = 20;
const LONGEST_SHOWN: usize = 200;
const LARGEST_PATTERN_BYTES: usize = 1 << 20;

/// How much one check may do: about a second. A large value in an ordinary schema takes a tenth of it.
const MOST_WORK: u64 = 20_000_000;
/// How much of it may go into matching the names of fields, which cannot be broken off.
const MOST_WORK_ON_NAMES: u64 = 2_000_000;
/// How much may be done to say what is wrong. Each part of that is kept in memory.
const MOST_WORK_ON_WORDS: u64 = 300_000;

/// A schema that is ready to check values. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Schema(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    source: Value,
    validator: Validator,
    names: Vec<Pattern>,
}

/// One thing that is wrong with a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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
    /// Whether this only says that it takes too much work to tell.
    pub untold: bool,
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

/// Says what is wrong with a schema that somebody wants to save, if anything.
pub fn check(schema: &Value) -> Result<(), String> {
    Schema::compile(schema)?;
    match format::typing_error(schema) {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

impl Schema {
    /// Prepares a schema, or says in one line why it is none.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
            return Err(format!("a JSON Schema is an object or a boolean, not {}", shown(schema)));
        }
        if meter::has_too_many_names(schema) {
            return Err("the schema has too many parts with an `$id`".to_owned());
        }
        let patterns = PatternOptions::regex().size_limit(LARGEST_PATTERN_BYTES).dfa_size_limit(LARGEST_PATTERN_BYTES);
        let options = format::asserted(jsonschema::options(), schema).offline().with_pattern_options(patterns);
        let validator = meter::metered(options).build(&meter::with_meters(schema));
        let validator = validator.map_err(|error| {
            let place = error.instance_path().to_string();
            let message = shortened(&error.masked_with("the value").to_string());
            match error.kind() {
                ValidationErrorKind::Referencing(reason) => {
                    format!("a reference leads nowhere, and nothing is fetched: {}", shortened(&reason.to_string()))
                }
                _ if place.is_empty() => message,
                _ => format!("at `{place}`: {message}"),
            }
        })?;
        let names = meter::patterns_of_names(schema)?;
        Ok(Self(Arc::new(Compiled { source: schema.clone(), validator, names })))
    }

    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// Checks a value and tells the first things that are wrong with it.
    pub fn validate(&self, value: &Value) -> Result<(), Vec<Violation>> {
        self.validate_within(MOST_WORK, value).unwrap_or_else(|TooMuchWork| Err(vec![unchecked(value)]))
    }

    /// The same with a bound of its own. An error says that it is not known whether the value is right.
    pub fn validate_within(&self, work: u64, value: &Value) -> Result<Result<(), Vec<Violation>>, TooMuchWork> {
        let compiled = &*self.0;
        if !compiled.names.is_empty() {
            let names = || meter::pay_for_names(&compiled.names, value);
            meter::within(work.min(MOST_WORK_ON_NAMES), names).ok_or(TooMuchWork)?;
        }
        let is_valid = meter::within(work, || {
            meter::pay(1);
            compiled.validator.is_valid(value)
        });
        if is_valid.ok_or(TooMuchWork)? {
            return Ok(Ok(()));
        }
        let errors = meter::within(work.min(MOST_WORK_ON_WORDS), || {
            let errors = compiled.validator.iter_errors(value).take(MOST_VIOLATIONS);
            errors.map(|error| self.violation(&error)).collect()
        });
        Ok(Err(errors.unwrap_or_else(|| vec![unexplained(value)])))
    }

    fn violation(&self, error: &jsonschema::ValidationError<'_>) -> Violation {
        let message = match error.kind() {
            ValidationErrorKind::Format { format } => {
                format!("the value is not in the format {}", Value::from(&**format))
            }
            _ => shortened(&error.masked_with("the value").to_string()),
        };
        let schema = error.schema_path().to_string();
        let keyword = schema.rsplit('/').next().unwrap_or_default();
        let expected = match self.0.source.pointer(&schema) {
            Some(rule) if schema.is_empty() => shown(rule),
            Some(rule) => shortened(&format!("{}: {rule}", Value::from(keyword))),
            None => message.clone(),
        };
        let instance = error.instance_path().to_string();
        Violation { instance, schema, expected, found: shown(error.instance()), message, untold: false }
    }
}

/// A check was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMuchWork;

/// What could not be checked is not taken for right.
fn unchecked(value: &Value) -> Violation {
    let message = "checking the value takes too much work: make the value smaller or the schema simpler, \
        with fewer alternatives within alternatives and simpler patterns";
    about_all(value, message)
}

fn unexplained(value: &Value) -> Violation {
    about_all(value, "the value does not fit, and it takes too much work to say where: there are too many alternatives")
}

fn about_all(value: &Value, message: &str) -> Violation {
    let (message, expected) = (message.to_owned(), message.to_owned());
    Violation { message, expected, found: shown(value), untold: true, ..Violation::default() }
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
    fn formats_are_rules() {
        let schema = json!({"properties": {"to": {"type": "string", "format": "email"}, "note": {"format": "money"}}});
        let schema = Schema::compile(&schema).expect("a schema");
        assert_eq!(schema.validate(&json!({"to": "ada@example.com", "note": "whatever"})), Ok(()));
        let found = schema.validate(&json!({"to": "nobody"})).expect_err("violations");
        assert_eq!(found[0].to_string(), r#"/to: the value is not in the format "email""#);
        assert_eq!((found[0].expected.as_str(), found[0].found.as_str()), (r#""format": "email""#, r#""nobody""#));
        assert!(check(&json!({"format": "emial"})).expect_err("a typing error").contains("`email`"));
        assert!(Schema::compile(&json!({"format": "emial"})).is_ok(), "what was saved before still works");
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
