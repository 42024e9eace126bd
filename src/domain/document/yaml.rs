//! Documents as texts: YAML 1.2 or JSON.
//!
//! Values come out as JSON would hold them: numbers with all their digits, keys in their order. What JSON cannot hold,
//! or what people get wrong without noticing, is refused.

mod builder;
mod scalar;
#[cfg(test)]
mod tests;

use saphyr_parser::Parser;
use serde_json::Value;

use crate::domain::json::Json;
use builder::Builder;

/// Why a text cannot be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    pub message: String,
}

/// Reads a text that is YAML or JSON.
pub fn read(text: &str) -> Result<Value, SyntaxError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !may_be_json(text) {
        return read_yaml(text);
    }
    // JSON is almost YAML, but not quite: tabs and pairs of `\u` escapes are read by its own rules.
    match Json::parse(text) {
        Ok(json) => Ok(json.to_value()),
        Err(error) => read_yaml(text).map_err(|yaml| {
            let looks_like_json =
                text.trim_start().trim_start_matches(['{', '[', ' ', '\t', '\r', '\n']).starts_with('"');
            if looks_like_json { json_error(&error.to_string()).unwrap_or(yaml) } else { yaml }
        }),
    }
}

/// Whether a text begins as an object or a list does in JSON.
pub fn may_be_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

fn read_yaml(text: &str) -> Result<Value, SyntaxError> {
    let mut builder = Builder::default();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let marker = error.marker();
            SyntaxError { line: marker.line(), column: marker.col() + 1, message: error.info().to_owned() }
        })?;
        builder.add(event).map_err(|message| SyntaxError {
            line: span.start.line(),
            column: span.start.col() + 1,
            message,
        })?;
    }
    builder.finish().ok_or(SyntaxError { line: 1, column: 1, message: "the document is empty".to_owned() })
}

/// Takes the place out of a message that ends like `… at line 3 column 14`.
fn json_error(message: &str) -> Option<SyntaxError> {
    let (message, place) = message.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    Some(SyntaxError { line: line.parse().ok()?, column: column.parse().ok()?, message: message.to_owned() })
}
