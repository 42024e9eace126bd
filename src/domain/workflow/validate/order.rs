//! Problems in the order in which somebody reads the document.

use serde_json::Value;

use crate::domain::{document::Problem, json::pointer_segments};

pub fn sort(document: &Value, problems: &mut [Problem]) {
    problems.sort_by_cached_key(|problem| place(document, &problem.path));
}

/// For each level, the number of the field or item. What is absent comes last.
fn place(document: &Value, path: &str) -> Vec<usize> {
    let mut at = Some(document);
    let segments = pointer_segments(path).unwrap_or_default();
    let numbers = segments.iter().map(|segment| {
        let (number, next) = match at {
            Some(Value::Object(fields)) => (fields.keys().position(|name| name == segment), fields.get(segment)),
            Some(Value::Array(items)) => {
                let number = segment.parse::<usize>().ok();
                (number, number.and_then(|number| items.get(number)))
            }
            _ => (None, None),
        };
        at = next;
        number.unwrap_or(usize::MAX)
    });
    numbers.collect()
}
