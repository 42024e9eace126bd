//! The names of values within parameters, input and context.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::facts::Source;
use crate::domain::json::{find, pointer_segments};

const LONGEST: usize = 500;

/// A path such as `customer.tier` or `lines.0.sum`; or a JSON pointer, for keys with dots in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    written: Arc<str>,
    segments: Vec<String>,
}

impl Field {
    /// Takes a path, or says what would be one.
    pub fn read(text: &str) -> Result<Self, String> {
        let length = text.chars().count();
        if length > LONGEST {
            return Err(format!("the path has {length} characters: at most {LONGEST} are allowed"));
        }
        let segments = pointer_segments(text).unwrap_or_else(|| text.split('.').map(str::to_owned).collect());
        if !text.starts_with('/') && segments.iter().any(|segment| segment.trim().is_empty()) {
            return Err(format!(
                "`{text}` is not a path: write names with dots in between, as in `customer.tier`, or a JSON pointer"
            ));
        }
        Ok(Self { written: text.into(), segments })
    }

    /// As it was written.
    pub fn written(&self) -> &Arc<str> {
        &self.written
    }

    /// The value that a source has there.
    pub fn find<'a>(&self, source: &Source<'a>) -> Option<&'a RawValue> {
        let (first, rest) = self.segments.split_first()?;
        let start = match source.fields() {
            Some(fields) => fields.get(first).copied()?,
            None => find(source.raw(), [first.as_str()])?,
        };
        find(start, rest.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::json::Json;

    #[test]
    fn values_are_found_by_path_and_pointer() {
        let json = r#"{"amount":1.50,"lines":[{"sum":7}],"a.b":{"":1,"c/d":2},"n":null}"#;
        let json = Json::parse(json).expect("valid");
        let found = |path: &str| {
            let source = Source::new(&json);
            Field::read(path).expect(path).find(&source).map(|raw| raw.get().to_owned())
        };
        for (path, expected) in [
            ("amount", Some("1.50")),
            ("lines.0.sum", Some("7")),
            ("/lines/0/sum", Some("7")),
            ("/a.b/c~1d", Some("2")),
            ("/a.b/", Some("1")),
            ("n", Some("null")),
            ("n.x", None),
            ("a.b", None),
            ("amount.x", None),
            ("lines.1.sum", None),
            ("lines.00.sum", None),
            ("lines.sum", None),
            ("Amount", None),
        ] {
            assert_eq!(found(path).as_deref(), expected, "{path}");
        }
        let list = Json::parse("[[1],2]").expect("valid");
        assert_eq!(Field::read("0.0").expect("a path").find(&Source::new(&list)).map(RawValue::get), Some("1"));
    }

    #[test]
    fn paths_have_names() {
        for text in ["", "a..b", ".a", "a.", " "] {
            assert!(Field::read(text).is_err(), "{text}");
        }
        assert!(Field::read(&"a".repeat(501)).is_err());
    }
}
