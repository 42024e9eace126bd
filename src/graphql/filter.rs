//! What filters of lists have in common.

use super::error::Result;
use crate::domain::name;

/// Longer than any name or address.
const LONGEST_TEXT: usize = 300;

/// What a list is searched for: nothing, if there is no text to look for.
pub fn search(field: &'static str, text: Option<String>) -> Result<Option<String>> {
    let text = text.map(|text| name::check_text(field, &text, LONGEST_TEXT)).transpose()?;
    Ok(text.filter(|text| !text.is_empty()))
}

/// Whether something can be called this: the database may not take what nothing can be called.
pub fn can_be_name(name: &str) -> bool {
    name::check_text("name", name, LONGEST_TEXT).is_ok()
}

/// Each value once: a database takes only so many.
pub fn distinct<T: PartialEq, V: Into<T>>(values: Option<Vec<V>>) -> Vec<T> {
    let mut distinct = Vec::new();
    for value in values.into_iter().flatten().map(Into::into) {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}
