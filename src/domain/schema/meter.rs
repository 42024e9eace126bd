//! What checking a value costs, paid for while it is checked.
//!
//! The library goes through a schema without counting. References and combinations (`anyOf` and its kin) can double the
//! work at every level, of the schema or of the value, so how much it is shows only on the way. So every part of a
//! schema that leads to others is given a keyword of our own that pays for a visit, and ends the check when nothing is
//! left: by unwinding, the only way out of the library's recursion.

use std::{
    any::Any,
    collections::HashSet,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use jsonschema::{Keyword, ValidationError, ValidationOptions, paths::Location};
use serde_json::{Map, Value, json};

use crate::domain::{
    pattern::{Pattern, Unusable},
    work::{Budget, Spent, charge},
};

/// The keyword. Nobody writes such a name by accident, and whoever does it on purpose finds it replaced.
const WORK: &str = "\0work";

/// Bytes of a constant that are compared for a unit of work.
const BYTES_PER_UNIT: usize = 64;

/// Unwinds through the library.
struct Broken;

/// Runs a check that may spend so much. Nothing if that is not enough.
pub fn within<T>(units: u64, check: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(|| Budget::new(units).pay_for(check))) {
        Ok(done) => Some(done),
        Err(reason) if is_broken(reason.as_ref()) => None,
        Err(panic) => resume_unwind(panic),
    }
}

fn is_broken(reason: &(dyn Any + Send)) -> bool {
    reason.is::<Broken>()
}

/// Pays, or ends the check.
pub fn pay(units: u64) {
    settle(charge(units));
}

fn settle<T>(paid: Result<T, Spent>) -> T {
    match paid {
        Ok(done) => done,
        // Not a panic: nobody is told, and `within` catches it.
        Err(Spent) => resume_unwind(Box::new(Broken)),
    }
}

/// Teaches the library the keyword that pays, and patterns that do.
pub fn metered(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    options.with_keyword(WORK, |_, value, _| Ok(Box::new(Visit::read(value)))).with_keyword("pattern", pattern)
}

/// What a visit of a part of a schema costs: once, and for each field or item of the value.
struct Visit {
    once: u64,
    each: u64,
}

impl Visit {
    fn read(value: &Value) -> Self {
        let number = |at: usize| value.get(at).and_then(Value::as_u64).unwrap_or(1);
        Self { once: number(0), each: number(1) }
    }

    fn pay(&self, instance: &Value) {
        let children = match instance {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        };
        pay(self.once.saturating_add(self.each.saturating_mul(children as u64)));
    }
}

impl<'i> Keyword<'i> for Visit {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        self.pay(instance);
        Ok(())
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        self.pay(instance);
        true
    }
}

struct Matching(Pattern, String);

impl<'i> Keyword<'i> for Matching {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            return Ok(());
        }
        Err(ValidationError::custom(format!("the value does not match {}", Value::from(self.1.as_str()))))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        match instance {
            Value::String(text) => settle(self.0.is_match(text)),
            _ => true,
        }
    }
}

type Compiled<'a> = Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>>;

fn pattern<'a>(_: &'a Map<String, Value>, value: &'a Value, place: Location) -> Compiled<'a> {
    let wrong = |reason: String| ValidationError::custom(format!("at `{place}`: {reason}"));
    let Some(text) = value.as_str() else { return Err(wrong("a pattern is a text".to_owned())) };
    Ok(Box::new(Matching(compiled(text).map_err(wrong)?, text.to_owned())))
}

/// A pattern as JavaScript means it, or what is wrong with it.
pub fn compiled(text: &str) -> Result<Pattern, String> {
    let shown = || super::shown(&Value::from(text));
    let translated =
        jsonschema_regex::to_rust_regex(text).map_err(|()| format!("{} is not a regular expression", shown()))?;
    Pattern::compile(&translated).map_err(|error| match error {
        Unusable::Wrong(regex::Error::CompiledTooBig(_)) => format!("{} is too large a pattern: repeat less", shown()),
        Unusable::Wrong(_) => format!("{} is not a regular expression that is supported", shown()),
        Unusable::Spent => "the patterns take too much work: write fewer, or simpler ones".to_owned(),
    })
}

/// The schema with the keyword that pays, at the end of `allOf` where nothing else is moved by it.
pub fn with_meters(schema: &Value) -> Value {
    let mut metered = schema.clone();
    let places = places(schema);
    // What has not been looked at elsewhere is found by going through all branches for each field.
    let by_field = places.iter().any(|place| {
        let rules = schema.pointer(place);
        rules.is_some_and(|rules| {
            ["unevaluatedProperties", "unevaluatedItems"].iter().any(|name| rules.get(name).is_some())
        })
    });
    for place in places {
        let Some(Value::Object(rules)) = metered.pointer_mut(&place) else { continue };
        let Some((once, each)) = cost(rules) else { continue };
        let each = if by_field { once + each } else { each };
        let meter = json!({WORK: [once, each]});
        if let Value::Array(all) = rules.entry("allOf").or_insert_with(|| Value::Array(Vec::new())) {
            all.push(meter);
        }
    }
    metered
}

/// How many parts a part leads to: for the value itself, and for each of its fields or items. Nothing if to none.
fn cost(rules: &Map<String, Value>) -> Option<(u64, u64)> {
    let (mut once, mut each, mut leads_on) = (1, 0, false);
    for (keyword, value) in rules {
        let count = match value {
            Value::Array(parts) => parts.len(),
            Value::Object(parts) => parts.len(),
            _ => 1,
        } as u64;
        match keyword.as_str() {
            "allOf" | "anyOf" | "oneOf" | "prefixItems" | "properties" | "dependentSchemas" | "dependencies" => {
                once += count;
            }
            "not" | "if" | "then" | "else" | "$ref" | "$dynamicRef" | "$recursiveRef" => once += 1,
            "patternProperties" => each += count,
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "uniqueItems" => each += 1,
            "const" | "enum" => {
                once += (value.to_string().len() / BYTES_PER_UNIT) as u64;
                continue;
            }
            _ => continue,
        }
        leads_on = true;
    }
    leads_on.then_some((once, each))
}

/// Whether a schema has more parts with a name of their own than are looked through.
pub fn has_too_many_names(schema: &Value) -> bool {
    let mut found = Found { bases: vec![String::new()], ..Found::default() };
    found.add(String::new(), schema);
    found.bases.len() >= MOST_BASES
}

/// Where schemas stand in a document, as JSON pointers: where the specification has them, and wherever a reference
/// leads to.
fn places(document: &Value) -> HashSet<String> {
    let mut found = Found { bases: vec![String::new()], ..Found::default() };
    found.add(String::new(), document);
    while let Some(place) = found.open.pop() {
        if let Some(schema) = document.pointer(&place) {
            found.add(place, schema);
        }
    }
    found.places
}

/// Parts of a schema that have a name of their own are few.
const MOST_BASES: usize = 64;

#[derive(Default)]
struct Found {
    places: HashSet<String>,
    /// The schemas with an `$id`, within which references can start.
    bases: Vec<String>,
    /// The pointers of references.
    targets: HashSet<String>,
    /// Where references may lead to.
    open: Vec<String>,
}

impl Found {
    fn add_base(&mut self, place: &str) {
        if self.bases.len() < MOST_BASES {
            self.open.extend(self.targets.iter().map(|target| format!("{place}{target}")));
            self.bases.push(place.to_owned());
        }
    }

    fn add_target(&mut self, target: String) {
        if !self.targets.contains(&target) {
            self.open.extend(self.bases.iter().map(|base| format!("{base}{target}")));
            self.targets.insert(target);
        }
    }

    fn add(&mut self, place: String, schema: &Value) {
        let Value::Object(rules) = schema else { return };
        if !self.places.insert(place.clone()) {
            return;
        }
        if rules.contains_key("$id") || rules.contains_key("id") {
            self.add_base(&place);
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let reference = rules.get(keyword).and_then(Value::as_str);
            let fragment = reference.and_then(|reference| reference.split_once('#')).map(|(_, fragment)| fragment);
            if let Some(target) = fragment.and_then(decoded) {
                self.add_target(target);
            }
        }
        for (keyword, value) in rules {
            let place = format!("{place}/{}", escaped(keyword));
            match (keyword.as_str(), value) {
                (
                    "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies",
                    Value::Object(schemas),
                ) => {
                    for (name, schema) in schemas {
                        self.add(format!("{place}/{}", escaped(name)), schema);
                    }
                }
                ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(schemas)) => {
                    for (at, schema) in schemas.iter().enumerate() {
                        self.add(format!("{place}/{at}"), schema);
                    }
                }
                (
                    "items"
                    | "additionalItems"
                    | "additionalProperties"
                    | "propertyNames"
                    | "contains"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "unevaluatedItems"
                    | "unevaluatedProperties"
                    | "contentSchema",
                    schema,
                ) => self.add(place, schema),
                _ => {}
            }
        }
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pointer in a reference, in which a URL's escapes stand for other signs.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let escape = tail.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// The patterns of the names of fields, which the library matches without asking us.
pub fn patterns_of_names(schema: &Value) -> Result<Vec<Pattern>, String> {
    let all = places(schema);
    let rules = all.iter().filter_map(|place| schema.pointer(place)?.get("patternProperties")?.as_object());
    let texts: HashSet<&String> = rules.flat_map(Map::keys).collect();
    texts.into_iter().map(|text| compiled(text).map_err(|reason| format!("in `patternProperties`: {reason}"))).collect()
}

/// Pays for matching all names of a value with all patterns.
pub fn pay_for_names(patterns: &[Pattern], value: &Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    for pattern in patterns {
                        settle(pattern.is_match(name));
                    }
                    open.push(value);
                }
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_found_wherever_they_stand() {
        let document = json!({
            "properties": {"a/b": {"items": {"type": "string"}}, "const": {"const": {"anyOf": [{"x": 1}]}}},
            "anyOf": [{"$ref": "#/x-own/deep%25"}, {"$ref": "inner#/y"}],
            "x-own": {"deep%": {"not": {"$ref": "#/x-own/more"}}, "more": {}, "unused": {}},
            "$defs": {"i": {"$id": "inner", "y": {"contains": {}}}},
        });
        let mut found: Vec<String> = places(&document).into_iter().collect();
        found.sort();
        assert_eq!(
            found,
            [
                "",
                "/$defs/i",
                "/$defs/i/y",
                "/$defs/i/y/contains",
                "/anyOf/0",
                "/anyOf/1",
                "/properties/a~1b",
                "/properties/a~1b/items",
                "/properties/const",
                "/x-own/deep%",
                "/x-own/deep%/not",
                "/x-own/more",
            ]
        );
    }

    #[test]
    fn what_is_added_moves_nothing() {
        let schema = json!({"allOf": [{"type": "object"}], "properties": {"a": {"type": "string"}}, "enum": [1]});
        let metered = with_meters(&schema);
        assert_eq!(metered.pointer("/allOf/0"), schema.pointer("/allOf/0"));
        assert_eq!(metered.pointer("/properties/a"), schema.pointer("/properties/a"), "what leads nowhere stays");
        assert_eq!(metered.pointer("/allOf/1"), Some(&json!({WORK: [3, 0]})));
    }
}
