//! The variables that an expression can name.

use indexmap::IndexMap;

use super::{
    evaluate::MOST_WORK,
    value::{Key, Value},
};
use crate::domain::json::Json;

/// Named values. What one evaluation has taken apart stays so for the next.
#[derive(Debug, Clone)]
pub struct Scope {
    values: IndexMap<String, Value>,
    work: u64,
}

impl Default for Scope {
    fn default() -> Self {
        Self { values: IndexMap::default(), work: MOST_WORK }
    }
}

impl Scope {
    #[must_use]
    pub fn with(mut self, name: &str, value: Json) -> Self {
        self.values.insert(name.to_owned(), Value::given(value));
        self
    }

    /// An object whose fields are not copied together.
    #[must_use]
    pub fn with_object<'a>(mut self, name: &str, fields: impl IntoIterator<Item = (&'a str, Json)>) -> Self {
        let fields = fields.into_iter().map(|(field, value)| (Key::Text(field.into()), Value::given(value)));
        self.values.insert(name.to_owned(), Value::map(fields.collect()));
        self
    }

    /// Lets each evaluation do no more than so much.
    #[must_use]
    pub fn within(self, work: u64) -> Self {
        Self { work, ..self }
    }

    /// How much one evaluation may do.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }
}
