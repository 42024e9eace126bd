//! Sets of JSON's types.

use serde_json::Value;

/// Some of the types that a JSON value can have. A whole number is of the type `integer`, another one of `number` only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u8);

const NAMES: [(&str, u8); 7] =
    [("null", 1), ("boolean", 2), ("integer", 4), ("number", 4 | 8), ("string", 16), ("array", 32), ("object", 64)];

impl Types {
    pub const ALL: Types = Types(127);
    pub const NONE: Types = Types(0);
    pub const OBJECT: Types = Types(64);
    pub const ARRAY: Types = Types(32);

    /// From the value of the keyword `type`.
    pub fn named(value: &Value) -> Self {
        let one = |name: &Value| NAMES.iter().find(|(known, _)| name == known).map_or(127, |(_, bits)| *bits);
        match value {
            Value::String(_) => Types(one(value)),
            Value::Array(names) => Types(names.iter().map(one).fold(0, |all, bits| all | bits)),
            _ => Types::ALL,
        }
    }

    pub fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Types(1),
            Value::Bool(_) => Types(2),
            // Whether 1.0 is whole is a question that need not be answered here.
            Value::Number(number) if number.is_f64() => Types(4 | 8),
            Value::Number(_) => Types(4),
            Value::String(_) => Types(16),
            Value::Array(_) => Types(32),
            Value::Object(_) => Types(64),
        }
    }

    pub fn and(self, other: Types) -> Self {
        Types(self.0 & other.0)
    }

    pub fn or(self, other: Types) -> Self {
        Types(self.0 | other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn overlaps(self, other: Types) -> bool {
        !self.and(other).is_empty()
    }
}

impl std::fmt::Display for Types {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Types::ALL {
            return f.write_str("anything");
        }
        // `number` says everything that `integer` would.
        let is_number = self.0 & 8 != 0;
        let names = NAMES.iter().filter(|(name, bits)| match *name {
            "integer" => !is_number && self.0 & bits != 0,
            "number" => is_number,
            _ => self.0 & bits != 0,
        });
        let names: Vec<&str> = names.map(|(name, _)| *name).collect();
        f.write_str(if names.is_empty() { "nothing" } else { "" })?;
        f.write_str(&names.join(" or "))
    }
}
