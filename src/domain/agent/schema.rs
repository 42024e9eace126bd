//! What an agent may say about its input and output.

use serde_json::Value;

/// Whether a value can be a JSON Schema, or why not.
pub fn check_schema(schema: &Value) -> Result<(), String> {
    match schema {
        Value::Object(_) | Value::Bool(_) => Ok(()),
        _ => Err("a JSON Schema is an object, `true` or `false`".to_owned()),
    }
}
