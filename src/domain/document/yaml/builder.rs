//! Puts a value together from what a YAML parser sees, without calling itself however deep the document is.

use std::collections::HashMap;

use saphyr_parser::{Event, ScalarStyle, Tag};
use serde_json::{Map, Value};

use super::scalar;
use crate::domain::json::DEEPEST;

/// How much all aliases together may stand for. Without a bound, a page of text could stand for more than fits into
/// any memory.
const LARGEST_OF_ALIASES: usize = 1 << 20;

#[derive(Default)]
pub struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, Anchor>,
    of_aliases: usize,
    documents: usize,
    root: Option<Value>,
}

/// A list or object that has begun and not ended.
struct Open {
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Value>),
    Object { fields: Map<String, Value>, key: Option<String> },
}

/// A value that can be used again.
struct Anchor {
    value: Value,
    size: usize,
    depth: usize,
}

impl Builder {
    pub fn add(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err("a second document begins here: there must be only one".to_owned());
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag.as_deref()),
            Event::SequenceStart(anchor, tag) => self.begin(anchor, tag.as_deref(), "seq", Content::List(Vec::new())),
            Event::MappingStart(anchor, tag) => {
                self.begin(anchor, tag.as_deref(), "map", Content::Object { fields: Map::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => self.alias(anchor),
        }
    }

    /// The document's value, if there was a document.
    pub fn finish(self) -> Option<Value> {
        self.root
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, tag: Option<&Tag>) -> Result<(), String> {
        let value = scalar::read(text, style, tag)?;
        self.complete(value, anchor)
    }

    fn begin(&mut self, anchor: usize, tag: Option<&Tag>, kind: &str, content: Content) -> Result<(), String> {
        if let Some(tag) = tag.filter(|tag| !(tag.is_yaml_core_schema() && tag.suffix == kind)) {
            return Err(scalar::unknown_tag(tag));
        }
        if self.expects_key() {
            return Err("a key must be a text, not a list or an object".to_owned());
        }
        if self.open.len() >= DEEPEST {
            return Err(format!("nested deeper than {DEEPEST} levels"));
        }
        self.open.push(Open { anchor, content });
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let Some(Open { anchor, content }) = self.open.pop() else { return Ok(()) };
        let value = match content {
            Content::List(items) => Value::Array(items),
            Content::Object { fields, .. } => Value::Object(fields),
        };
        self.complete(value, anchor)
    }

    fn alias(&mut self, anchor: usize) -> Result<(), String> {
        let Some(Anchor { value, size, depth }) = self.anchors.get(&anchor) else {
            return Err("an alias cannot stand within what it stands for".to_owned());
        };
        self.of_aliases = self.of_aliases.saturating_add(*size);
        if self.of_aliases > LARGEST_OF_ALIASES {
            return Err(format!("the aliases stand for more than {LARGEST_OF_ALIASES} bytes"));
        }
        if self.open.len() + depth > DEEPEST {
            return Err(format!("nested deeper than {DEEPEST} levels"));
        }
        let value = value.clone();
        self.complete(value, 0)
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Object { key: None, .. }, .. }))
    }

    fn complete(&mut self, value: Value, anchor: usize) -> Result<(), String> {
        if anchor > 0 {
            let (size, depth) = measure(&value);
            self.anchors.insert(anchor, Anchor { value: value.clone(), size, depth });
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(value),
            Some(Content::List(items)) => items.push(value),
            Some(Content::Object { fields, key }) => match key.take() {
                Some(name) => {
                    fields.insert(name, value);
                }
                None => *key = Some(as_key(value, fields)?),
            },
        }
        Ok(())
    }
}

fn as_key(value: Value, fields: &Map<String, Value>) -> Result<String, String> {
    match value {
        Value::String(name) if name == "<<" => {
            Err("merging with `<<` is not part of YAML 1.2: write the fields out".to_owned())
        }
        Value::String(name) if fields.contains_key(&name) => {
            let shown: String = name.chars().take(64).collect();
            Err(format!("the key `{shown}` is twice in an object"))
        }
        Value::String(name) => Ok(name),
        Value::Array(_) | Value::Object(_) => Err("a key must be a text, not a list or an object".to_owned()),
        other => Err(format!("a key must be a text: write `\"{other}\"` in quotes")),
    }
}

/// How many bytes a value has, more or less, and how deep it is.
fn measure(value: &Value) -> (usize, usize) {
    match value {
        Value::Null | Value::Bool(_) => (8, 0),
        Value::Number(number) => (number.as_str().len() + 8, 0),
        Value::String(text) => (text.len() + 8, 0),
        Value::Array(items) => items.iter().map(measure).fold((8, 1), within),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let (size, depth) = measure(value);
                (size + name.len(), depth)
            };
            fields.iter().map(field).fold((8, 1), within)
        }
    }
}

fn within((size, depth): (usize, usize), (more, below): (usize, usize)) -> (usize, usize) {
    (size.saturating_add(more), depth.max(below + 1))
}
