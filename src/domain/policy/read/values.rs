//! Values that are written in more than one way.

use serde_json::Value;

use crate::domain::document::{Object, Place, ProblemCode, Problems, wrong_type};

/// How many items a list of names may have.
const MOST_ITEMS: usize = 100;

const LONGEST_TEXT: usize = 254;

const TEN_YEARS_SECONDS: u64 = 10 * 365 * 24 * 3600;

/// A text with its place.
pub struct Item<'a> {
    pub text: &'a str,
    pub place: Place,
}

impl Item<'_> {
    pub fn problem(&self, problems: &mut Problems, message: impl Into<String>) {
        problems.add(self.place.problem(ProblemCode::InvalidValue, message));
    }
}

/// The texts of a field: one alone, or a list of them. None if the field is absent.
pub fn texts<'a>(object: &mut Object<'a>, name: &'static str, problems: &mut Problems) -> Option<Vec<Item<'a>>> {
    let place = object.place(name);
    let value = object.get(name)?;
    let items = match value {
        Value::Array(items) if items.is_empty() => {
            let message = format!("`{name}` is an empty list: name at least one, or leave the field out");
            problems.add(place.problem(ProblemCode::InvalidValue, message));
            return None;
        }
        Value::Array(items) if items.len() > MOST_ITEMS => {
            let message = format!("`{name}` has {} items: at most {MOST_ITEMS} are allowed", items.len());
            problems.add(place.problem(ProblemCode::TooMany, message));
            return None;
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(number, item)| (item, place.child(number))).collect::<Vec<_>>()
        }
        alone => vec![(alone, place)],
    };
    Some(items.into_iter().filter_map(|(value, place)| text(value, place, problems)).collect())
}

fn text<'a>(value: &'a Value, place: Place, problems: &mut Problems) -> Option<Item<'a>> {
    let Some(text) = value.as_str() else {
        problems.add(wrong_type(&place, "a text", value));
        return None;
    };
    let text = text.trim();
    let length = text.chars().count();
    if (1..=LONGEST_TEXT).contains(&length) && !text.contains(char::is_control) {
        return Some(Item { text, place });
    }
    let message = format!("the text has {length} characters: use 1 to {LONGEST_TEXT}, none of them control");
    problems.add(place.problem(ProblemCode::InvalidValue, message));
    None
}

/// What the texts of a field mean, each thing once. None if the field is absent.
pub fn each<T: PartialEq>(
    object: &mut Object<'_>,
    name: &'static str,
    problems: &mut Problems,
    read: impl Fn(&str) -> Result<T, String>,
) -> Option<Vec<T>> {
    let mut found = Vec::new();
    for item in texts(object, name, problems)? {
        match read(item.text) {
            Ok(meaning) if found.contains(&meaning) => {}
            Ok(meaning) => found.push(meaning),
            Err(message) => item.problem(problems, message),
        }
    }
    Some(found)
}

/// What a word means, whatever its case; or which words there are.
pub fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let shown: String = text.chars().take(64).collect();
        format!("`{shown}` is not known here: use {}", known.join(", "))
    })
}

pub fn flag(object: &mut Object<'_>, name: &'static str, problems: &mut Problems) -> Option<bool> {
    object.read(name, "true or false", problems, Value::as_bool)
}

/// A time span that somebody may wait for.
pub fn seconds(object: &mut Object<'_>, name: &'static str, problems: &mut Problems) -> Option<u64> {
    object.number(name, 1..=TEN_YEARS_SECONDS, problems)
}
