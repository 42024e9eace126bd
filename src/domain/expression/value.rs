//! The values that expressions work on.
//!
//! What came as JSON stays its own text until somebody looks inside, so what is only moved comes out as it went in.

use std::{
    fmt::Write as _,
    sync::{Arc, OnceLock},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use cel::common::value::Val;
use indexmap::IndexMap;

use super::{carry, error::Fault};
use crate::domain::json::Json;

#[derive(Debug, Clone)]
pub enum Value {
    /// A part of the data, kept as its text.
    Given(Arc<Given>),
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    /// A number that came as JSON and that 64 bits cannot hold: it can be moved and compared, not computed with.
    Beyond(Arc<str>),
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    List(Arc<List>),
    Map(Arc<Map>),
    Optional(Option<Arc<Value>>),
    /// A time, a duration or a type.
    Other(Arc<dyn Val>),
}

/// A part of the data that is taken apart at most once, one level at a time.
#[derive(Debug)]
pub struct Given {
    json: Json,
    opened: OnceLock<Value>,
}

#[derive(Debug)]
pub struct List {
    pub items: Vec<Value>,
    weight: u64,
}

#[derive(Debug)]
pub struct Map {
    pub entries: IndexMap<Key, Value>,
    weight: u64,
}

/// What a map is looked up by. Whole numbers are the same key whatever their type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    Text(Arc<str>),
    Whole(i128),
    Bool(bool),
}

/// Bytes of text count as one unit of work by so many.
pub const BYTES_PER_UNIT: usize = 8;

impl Value {
    pub fn given(json: Json) -> Self {
        Value::Given(Arc::new(Given { json, opened: OnceLock::new() }))
    }

    pub fn text(text: &str) -> Self {
        Value::Text(text.into())
    }

    pub fn list(items: Vec<Value>) -> Self {
        let weight = items.iter().fold(1, |sum: u64, item| sum.saturating_add(item.weight()));
        Value::List(Arc::new(List { items, weight }))
    }

    pub fn map(entries: IndexMap<Key, Value>) -> Self {
        let weigh = |sum: u64, (key, value): (&Key, &Value)| sum.saturating_add(key.weight() + value.weight());
        let weight = entries.iter().fold(1, weigh);
        Value::Map(Arc::new(Map { entries, weight }))
    }

    /// The value with its outermost level taken apart.
    pub fn open(&self) -> &Value {
        match self {
            Value::Given(given) => given.opened.get_or_init(|| open(&given.json)),
            made => made,
        }
    }

    /// How much work it is to walk through the value, as if nothing in it were shared.
    pub fn weight(&self) -> u64 {
        match self {
            Value::Given(given) => weight_of_bytes(given.json.size()),
            Value::Text(text) | Value::Beyond(text) => weight_of_bytes(text.len()),
            Value::Bytes(bytes) => weight_of_bytes(bytes.len()),
            Value::List(list) => list.weight,
            Value::Map(map) => map.weight,
            Value::Optional(Some(value)) => value.weight().saturating_add(1),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) => 1,
            Value::Optional(None) | Value::Other(_) => 1,
        }
    }

    /// What CEL calls the type.
    pub fn type_name(&self) -> String {
        let name = match self.open() {
            Value::Null => "null_type",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Beyond(_) => "int",
            Value::Uint(_) => "uint",
            Value::Double(_) => "double",
            Value::Text(_) => "string",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "list",
            Value::Map(_) | Value::Given(_) => "map",
            Value::Optional(_) => "optional_type",
            Value::Other(other) => return other.get_type().name().to_owned(),
        };
        name.to_owned()
    }

    /// What a JSON number was written like, if this is one that was given.
    pub fn written_number(&self) -> Option<&str> {
        match (self, self.open()) {
            (Value::Given(given), Value::Int(_) | Value::Double(_) | Value::Beyond(_)) => Some(given.json.text()),
            _ => None,
        }
    }

    pub fn into_json(self) -> Result<Json, Fault> {
        if let Value::Given(given) = &self {
            return Ok(given.json.clone());
        }
        let mut text = String::new();
        self.write(&mut text)?;
        Json::parse(&text).map_err(|error| Fault::plain(format!("the result cannot be kept: {error}")))
    }

    fn write(&self, out: &mut String) -> Result<(), Fault> {
        match self {
            Value::Given(given) => out.push_str(given.json.text()),
            Value::Null | Value::Optional(None) => out.push_str("null"),
            Value::Bool(value) => put(out, value),
            Value::Int(number) => put(out, number),
            Value::Uint(number) => put(out, number),
            Value::Double(number) => match serde_json::Number::from_f64(*number) {
                Some(number) => put(out, &number),
                None => return Err(Fault::plain(format!("the result has {number} in it, which JSON cannot hold"))),
            },
            Value::Beyond(text) => out.push_str(text),
            Value::Text(text) => put(out, &serde_json::Value::from(&**text)),
            Value::Bytes(bytes) => put(out, &serde_json::Value::from(BASE64_STANDARD.encode(bytes))),
            Value::Optional(Some(value)) => value.write(out)?,
            Value::List(list) => {
                out.push('[');
                for (number, item) in list.items.iter().enumerate() {
                    separate(out, number);
                    item.write(out)?;
                }
                out.push(']');
            }
            Value::Map(map) => {
                out.push('{');
                for (number, (key, value)) in map.entries.iter().enumerate() {
                    separate(out, number);
                    put(out, &serde_json::Value::from(key.to_string()));
                    out.push(':');
                    value.write(out)?;
                }
                out.push('}');
            }
            Value::Other(other) => put(out, &serde_json::Value::from(carry::text_of(other)?)),
        }
        Ok(())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl Key {
    /// The key that a value stands for, unless it cannot be one.
    pub fn of(value: &Value) -> Option<Self> {
        match value.open() {
            Value::Text(text) => Some(Key::Text(text.clone())),
            Value::Int(number) => Some(Key::Whole((*number).into())),
            Value::Uint(number) => Some(Key::Whole((*number).into())),
            #[expect(clippy::cast_possible_truncation, reason = "the number is whole and far within bounds")]
            Value::Double(number) if number.fract() == 0.0 && number.abs() < 1e18 => Some(Key::Whole(*number as i128)),
            Value::Bool(value) => Some(Key::Bool(*value)),
            _ => None,
        }
    }

    pub fn to_value(&self) -> Value {
        match self {
            Key::Text(text) => Value::Text(text.clone()),
            Key::Whole(number) => match i64::try_from(*number) {
                Ok(number) => Value::Int(number),
                Err(_) => Value::Uint(u64::try_from(*number).unwrap_or(u64::MAX)),
            },
            Key::Bool(value) => Value::Bool(*value),
        }
    }

    fn weight(&self) -> u64 {
        match self {
            Key::Text(text) => weight_of_bytes(text.len()),
            Key::Whole(_) | Key::Bool(_) => 1,
        }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Key::Text(text) => f.write_str(text),
            Key::Whole(number) => write!(f, "{number}"),
            Key::Bool(value) => write!(f, "{value}"),
        }
    }
}

fn weight_of_bytes(bytes: usize) -> u64 {
    (bytes / BYTES_PER_UNIT) as u64 + 1
}

fn separate(out: &mut String, number: usize) {
    if number > 0 {
        out.push(',');
    }
}

fn put(out: &mut String, value: &dyn std::fmt::Display) {
    // Writing to a text cannot fail.
    let _ = write!(out, "{value}");
}

fn open(json: &Json) -> Value {
    let text = json.text();
    match text.as_bytes().first() {
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'"') => match serde_json::from_str::<String>(text) {
            Ok(text) => Value::Text(text.into()),
            Err(_) => Value::Null,
        },
        Some(b'[') => {
            Value::list(json.items().unwrap_or_default().into_iter().map(|item| Value::given(item.into())).collect())
        }
        Some(b'{') => {
            let fields = json.fields().unwrap_or_default();
            let entry = |(name, value): (String, &serde_json::value::RawValue)| {
                (Key::Text(name.into()), Value::given(value.into()))
            };
            Value::map(fields.into_iter().map(entry).collect())
        }
        Some(b'-' | b'0'..=b'9') => open_number(text),
        _ => Value::Null,
    }
}

fn open_number(text: &str) -> Value {
    let beyond = || Value::Beyond(text.into());
    if text.contains(['.', 'e', 'E']) {
        text.parse().ok().filter(|number: &f64| number.is_finite()).map_or_else(beyond, Value::Double)
    } else {
        text.parse().map_or_else(|_| beyond(), Value::Int)
    }
}
