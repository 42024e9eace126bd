//! What differs between two values, field by field.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::domain::document::Place;

/// How many differences are told: who changes more has to look at the whole.
const MOST: usize = 1_000;

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Where, as a JSON pointer.
    pub path: String,
    /// Nothing if it was not there.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub before: Option<Value>,
    /// Nothing if it is not there any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub after: Option<Value>,
}

/// A value that is there, also where it is null.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The differences in short, for whoever wants to learn from them: not too many, and none that are long.
pub fn in_short(changes: Vec<Change>) -> Vec<Change> {
    const MOST: usize = 50;
    const LONGEST: usize = 500;
    let is_short = |value: &Option<Value>| value.as_ref().is_none_or(|value| value.to_string().len() <= LONGEST);
    changes.into_iter().filter(|change| is_short(&change.before) && is_short(&change.after)).take(MOST).collect()
}

/// All fields that differ. Numbers are compared by how they are written: an integer that becomes a decimal is a change
/// that somebody should see.
pub fn differences(before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare(&Place::default(), Some(before), Some(after), &mut found);
    found
}

fn compare(place: &Place, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<Change>) {
    if found.len() >= MOST || before == after {
        return;
    }
    match (before, after) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                compare(&place.child(name), old.get(name), new.get(name), found);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for position in 0..old.len().max(new.len()) {
                compare(&place.child(position), old.get(position), new.get(position), found);
            }
        }
        _ => found.push(Change { path: place.to_string(), before: before.cloned(), after: after.cloned() }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_that_differs_is_told() {
        let before = json!({"a": 1, "b": {"c": [1, 2, 3]}, "same": {"x": 1}, "gone": null});
        let after = json!({"a": 2, "b": {"c": [1, 5]}, "same": {"x": 1}, "new": true});
        let found: Vec<String> = differences(&before, &after)
            .into_iter()
            .map(|change| format!("{} {:?} {:?}", change.path, change.before, change.after))
            .collect();
        let expected = [
            "/a Some(Number(1)) Some(Number(2))",
            "/b/c/1 Some(Number(2)) Some(Number(5))",
            "/b/c/2 Some(Number(3)) None",
            "/gone Some(Null) None",
            "/new None Some(Bool(true))",
        ];
        assert_eq!(found, expected);
        assert_eq!(differences(&json!(1), &json!(1)), []);
        assert_eq!(differences(&json!(1), &json!("1")).len(), 1);
    }
}
