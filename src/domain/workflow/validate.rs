//! Everything that can be wrong with a workflow before it runs, found at once.

use std::collections::HashMap;

use serde_json::Value;

use super::{Definition, Graph, read};
use crate::domain::document::{Problem, Problems};

/// What a check needs to know of an agent.
#[derive(Debug, Clone, Default)]
pub struct AgentShape {
    pub input_schema: Option<Value>,
    pub output_schema: Option<Value>,
    /// Whether it must not be used any more.
    pub archived: bool,
}

/// The agents of the library by name.
pub type Library = HashMap<String, AgentShape>;

/// Checks a document against the library. There is a definition as far as the document could be read, and the
/// document can be saved if there are no problems.
pub fn validate(document: &Value, _library: &Library) -> (Option<Definition>, Vec<Problem>) {
    let mut problems = Problems::default();
    let definition = read(document, &mut problems);
    if let Some(definition) = &definition {
        Graph::of(&definition.steps, &mut problems);
    }
    (definition, problems.into_vec())
}
