//! The variables that an expression can name.

use indexmap::IndexMap;

use super::value::{Key, Value};
use crate::domain::json::Json;

/// Named values. What one evaluation has taken apart stays so for the next.
#[derive(Debug, Clone, Default)]
pub struct Scope(IndexMap<String, Value>);

impl Scope {
    #[must_use]
    pub fn with(mut self, name: &str, value: Json) -> Self {
        self.0.insert(name.to_owned(), Value::given(value));
        self
    }

    /// An object whose fields are not copied together.
    #[must_use]
    pub fn with_object<'a>(mut self, name: &str, fields: impl IntoIterator<Item = (&'a str, Json)>) -> Self {
        let fields = fields.into_iter().map(|(field, value)| (Key::Text(field.into()), Value::given(value)));
        self.0.insert(name.to_owned(), Value::map(fields.collect()));
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}
