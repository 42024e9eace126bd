//! What the steps of an execution have been given and have made so far.

use serde_json::{Map, Value};

use crate::domain::json::Json;

/// The values that a step's condition and input are made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The execution's input, the workflow's defaults included.
    pub input: Json,
    /// What each step has made, by its position; nothing from those that have not run, failed or were skipped.
    pub outputs: Vec<Option<Json>>,
}

impl Values {
    /// How many bytes they have together.
    pub fn size(&self) -> usize {
        self.outputs.iter().flatten().fold(self.input.size(), |sum, output| sum.saturating_add(output.size()))
    }

    /// The values before the first step.
    pub fn new(input: Json, steps: usize) -> Self {
        Self { input, outputs: vec![None; steps] }
    }

    pub fn output(&self, step: usize) -> Option<&Json> {
        self.outputs.get(step).and_then(Option::as_ref)
    }
}

/// An execution's input with the workflow's defaults for the fields that it does not have. An input that is not an
/// object has no fields, and stays as it is; one that is null has none either, and becomes the defaults.
pub fn with_defaults(defaults: &Map<String, Value>, input: &Json) -> Json {
    if defaults.is_empty() || !(input.is_object() || input.text() == "null") {
        return input.clone();
    }
    let given = input.fields().unwrap_or_default();
    let absent: Map<String, Value> = defaults
        .iter()
        .filter(|(name, _)| !given.contains_key(name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    match Json::from_value(&Value::Object(absent)) {
        Ok(absent) => Json::merged([input, &absent]),
        Err(_) => input.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn defaults_fill_what_is_absent() {
        let Value::Object(defaults) = json!({"a": 1, "b": {"x": 1.50}}) else { panic!("an object") };
        let filled = |text: &str| with_defaults(&defaults, &Json::parse(text).expect("valid")).text().to_owned();
        assert_eq!(filled(r#"{"z":1.0,"a":null}"#), r#"{"z":1.0,"a":null,"b":{"x":1.5}}"#);
        assert_eq!(filled("null"), r#"{"a":1,"b":{"x":1.5}}"#);
        assert_eq!(filled("[1]"), "[1]");
        assert_eq!(with_defaults(&Map::new(), &Json::null()), Json::null());
    }
}
