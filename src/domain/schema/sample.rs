//! A value that a schema might describe, to show what a step could get.

use serde_json::{Map, Value};

use super::format::example;

/// How many parts a sample has at most, and how deep it is. A schema can refer to itself.
const MOST_PARTS: usize = 500;
const DEEPEST: usize = 8;

/// Makes a value up: the default, the constant, the first of the allowed ones or else something of the right type. It
/// need not satisfy every rule of the schema.
pub fn sample(schema: &Value) -> Value {
    Sampler { root: schema, left: MOST_PARTS }.value(schema, DEEPEST)
}

struct Sampler<'a> {
    root: &'a Value,
    left: usize,
}

impl<'a> Sampler<'a> {
    fn value(&mut self, schema: &'a Value, depth: usize) -> Value {
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else { return Value::Null };
        self.left = left;
        let Value::Object(rules) = schema else { return Value::Null };
        let first = |keyword: &str| rules.get(keyword).and_then(Value::as_array).and_then(|values| values.first());
        let given = rules.get("default").or_else(|| rules.get("const")).or_else(|| first("enum"));
        if let Some(value) = given.or_else(|| first("examples")) {
            return value.clone();
        }
        if let Some(target) = rules.get("$ref").and_then(Value::as_str).and_then(|reference| self.target(reference)) {
            return self.value(target, depth);
        }
        if let Some(branch) = first("oneOf").or_else(|| first("anyOf"))
            && !rules.contains_key("type")
        {
            return self.value(branch, depth);
        }
        match kind(rules) {
            "object" => self.object(rules, depth),
            "array" => self.list(rules, depth),
            "string" => Value::from(text(rules)),
            "integer" | "number" => number(rules),
            "boolean" => Value::Bool(false),
            _ => Value::Null,
        }
    }

    fn target(&self, reference: &str) -> Option<&'a Value> {
        match reference.strip_prefix('#')? {
            "" => Some(self.root),
            pointer => self.root.pointer(pointer),
        }
    }

    fn object(&mut self, rules: &'a Map<String, Value>, depth: usize) -> Value {
        let mut fields = Map::new();
        for branch in rules.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            if let Value::Object(more) = self.value(branch, depth) {
                fields.extend(more);
            }
        }
        let properties = rules.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten().filter(|(_, schema)| **schema != Value::Bool(false)) {
            let value = self.value(schema, depth);
            fields.insert(name.clone(), value);
        }
        for name in rules.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            fields.entry(name).or_insert(Value::Null);
        }
        Value::Object(fields)
    }

    fn list(&mut self, rules: &'a Map<String, Value>, depth: usize) -> Value {
        match rules.get("items") {
            Some(items @ Value::Object(_)) => Value::Array(vec![self.value(items, depth)]),
            _ => Value::Array(Vec::new()),
        }
    }
}

fn kind(rules: &Map<String, Value>) -> &str {
    match rules.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => names.first().and_then(Value::as_str).unwrap_or_default(),
        _ if ["properties", "required", "allOf"].iter().any(|keyword| rules.contains_key(*keyword)) => "object",
        _ if rules.contains_key("items") => "array",
        // Only texts have a format.
        _ if rules.contains_key("format") => "string",
        _ => "null",
    }
}

fn number(rules: &Map<String, Value>) -> Value {
    let above = |bound: &Value| bound.as_i64().and_then(|bound| bound.checked_add(1)).map(Value::from);
    let least = rules.get("minimum").cloned().or_else(|| rules.get("exclusiveMinimum").and_then(above));
    least.unwrap_or(Value::from(0))
}

fn text(rules: &Map<String, Value>) -> &'static str {
    match rules.get("format").and_then(Value::as_str) {
        Some("url") => "https://example.com",
        Some(format) => example(format).unwrap_or("text"),
        None => "text",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn samples_look_like_their_schema() {
        let schema = json!({
            "type": "object", "required": ["id", "other"],
            "properties": {
                "id": {"type": "string", "format": "uuid"}, "n": {"type": ["integer", "null"], "minimum": 3},
                "more": {"type": "number", "exclusiveMinimum": 0},
                "kind": {"enum": ["a", "b"]}, "fixed": {"const": [1]}, "filled": {"default": "x", "type": "string"},
                "tags": {"items": {"$ref": "#/$defs/tag"}}, "one": {"oneOf": [{"type": "boolean"}, {"type": "null"}]},
            },
            "$defs": {"tag": {"type": "object", "properties": {"name": {"type": "string"}}}},
        });
        assert_eq!(
            sample(&schema),
            json!({
                "id": "00000000-0000-4000-8000-000000000000", "n": 3, "more": 1, "kind": "a", "fixed": [1], "filled": "x",
                "tags": [{"name": "text"}], "one": false, "other": null,
            })
        );
    }

    #[test]
    fn schemas_that_contain_themselves_have_an_end() {
        let tree =
            json!({"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}, "c": {"$ref": "#"}}});
        assert!(sample(&tree).to_string().len() < 20_000);
        assert_eq!(sample(&json!({"$ref": "#"})), Value::Null);
        assert_eq!(sample(&json!(true)), Value::Null);
    }
}
