//! Which agents a document names, however broken it is.

use serde_json::Value;

use super::read::MOST_STEPS;

/// The names of the agents that a document's steps use, each once.
pub fn agents_in(document: &Value) -> Vec<&str> {
    let steps = document.get("steps").and_then(Value::as_array).into_iter().flatten().take(MOST_STEPS);
    let mut names: Vec<&str> = steps.filter_map(|step| step.get("agent")?.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn agents_are_found_in_any_document() {
        let document = json!({"steps": [{"agent": "B"}, 7, {"agent": 7}, {}, {"agent": "A"}, {"agent": "B"}]});
        assert_eq!(agents_in(&document), ["A", "B"]);
        assert_eq!(agents_in(&json!({"steps": {"agent": "A"}})), [""; 0]);
        assert_eq!(agents_in(&json!(7)), [""; 0]);
    }
}
