//! Whether what one schema describes can be what another one asks for.
//!
//! Only what is certain is told. A schema that is absent or says nothing leads to no claim.

use serde_json::Value;

use super::{
    shape::{Presence, Shape},
    shown,
    types::Types,
};

/// A reason why values do not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// Where in the value, as a JSON pointer; empty for the whole value.
    pub path: String,
    pub kind: MisfitKind,
    /// What is wrong, in words.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MisfitKind {
    /// A field that must be there cannot exist.
    CannotExist,
    /// A field that must be there need not exist.
    NotPromised,
    /// A field that is always there is not allowed.
    NotAllowed,
    WrongType,
    /// The type is right, but none of the possible values is allowed.
    WrongValue,
}

const DEEPEST: usize = 32;

/// Every certain reason why values of the schema `output` cannot satisfy the schema `input`.
pub fn fits(output: &Value, input: &Value) -> Vec<Misfit> {
    let mut found = Vec::new();
    compare(Shape::of(output), Shape::of(input), "", DEEPEST, &mut found);
    found
}

/// The same for places within schemas.
pub fn shapes_fit(output: Shape<'_>, input: Shape<'_>) -> Vec<Misfit> {
    let mut found = Vec::new();
    compare(output, input, "", DEEPEST, &mut found);
    found
}

fn compare(output: Shape<'_>, input: Shape<'_>, path: &str, depth: usize, found: &mut Vec<Misfit>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let (given, wanted) = (output.types(), input.types());
    if given.is_empty() || wanted.is_empty() {
        return;
    }
    if !given.overlaps(wanted) {
        let message = format!("is {given}, but must be {wanted}");
        found.push(Misfit { path: path.to_owned(), kind: MisfitKind::WrongType, message });
        return;
    }
    if let (Some(given), Some(wanted)) = (output.values(), input.values())
        && !given.iter().any(|value| wanted.contains(value))
    {
        let list = |values: &[&Value]| values.iter().map(|value| shown(value)).collect::<Vec<_>>().join(", ");
        let message = format!("is {}, but must be one of {}", list(&given), list(&wanted));
        found.push(Misfit { path: path.to_owned(), kind: MisfitKind::WrongValue, message });
        return;
    }
    if given == Types::OBJECT {
        compare_fields(output, input, path, depth, found);
    }
    if given == Types::ARRAY
        && let (Some(given), Some(wanted)) = (output.items(), input.items())
    {
        compare(given, wanted, &format!("{path}/*"), depth, found);
    }
}

fn compare_fields(output: Shape<'_>, input: Shape<'_>, path: &str, depth: usize, found: &mut Vec<Misfit>) {
    let place = |name: &str| format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
    for name in input.required() {
        if let Some((kind, message)) = absence(output, name) {
            found.push(Misfit { path: place(name), kind, message });
        }
    }
    for name in input.properties() {
        if let (Some(given), Some(wanted)) = (output.member(name).shape(), input.member(name).shape()) {
            compare(given, wanted, &place(name), depth, found);
        }
    }
    if input.is_closed() {
        for name in output.required().into_iter().filter(|name| matches!(input.member(name), Presence::Impossible)) {
            let message = "is always there, but is not allowed".to_owned();
            found.push(Misfit { path: place(name), kind: MisfitKind::NotAllowed, message });
        }
    }
}

/// Why a field that must be there may be missing, if the schema says so.
pub fn absence(output: Shape<'_>, name: &str) -> Option<(MisfitKind, String)> {
    match output.member(name) {
        Presence::Impossible => Some((MisfitKind::CannotExist, "is required, but cannot exist".to_owned())),
        Presence::Unmentioned { open: false } => {
            Some((MisfitKind::NotPromised, "is required, but is not promised".to_owned()))
        }
        // Whoever names no required field at all has probably not thought about it.
        Presence::Declared(_) if output.says_what_is_required() => {
            Some((MisfitKind::NotPromised, "is required, but may be absent".to_owned()))
        }
        Presence::Declared(_) | Presence::Promised(_) | Presence::Unmentioned { open: true } => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn found(output: &Value, input: &Value) -> Vec<String> {
        fits(output, input).into_iter().map(|misfit| format!("{} {}", misfit.path, misfit.message)).collect()
    }

    #[rstest]
    #[case(json!({"type": "string"}), json!({"type": "integer"}), " is string, but must be integer")]
    #[case(json!({"type": ["string", "null"]}), json!({"type": ["object", "number"]}), " is null or string, but must be number or object")]
    #[case(json!({"enum": ["a", 1]}), json!({"type": "boolean"}), " is integer or string, but must be boolean")]
    #[case(json!({"enum": ["a", "b"]}), json!({"enum": ["c"]}), r#" is "a", "b", but must be one of "c""#)]
    #[case(json!({"const": 1}), json!({"const": 2}), " is 1, but must be one of 2")]
    #[case(json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": "object"}), " is null or string, but must be object")]
    #[case(json!({"allOf": [{"type": ["string", "null"]}, {"type": "string"}]}), json!({"type": "null"}), " is string, but must be null")]
    #[case(json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}), json!({"type": "null"}), " is string, but must be null")]
    #[case(json!({"type": "array", "items": {"type": "string"}}), json!({"items": {"type": "integer"}}), "/* is string, but must be integer")]
    fn types_that_never_fit_are_told(#[case] output: Value, #[case] input: Value, #[case] expected: &str) {
        assert_eq!(found(&output, &input), [expected]);
    }

    #[rstest]
    #[case(json!({"type": "integer"}), json!({"type": "number"}))]
    #[case(json!({"type": "number"}), json!({"type": "integer"}))]
    #[case(json!({"type": ["string", "null"]}), json!({"type": "string"}))]
    #[case(json!({}), json!({"type": "object", "required": ["a"]}))]
    #[case(json!(true), json!({"type": "object"}))]
    #[case(json!({"type": "object"}), json!({"required": ["a"]}))]
    #[case(json!({"type": "object", "properties": {"a": {}}}), json!({"required": ["a"]}))]
    #[case(json!({"type": "object", "properties": {"b": {}}, "patternProperties": {"^a": {}}}), json!({"required": ["a"]}))]
    #[case(json!({"oneOf": [{"type": "string"}, {"$ref": "https://x"}]}), json!({"type": "object"}))]
    #[case(json!({"type": "object", "additionalProperties": {"type": "string"}}), json!({"properties": {"a": {"type": "string"}}, "required": ["a"]}))]
    #[case(json!({"$ref": "#"}), json!({"type": "object"}))]
    fn what_may_fit_is_not_told(#[case] output: Value, #[case] input: Value) {
        assert_eq!(found(&output, &input), Vec::<String>::new());
    }

    #[test]
    fn fields_are_compared_one_by_one() {
        let output = json!({
            "type": "object", "additionalProperties": false, "required": ["id", "extra"],
            "properties": {
                "id": {"$ref": "#/$defs/id"}, "maybe": {"type": "string"}, "extra": {},
                "inner": {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]},
            },
            "$defs": {"id": {"type": "string"}},
        });
        let input = json!({
            "required": ["id", "gone", "maybe"], "additionalProperties": false,
            "properties": {
                "id": {"type": "integer"}, "gone": {}, "maybe": {"type": "string"},
                "inner": {"properties": {"n": {"type": "number"}}, "required": ["n", "m"]},
            },
        });
        assert_eq!(
            found(&output, &input),
            [
                "/gone is required, but cannot exist",
                "/maybe is required, but may be absent",
                "/id is string, but must be integer",
                "/inner/m is required, but is not promised",
                "/inner/n is string, but must be number",
                "/extra is always there, but is not allowed",
            ]
        );
    }

    #[test]
    fn branches_are_read_conservatively() {
        let output = json!({"type": "object", "anyOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false},
            {"properties": {"b": {"type": "string"}}, "required": ["b"], "additionalProperties": false},
        ]});
        let required = |name: &str| json!({"required": [name], "properties": {name: {"type": "null"}}});
        assert_eq!(found(&output, &required("a")), Vec::<String>::new());
        assert_eq!(found(&output, &required("c")), ["/c is required, but cannot exist"]);
        let both = json!({"type": "object", "allOf": [{"required": ["a"]}, {"properties": {"a": {"type": "string"}}}]});
        assert_eq!(found(&both, &required("a")), ["/a is string, but must be null"]);
    }
}
