//! What is certain about the values that a schema describes.

use serde_json::{Map, Value};

use super::types::Types;

/// A place in a schema, seen as the shape of a value.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// The whole document, in which references are looked up.
    root: &'a Value,
    schema: &'a Value,
}

/// Whether the values of a shape have a member.
#[derive(Debug, Clone, Copy)]
pub enum Presence<'a> {
    /// Every one has it.
    Promised(Shape<'a>),
    /// It is described, but may be absent.
    Declared(Shape<'a>),
    /// Nothing is said about it. `open` if nothing is said about any member.
    Unmentioned { open: bool },
    /// None has it.
    Impossible,
}

/// How many references and combinations are followed. Beyond that, nothing is claimed.
const DEEPEST: usize = 32;

impl<'a> Shape<'a> {
    pub fn of(schema: &'a Value) -> Self {
        Self { root: schema, schema }
    }

    /// The shape behind references.
    fn resolved(self) -> Self {
        let mut shape = self;
        for _ in 0..DEEPEST {
            let Some(reference) = shape.schema.get("$ref").and_then(Value::as_str) else { return shape };
            let target = match reference.strip_prefix('#') {
                Some("") => Some(self.root),
                Some(pointer) if pointer.starts_with('/') => self.root.pointer(pointer),
                _ => None,
            };
            match target {
                // What stands beside a reference counts as well, so then only that much is certain.
                Some(target) if shape.schema.as_object().is_some_and(says_nothing_else) => {
                    shape.schema = target;
                }
                _ => return Self { root: self.root, schema: &Value::Bool(true) },
            }
        }
        Self { root: self.root, schema: &Value::Bool(true) }
    }

    fn at(self, schema: &'a Value) -> Self {
        Self { root: self.root, schema }
    }

    fn fields(self) -> Option<&'a Map<String, Value>> {
        self.schema.as_object()
    }

    fn branches(self, keyword: &str) -> Option<Vec<Shape<'a>>> {
        let branches = self.fields()?.get(keyword)?.as_array()?;
        (!branches.is_empty()).then(|| branches.iter().map(|branch| self.at(branch)).collect())
    }

    /// The types that a value can have.
    pub fn types(self) -> Types {
        self.types_within(DEEPEST)
    }

    fn types_within(self, depth: usize) -> Types {
        let Some(depth) = depth.checked_sub(1) else { return Types::ALL };
        let shape = self.resolved();
        if shape.schema == &Value::Bool(false) {
            return Types::NONE;
        }
        let Some(fields) = shape.fields() else { return Types::ALL };
        let mut types = fields.get("type").map_or(Types::ALL, Types::named);
        if let Some(values) = shape.values() {
            types = types.and(values.iter().map(|value| Types::of_value(value)).fold(Types::NONE, Types::or));
        }
        for branch in shape.branches("allOf").unwrap_or_default() {
            types = types.and(branch.types_within(depth));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = shape.branches(keyword) {
                let any = branches.iter().map(|branch| branch.types_within(depth)).fold(Types::NONE, Types::or);
                types = types.and(any);
            }
        }
        types
    }

    /// The only values that there are, if the schema lists them.
    pub fn values(self) -> Option<Vec<&'a Value>> {
        let fields = self.resolved().fields()?;
        match (fields.get("const"), fields.get("enum")) {
            (Some(value), _) => Some(vec![value]),
            (None, Some(Value::Array(values))) => Some(values.iter().collect()),
            _ => None,
        }
    }

    /// The names of the fields that every value has.
    pub fn required(self) -> Vec<&'a str> {
        self.names(DEEPEST, |fields| {
            let required = fields.get("required").and_then(Value::as_array);
            required.into_iter().flatten().filter_map(Value::as_str).collect()
        })
    }

    /// The names of the fields that are described.
    pub fn properties(self) -> Vec<&'a str> {
        self.names(DEEPEST, |fields| {
            let properties = fields.get("properties").and_then(Value::as_object);
            properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str)).collect()
        })
    }

    fn names(self, depth: usize, own: impl Fn(&'a Map<String, Value>) -> Vec<&'a str> + Copy) -> Vec<&'a str> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let shape = self.resolved();
        let Some(fields) = shape.fields() else { return Vec::new() };
        let mut names = own(fields);
        for branch in shape.branches("allOf").unwrap_or_default() {
            for name in branch.names(depth, own) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Whether values have a field, or a list an item at a position.
    pub fn member(self, name: &str) -> Presence<'a> {
        self.member_within(name, DEEPEST)
    }

    fn member_within(self, name: &str, depth: usize) -> Presence<'a> {
        let Some(depth) = depth.checked_sub(1) else { return Presence::Unmentioned { open: true } };
        let shape = self.resolved();
        let types = shape.types();
        if !types.is_empty() && !types.overlaps(Types::OBJECT.or(Types::ARRAY)) {
            return Presence::Impossible;
        }
        let Some(fields) = shape.fields() else { return Presence::Unmentioned { open: true } };
        let own = if types.overlaps(Types::OBJECT) && types.overlaps(Types::ARRAY) && !is_about_objects(fields) {
            Presence::Unmentioned { open: true }
        } else if types.overlaps(Types::OBJECT) {
            shape.field(fields, name)
        } else {
            shape.item(fields, name)
        };
        let all = shape.branches("allOf").unwrap_or_default();
        let found = all.into_iter().fold(own, |found, branch| found.both(branch.member_within(name, depth)));
        ["anyOf", "oneOf"].into_iter().fold(found, |found, keyword| match shape.branches(keyword) {
            Some(branches) => {
                let members = branches.into_iter().map(|branch| branch.member_within(name, depth));
                members.reduce(Presence::either).map_or(found, |any| found.both(any))
            }
            None => found,
        })
    }

    fn field(self, fields: &'a Map<String, Value>, name: &str) -> Presence<'a> {
        let properties = fields.get("properties").and_then(Value::as_object);
        let required = fields.get("required").and_then(Value::as_array);
        let promised = required.is_some_and(|names| names.iter().any(|required| required == name));
        let described = properties.and_then(|properties| properties.get(name));
        let patterns =
            fields.get("patternProperties").and_then(Value::as_object).is_some_and(|found| !found.is_empty());
        let schema = match (described, fields.get("additionalProperties")) {
            (Some(Value::Bool(false)), _) => return Presence::Impossible,
            (Some(schema), _) => schema,
            (None, _) if patterns => return Presence::Unmentioned { open: true },
            (None, Some(Value::Bool(false))) => return Presence::Impossible,
            (None, Some(schema @ Value::Object(_))) if !promised => return Presence::Declared(self.at(schema)),
            (None, Some(schema @ Value::Object(_))) => schema,
            (None, _) if promised => return Presence::Promised(self.at(&Value::Bool(true))),
            (None, _) => return Presence::Unmentioned { open: properties.is_none_or(Map::is_empty) },
        };
        if promised { Presence::Promised(self.at(schema)) } else { Presence::Declared(self.at(schema)) }
    }

    fn item(self, fields: &'a Map<String, Value>, position: &str) -> Presence<'a> {
        let Ok(position) = position.parse::<usize>() else { return Presence::Impossible };
        let first = fields.get("prefixItems").and_then(Value::as_array);
        match first.and_then(|schemas| schemas.get(position)).or_else(|| fields.get("items")) {
            Some(Value::Bool(false)) => Presence::Impossible,
            Some(schema) => Presence::Declared(self.at(schema)),
            None => Presence::Unmentioned { open: true },
        }
    }

    /// What all items of a list look like.
    pub fn items(self) -> Option<Shape<'a>> {
        let shape = self.resolved();
        let fields = shape.fields()?;
        let items = fields.get("items").filter(|items| items.is_object())?;
        (!fields.contains_key("prefixItems")).then(|| shape.at(items))
    }

    /// Whether the schema says which fields must be there, so that the others were left out on purpose.
    pub fn says_what_is_required(self) -> bool {
        !self.required().is_empty()
    }

    /// Whether values can have no fields but those that are described.
    pub fn is_closed(self) -> bool {
        let Some(fields) = self.resolved().fields() else { return false };
        fields.get("additionalProperties") == Some(&Value::Bool(false)) && !fields.contains_key("patternProperties")
    }
}

impl<'a> Presence<'a> {
    pub fn shape(self) -> Option<Shape<'a>> {
        match self {
            Presence::Promised(shape) | Presence::Declared(shape) => Some(shape),
            Presence::Unmentioned { .. } | Presence::Impossible => None,
        }
    }

    /// What holds if both schemas hold.
    fn both(self, other: Self) -> Self {
        match (self, other) {
            (Presence::Impossible, _) | (_, Presence::Impossible) => Presence::Impossible,
            // One of two shapes is less than is known, but it is certain.
            (Presence::Promised(shape), other) | (other, Presence::Promised(shape)) => {
                let unknown = shape.schema == &Value::Bool(true);
                Presence::Promised(other.shape().filter(|_| unknown).unwrap_or(shape))
            }
            (Presence::Declared(shape), _) | (_, Presence::Declared(shape)) => Presence::Declared(shape),
            (Presence::Unmentioned { open: a }, Presence::Unmentioned { open: b }) => {
                Presence::Unmentioned { open: a && b }
            }
        }
    }

    /// What holds if one of two schemas holds, nobody knows which.
    fn either(self, other: Self) -> Self {
        let anything = |shape: Shape<'a>| shape.at(&Value::Bool(true));
        match (self, other) {
            (Presence::Impossible, Presence::Impossible) => Presence::Impossible,
            (Presence::Promised(shape), Presence::Promised(_)) => Presence::Promised(anything(shape)),
            (Presence::Unmentioned { open: true }, _) | (_, Presence::Unmentioned { open: true }) => {
                Presence::Unmentioned { open: true }
            }
            (Presence::Promised(shape) | Presence::Declared(shape), _)
            | (_, Presence::Promised(shape) | Presence::Declared(shape)) => Presence::Declared(anything(shape)),
            _ => Presence::Unmentioned { open: true },
        }
    }
}

/// Whether there is nothing beside a reference but words for people and definitions.
fn says_nothing_else(fields: &Map<String, Value>) -> bool {
    const SILENT: [&str; 9] =
        ["$ref", "$defs", "definitions", "$schema", "$id", "$comment", "title", "description", "examples"];
    fields.keys().all(|keyword| SILENT.contains(&keyword.as_str()))
}

fn is_about_objects(fields: &Map<String, Value>) -> bool {
    ["properties", "required", "additionalProperties"].iter().any(|keyword| fields.contains_key(*keyword))
}
