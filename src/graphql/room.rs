//! How long an answer may be, counted while it is made.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use async_graphql::{PathSegment, ServerError, Value};

use super::error::{Code, request_error};

/// What is written around a value and its name.
const SIGNS: usize = 4;
/// What an error has beside its message.
const AROUND_AN_ERROR: usize = 200;

/// The bytes that are left for answers. Those of a batch share them.
#[derive(Debug, Clone)]
pub struct Room(Arc<AtomicUsize>);

impl Room {
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    fn left(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: usize) {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(bytes)));
        debug_assert!(taken.is_ok(), "taking never fails");
    }
}

/// The bytes of one answer, as far as it is made.
#[derive(Debug)]
pub struct Measure {
    /// What an answer may have if nobody shares the room.
    most: usize,
    /// What this one may have.
    room: AtomicUsize,
    used: AtomicUsize,
    /// The field of the operation in which it became too much, and whether it is a mutation's.
    culprit: Mutex<Option<(String, bool)>>,
}

impl Measure {
    pub fn new(most: usize) -> Self {
        Self { most, room: AtomicUsize::new(most), used: AtomicUsize::new(0), culprit: Mutex::default() }
    }

    /// Begins an answer.
    pub fn begin(&self, room: Option<&Room>) {
        self.room.store(room.map_or(self.most, Room::left), Ordering::Relaxed);
        self.used.store(0, Ordering::Relaxed);
        *self.culprit.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub fn is_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) > self.room.load(Ordering::Relaxed)
    }

    /// Counts a field. Of an object or a list of them only what is around the fields, which are counted themselves.
    pub fn count(&self, name: &str, value: Option<&Value>, is_leaf: bool) {
        let bytes = match value {
            Some(value) if is_leaf => written(value),
            Some(Value::List(items)) => items.len().saturating_mul(SIGNS),
            Some(_) | None => SIGNS,
        };
        self.add(bytes.saturating_add(name.len() + SIGNS));
    }

    pub fn count_error(&self, error: &ServerError) {
        self.add(error.message.len() + AROUND_AN_ERROR);
    }

    fn add(&self, bytes: usize) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Notes in which field of the operation there was too much.
    pub fn blame(&self, field: &str, is_mutation: bool) {
        let mut culprit = self.culprit.lock().unwrap_or_else(PoisonError::into_inner);
        culprit.get_or_insert_with(|| (field.to_owned(), is_mutation));
    }

    /// Ends an answer. Gives the error that stands in its place if it is too long.
    pub fn end(&self, room: Option<&Room>) -> Option<ServerError> {
        if !self.is_full() {
            if let Some(room) = room {
                room.take(self.used.load(Ordering::Relaxed));
            }
            return None;
        }
        let culprit = self.culprit.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut message = format!(
            "the answer has more than {} bytes, with the others of its batch: ask for smaller pages or fewer fields",
            self.most
        );
        if let Some((field, true)) = &culprit {
            message.push_str(&format!("; `{field}` was carried out all the same, what stands after it was not"));
        }
        let mut error = request_error(Code::AnswerTooLarge, message);
        error.path = culprit.map(|(field, _)| PathSegment::Field(field)).into_iter().collect();
        Some(error)
    }
}

/// How many bytes a value has as JSON.
fn written(value: &Value) -> usize {
    match value {
        Value::Null | Value::Boolean(_) => 5,
        Value::Number(number) => number.as_str().len(),
        Value::String(text) => text_written(text),
        Value::Enum(name) => name.len() + 2,
        // Written as numbers.
        Value::Binary(bytes) => bytes.len().saturating_mul(SIGNS),
        Value::List(items) => items.iter().fold(2, |sum, item| sum + written(item) + 1),
        Value::Object(fields) => {
            fields.iter().fold(2, |sum, (name, value)| sum + text_written(name) + written(value) + 2)
        }
    }
}

fn text_written(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 1,
        0x00..=0x1F => 5,
        _ => 0,
    };
    text.len() + 2 + text.bytes().map(escaped).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_what_is_written() {
        for text in [r#"{"a":[1,2.50,-3e9],"b":{"c":"x\"\\\n\u0001é"},"d":[]}"#, r#""""#, "[[[]]]"] {
            let value: Value = serde_json::from_str(text).expect("JSON");
            let (counted, long) = (written(&value), serde_json::to_string(&value).expect("JSON").len());
            // A separator more for each list and object is counted than is written.
            assert!((long..=long + 8).contains(&counted), "{text}: {counted}, {long}");
        }
    }
}
