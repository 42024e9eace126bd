//! What is different between two documents of a workflow.

use serde_json::{Map, Value};

use crate::domain::document::Place;

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Where, as a JSON pointer in which a step is named by its key: `/steps/fetch/when`.
    pub path: String,
    pub kind: ChangeKind,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Removed,
    Changed,
}

/// Everything that is different in the second document. Steps are the same if they have the same key, wherever they
/// stand; another order of them is one change. The order of an object's fields means nothing.
pub fn compare(before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            compare_fields(before, after, &Place::default(), &mut changes, true);
        }
        (before, after) => compare_values(before, after, &Place::default(), &mut changes),
    }
    changes
}

fn compare_fields(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    place: &Place,
    changes: &mut Vec<Change>,
    of_workflow: bool,
) {
    for (name, value) in before {
        let place = place.child(name);
        match after.get(name) {
            Some(other) if of_workflow && name == "steps" => compare_steps(value, other, &place, changes),
            Some(other) => compare_values(value, other, &place, changes),
            None => changes.push(change(&place, Some(value), None)),
        }
    }
    for (name, value) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        changes.push(change(&place.child(name), None, Some(value)));
    }
}

fn compare_values(before: &Value, after: &Value, place: &Place, changes: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => compare_fields(before, after, place, changes, false),
        (before, after) if before == after => {}
        (before, after) => changes.push(change(place, Some(before), Some(after))),
    }
}

fn compare_steps(before: &Value, after: &Value, place: &Place, changes: &mut Vec<Change>) {
    let (Some(old), Some(new)) = (by_key(before), by_key(after)) else {
        return compare_values(before, after, place, changes);
    };
    let find = |steps: &[(&str, &Value)], key: &str| steps.iter().any(|(other, _)| *other == key);
    let kept = |steps: &[(&str, &Value)], others: &[(&str, &Value)]| -> Vec<Value> {
        steps.iter().filter(|(key, _)| find(others, key)).map(|(key, _)| Value::from(*key)).collect()
    };
    let (order_before, order_after) = (kept(&old, &new), kept(&new, &old));
    if order_before != order_after {
        changes.push(change(place, Some(&order_before.into()), Some(&order_after.into())));
    }
    for (key, step) in &old {
        let place = place.child(key);
        match new.iter().find(|(other, _)| other == key) {
            Some((_, other)) => compare_values(step, other, &place, changes),
            None => changes.push(change(&place, Some(step), None)),
        }
    }
    for (key, step) in new.iter().filter(|(key, _)| !find(&old, key)) {
        changes.push(change(&place.child(key), None, Some(step)));
    }
}

/// The steps with their keys, unless they cannot be told apart by them.
fn by_key(steps: &Value) -> Option<Vec<(&str, &Value)>> {
    let mut found: Vec<(&str, &Value)> = Vec::new();
    for step in steps.as_array()? {
        let key = step.get("key")?.as_str()?;
        if found.iter().any(|(other, _)| *other == key) {
            return None;
        }
        found.push((key, step));
    }
    Some(found)
}

fn change(place: &Place, before: Option<&Value>, after: Option<&Value>) -> Change {
    let kind = match (before, after) {
        (None, _) => ChangeKind::Added,
        (_, None) => ChangeKind::Removed,
        _ => ChangeKind::Changed,
    };
    Change { path: place.to_string(), kind, before: before.cloned(), after: after.cloned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(before: &Value, after: &Value) -> Vec<String> {
        let text = |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), Value::to_string);
        compare(before, after)
            .iter()
            .map(|change| format!("{:?} {} {} {}", change.kind, change.path, text(&change.before), text(&change.after)))
            .collect()
    }

    #[test]
    fn steps_are_matched_by_their_keys() {
        let before = json!({"name": "A", "limits": {"timeoutSeconds": 5}, "steps": [
            {"key": "a", "agent": "X", "when": "true"}, {"key": "b", "agent": "X"}, {"key": "c", "agent": "X"},
        ]});
        let after = json!({"limits": {"timeoutSeconds": 6}, "name": "A", "onError": "STOP", "steps": [
            {"key": "c", "agent": "X"}, {"key": "d", "agent": "Y"}, {"agent": "Z", "key": "a", "needs": []},
        ]});
        assert_eq!(
            shown(&before, &after),
            [
                "Changed /limits/timeoutSeconds 5 6",
                r#"Changed /steps ["a","c"] ["c","a"]"#,
                r#"Changed /steps/a/agent "X" "Z""#,
                r#"Removed /steps/a/when "true" -"#,
                "Added /steps/a/needs - []",
                r#"Removed /steps/b {"key":"b","agent":"X"} -"#,
                r#"Added /steps/d - {"key":"d","agent":"Y"}"#,
                r#"Added /onError - "STOP""#,
            ]
        );
    }

    #[test]
    fn another_order_is_one_change() {
        let steps = |keys: &[&str]| json!({"steps": keys.iter().map(|key| json!({"key": key})).collect::<Vec<_>>()});
        assert_eq!(
            shown(&steps(&["a", "b", "c"]), &steps(&["b", "c", "a"])),
            [r#"Changed /steps ["a","b","c"] ["b","c","a"]"#]
        );
        assert_eq!(shown(&steps(&["a", "b"]), &steps(&["b"])).len(), 1);
        assert!(shown(&steps(&["a"]), &steps(&["a"])).is_empty());
    }

    #[test]
    fn what_has_no_keys_is_compared_as_it_is() {
        assert_eq!(shown(&json!({"steps": [1]}), &json!({"steps": [2]})), ["Changed /steps [1] [2]"]);
        let twice = json!({"steps": [{"key": "a"}, {"key": "a"}]});
        assert_eq!(shown(&twice, &json!({"steps": [{"key": "a"}]})).len(), 1);
        assert_eq!(shown(&json!(1), &json!({})), ["Changed  1 {}"]);
        assert_eq!(shown(&json!({"a/b": {"c~": 1}}), &json!({"a/b": {}})), ["Removed /a~1b/c~0 1 -"]);
    }
}
