//! What differs between two values, field by field.

use std::time::{Duration, Instant};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::domain::document::Place;

/// How many differences are told: who changes more has to look at the whole.
const MOST: usize = 1_000;
/// What lists have in common is looked for so long: what is found by then may be told as taken out and put in again.
const PATIENCE: Duration = Duration::from_millis(200);
/// What names something in a list, wherever it stands there.
const NAMES: [&str; 2] = ["id", "key"];

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Where, as a JSON pointer. What was taken out of a list is told with the place that it had, everything else with the
    /// one it has now.
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
        (Some(Value::Array(old)), Some(Value::Array(new))) => compare_lists(place, old, new, found),
        _ => found.push(Change { path: place.to_string(), before: before.cloned(), after: after.cloned() }),
    }
}

/// What was taken out of a list or put into it is told alone: what comes behind it has only moved.
fn compare_lists(place: &Place, old: &[Value], new: &[Value], found: &mut Vec<Change>) {
    let identities = |list: &[Value]| list.iter().map(identity).collect::<Vec<_>>();
    let (was, is) = (identities(old), identities(new));
    for part in capture_diff_slices_deadline(Algorithm::Myers, &was, &is, Some(Instant::now() + PATIENCE)) {
        let (from, to) = (part.old_range(), part.new_range());
        // What has a name was replaced by what stands there now; what has none was changed into it.
        let replaced =
            matches!(part, DiffOp::Replace { .. }) && old[from.clone()].iter().any(|item| name(item).is_some());
        let pairs = if replaced { 0 } else { from.len().min(to.len()) };
        for offset in 0..pairs {
            let position = to.start + offset;
            compare(&place.child(position), old.get(from.start + offset), new.get(position), found);
        }
        for position in from.start + pairs..from.end {
            compare(&place.child(position), old.get(position), None, found);
        }
        for position in to.start + pairs..to.end {
            compare(&place.child(position), None, new.get(position), found);
        }
    }
}

/// What makes something in a list the same as something in another one: its name, or else all of it.
fn identity(item: &Value) -> String {
    name(item).map_or_else(|| item.to_string(), |name| format!("named {name}"))
}

fn name(item: &Value) -> Option<&Value> {
    NAMES.iter().filter_map(|name| item.get(name)).find(|name| name.is_string() || name.is_number())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(before: &Value, after: &Value) -> Vec<String> {
        let shown = |value: Option<Value>| value.map_or("nothing".to_owned(), |value| value.to_string());
        let line = |change: Change| format!("{}: {} -> {}", change.path, shown(change.before), shown(change.after));
        differences(before, after).into_iter().map(line).collect()
    }

    #[test]
    fn each_field_that_differs_is_told() {
        let before = json!({"a": 1, "b": {"c": [1, 2, 3]}, "same": {"x": 1}, "gone": null});
        let after = json!({"a": 2, "b": {"c": [1, 5]}, "same": {"x": 1}, "new": true});
        let expected =
            ["/a: 1 -> 2", "/b/c/1: 2 -> 5", "/b/c/2: 3 -> nothing", "/gone: null -> nothing", "/new: nothing -> true"];
        assert_eq!(told(&before, &after), expected);
        assert_eq!(differences(&json!(1), &json!(1)), []);
        assert_eq!(differences(&json!(1), &json!("1")).len(), 1);
    }

    #[test]
    fn what_only_moved_in_a_list_is_not_told() {
        assert_eq!(told(&json!(["a", "b", "c"]), &json!(["b", "c"])), ["/0: \"a\" -> nothing"]);
        assert_eq!(told(&json!(["b", "c"]), &json!(["b", "new", "c"])), ["/1: nothing -> \"new\""]);
        let people = json!([{"id": "ann", "n": 1}, {"id": "bob", "n": 2}, {"id": "cid", "n": 3}]);
        let fewer = json!([{"id": "ann", "n": 1}, {"id": "cid", "n": 4}]);
        let gone = r#"/1: {"id":"bob","n":2} -> nothing"#;
        assert_eq!(told(&people, &fewer), [gone, "/1/n: 3 -> 4"]);
    }

    #[test]
    fn what_has_a_name_is_replaced_and_what_has_none_is_changed() {
        let replaced = told(&json!([{"key": 1}]), &json!([{"key": "1"}]));
        assert_eq!(replaced, [r#"/0: {"key":1} -> nothing"#, r#"/0: nothing -> {"key":"1"}"#]);
        assert_eq!(told(&json!([{"n": 1, "m": 1}]), &json!([{"n": 2, "m": 1}])), ["/0/n: 1 -> 2"]);
    }

    #[test]
    fn long_lists_without_anything_in_common_take_no_longer() {
        let list = |from: usize| (from..from + 50_000).map(|id| json!({ "id": id })).collect::<Value>();
        let began = Instant::now();
        assert_eq!(differences(&list(0), &list(50_000)).len(), MOST);
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
