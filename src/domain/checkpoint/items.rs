//! The parts of a proposal that can be decided alone.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::domain::json::Json;

/// How many items one proposal may have.
pub const MOST_ITEMS: usize = 10_000;
const LONGEST_ID: usize = 200;

/// One part of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub id: String,
    pub label: String,
    /// What is done with it, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What is shown of it.
    pub data: Json,
}

/// Reads items from a list: objects with an `id`, and optionally `label`, `action` and `data`; of an object without
/// `data` everything is shown. Plain values are items whose id is their text.
pub fn read(list: &Json) -> Result<Vec<Item>, String> {
    let elements = list.items().ok_or_else(|| format!("items must be a list, not `{}`", short(list.text())))?;
    if elements.len() > MOST_ITEMS {
        return Err(format!("there are {} items: at most {MOST_ITEMS} are allowed", elements.len()));
    }
    let mut seen = HashSet::new();
    let mut items = Vec::with_capacity(elements.len());
    for (position, element) in elements.into_iter().enumerate() {
        let item = read_one(&Json::from(element)).map_err(|error| format!("item {}: {error}", position + 1))?;
        if !seen.insert(item.id.clone()) {
            return Err(format!("two items have the id `{}`", short(&item.id)));
        }
        items.push(item);
    }
    Ok(items)
}

fn read_one(element: &Json) -> Result<Item, String> {
    let value = element.to_value();
    let Value::Object(fields) = &value else {
        let id = plain(&value).ok_or("a list cannot be an item: give an object with an `id`")?;
        check_id(&id)?;
        return Ok(Item { label: id.clone(), id, action: None, data: element.clone() });
    };
    let id = fields.get("id").and_then(plain).ok_or("`id` is missing, or is neither a text nor a number")?;
    check_id(&id)?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let data = element.at(["data"]).filter(|data| data.text() != "null");
    Ok(Item {
        label: text("label").unwrap_or_else(|| id.clone()),
        action: text("action"),
        data: data.unwrap_or_else(|| element.clone()),
        id,
    })
}

fn check_id(id: &str) -> Result<(), String> {
    if id.is_empty() || id.chars().count() > LONGEST_ID {
        return Err(format!("`id` must have 1 to {LONGEST_ID} characters"));
    }
    Ok(())
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn short(text: &str) -> String {
    text.chars().take(64).collect()
}

/// Items as the journal keeps them.
pub fn to_json(items: &[Item]) -> Json {
    serde_json::to_string(items).ok().and_then(|text| Json::trusted(text).ok()).unwrap_or_else(Json::null)
}

/// Items that were kept by [`to_json`].
pub fn from_json(json: &Json) -> Vec<Item> {
    serde_json::from_str(json.text()).unwrap_or_default()
}

/// Those of the chosen ids, in the order of the proposal, or the first id that is not there.
pub fn select(items: &[Item], chosen: &[String]) -> Result<Vec<Item>, String> {
    let wanted: HashSet<&str> = chosen.iter().map(String::as_str).collect();
    if let Some(unknown) = chosen.iter().find(|id| !items.iter().any(|item| item.id == **id)) {
        return Err(short(unknown));
    }
    Ok(items.iter().filter(|item| wanted.contains(item.id.as_str())).cloned().collect())
}

/// Parameters with exactly the chosen items: those of the list at `path`, or, where the items were computed, in a field
/// of their own named `approvedItems`.
pub fn narrow(parameters: &Json, path: Option<&[String]>, chosen: &[Item]) -> Json {
    let keep: HashSet<&str> = chosen.iter().map(|item| item.id.as_str()).collect();
    let mut value = parameters.to_value();
    let list = path.and_then(|path| {
        path.iter().try_fold(&mut value, |value, name| match value {
            Value::Object(fields) => fields.get_mut(name),
            _ => None,
        })
    });
    if let Some(Value::Array(elements)) = list {
        elements.retain(|element| id_of(element).is_some_and(|id| keep.contains(id.as_str())));
    } else if let Value::Object(fields) = &mut value {
        let shown = chosen.iter().map(
            |item| json!({"id": item.id, "label": item.label, "action": item.action, "data": item.data.to_value()}),
        );
        fields.insert("approvedItems".to_owned(), shown.collect());
    }
    Json::from_value(&value).unwrap_or_else(|_| parameters.clone())
}

fn id_of(element: &Value) -> Option<String> {
    let id = |fields: &Map<String, Value>| fields.get("id").and_then(plain);
    element.as_object().map_or_else(|| plain(element), id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).expect("JSON")
    }

    #[test]
    fn items_are_read_from_what_lists_hold() {
        let items =
            read(&json(r#"[{"id":7,"label":"Seven","data":{"n":1.50}},{"id":"b","x":1},"c",4]"#)).expect("items");
        let shown: Vec<(&str, &str, &str)> =
            items.iter().map(|item| (item.id.as_str(), item.label.as_str(), item.data.text())).collect();
        let expected =
            [("7", "Seven", r#"{"n":1.50}"#), ("b", "b", r#"{"id":"b","x":1}"#), ("c", "c", "\"c\""), ("4", "4", "4")];
        assert_eq!(shown, expected);
        assert_eq!(from_json(&to_json(&items)), items);
        for (text, message) in [
            ("{}", "items must be a list, not `{}`"),
            ("[1,[2]]", "item 2: a list cannot be an item: give an object with an `id`"),
            (r#"[{"label":"x"}]"#, "item 1: `id` is missing, or is neither a text nor a number"),
            (r#"["a",{"id":"a"}]"#, "two items have the id `a`"),
            (r#"[""]"#, "item 1: `id` must have 1 to 200 characters"),
        ] {
            assert_eq!(read(&json(text)), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn only_the_chosen_ones_are_left() {
        let parameters = json(r#"{"a":{"list":[{"id":1,"n":123456789012345678901},{"id":2}]},"b":1.50}"#);
        let items = read(&parameters.at(["a", "list"]).expect("a list")).expect("items");
        let chosen = select(&items, &["1".to_owned()]).expect("chosen");
        let path = ["a".to_owned(), "list".to_owned()];
        let narrowed = narrow(&parameters, Some(&path), &chosen);
        assert_eq!(narrowed.text(), r#"{"a":{"list":[{"id":1,"n":123456789012345678901}]},"b":1.50}"#);
        let named = narrow(&json(r#"{"b":1}"#), None, &chosen);
        assert_eq!(
            named.text(),
            r#"{"b":1,"approvedItems":[{"id":"1","label":"1","action":null,"data":{"id":1,"n":123456789012345678901}}]}"#
        );
        assert_eq!(select(&items, &["1".to_owned(), "9".to_owned()]), Err("9".to_owned()));
    }
}
