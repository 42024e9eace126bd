//! Random operations: mostly right, sometimes wrong, now and then garbage.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};

use super::{
    literal::literal,
    schema::{Schema, Type},
};

const DEEPEST: usize = 6;
const TEXTS: &[&str] = &[
    "",
    "Finance",
    "ada@example.com",
    "Größe 🏃",
    "a\0b",
    "\0",
    "' or 1=1; --",
    "\"\\%_",
    "2024-05-06T07:08:09Z",
    "+200000-01-01T00:00:00Z",
    "-200000-01-01T00:00:00Z",
];
const INTEGERS: &[i64] = &[-1, 0, 100, 101, i32::MAX as i64, i32::MIN as i64, 3_000_000_000, i64::MAX];
const GARBAGE: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    "$",
    "@",
    "\"",
    "\"\"\"",
    "\\",
    "#",
    "!",
    "...",
    " on ",
    "\0",
    "é",
    "🏃",
    "1e9",
    "-",
    "null",
    "@skip(if:$x)",
];

/// One random operation and its variables.
pub struct Operation {
    pub query: String,
    pub variables: Value,
}

pub struct Generator<'a> {
    schema: &'a Schema,
    /// Ids of things that exist.
    ids: &'a [String],
    random: StdRng,
    variables: Map<String, Value>,
    definitions: Vec<String>,
    fragments: Vec<String>,
}

impl<'a> Generator<'a> {
    pub fn new(schema: &'a Schema, ids: &'a [String], seed: u64) -> Self {
        let random = StdRng::seed_from_u64(seed);
        Self { schema, ids, random, variables: Map::new(), definitions: Vec::new(), fragments: Vec::new() }
    }

    pub fn operation(mut self) -> Operation {
        let (keyword, root) = match self.random.random_range(0..100) {
            0..65 => &self.schema.roots[0],
            65..97 => &self.schema.roots[1],
            _ => &self.schema.roots[2],
        };
        let selection = self.selection(root, 0);
        let definitions = self.definitions.join(" ");
        let definitions = if definitions.is_empty() { definitions } else { format!("({definitions})") };
        let mut query = format!("{keyword}{definitions} {selection} {}", self.fragments.join(" "));
        while self.chance(10) {
            query = self.spoil(&query);
        }
        Operation { query, variables: Value::Object(self.variables) }
    }

    /// True in so many of a hundred cases.
    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn pick<'b, T>(&mut self, from: &'b [T]) -> Option<&'b T> {
        if from.is_empty() { None } else { from.get(self.random.random_range(0..from.len())) }
    }

    fn selection(&mut self, name: &str, depth: usize) -> String {
        let schema = self.schema;
        let definition = &schema.types[name];
        let mut parts = vec!["__typename".to_owned()];
        let mut chosen = Vec::new();
        for _ in 0..self.random.random_range(1..5) {
            match self.pick(&definition.fields) {
                // Twice in one place is a conflict more often than not.
                Some(field) if chosen.contains(&&field.name) && !self.chance(5) => {}
                Some(field) if depth < DEEPEST && field.name != "signOut" => {
                    chosen.push(&field.name);
                    parts.push(self.field(field, depth));
                }
                _ => {}
            }
        }
        if let Some(possible) = self.pick(&definition.possible)
            && depth < DEEPEST
        {
            parts.push(format!("... on {possible} {}", self.selection(possible, depth + 1)));
        }
        if self.chance(1) {
            parts.push("nonsense".to_owned());
        }
        let set = format!("{{ {} }}", parts.join(" "));
        match self.random.random_range(0..100) {
            0..5 => format!("{{ ... on {name} {set} }}"),
            5..10 => {
                let fragment = format!("F{}", self.fragments.len());
                self.fragments.push(format!("fragment {fragment} on {name} {set}"));
                format!("{{ ...{fragment}{} }}", self.directive())
            }
            _ => set,
        }
    }

    fn field(&mut self, field: &super::schema::Field, depth: usize) -> String {
        let alias = if self.chance(10) { format!("a{}: ", self.random.random_range(0..4)) } else { String::new() };
        let mut arguments = Vec::new();
        for (name, wanted) in &field.arguments {
            let needed = matches!(wanted, Type::NonNull(_));
            if self.chance(if needed { 98 } else { 50 }) {
                arguments.push(format!("{name}: {}", self.argument(wanted)));
            }
        }
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let returned = field.returns.named();
        let definition = &self.schema.types[returned];
        let composite = !definition.fields.is_empty() || !definition.possible.is_empty();
        let directive = self.directive();
        let selection =
            if composite != self.chance(1) && composite { self.selection(returned, depth + 1) } else { String::new() };
        format!("{alias}{}{arguments}{directive} {selection}", field.name)
    }

    fn directive(&mut self) -> String {
        match self.random.random_range(0..100) {
            0..3 => " @include(if: true)".to_owned(),
            3..5 => " @skip(if: false)".to_owned(),
            5 => format!(" @skip(if: {})", self.argument(&Type::NonNull(Box::new(Type::Named("Boolean".to_owned()))))),
            6 => " @nonsense(x: 1)".to_owned(),
            _ => String::new(),
        }
    }

    /// A value in the document, or a variable.
    fn argument(&mut self, wanted: &Type) -> String {
        let value = self.value(wanted, 0);
        if !self.chance(25) {
            return literal(&value, wanted, self.schema);
        }
        let name = format!("v{}", self.definitions.len());
        let declared = if self.chance(5) { "String".to_owned() } else { wanted.to_string() };
        self.definitions.push(format!("${name}: {declared}"));
        if self.chance(90) {
            self.variables.insert(name.clone(), value);
        }
        format!("${name}")
    }

    fn value(&mut self, wanted: &Type, depth: usize) -> Value {
        if self.chance(2) {
            return self.wrong();
        }
        match wanted {
            Type::NonNull(inner) => self.value(inner, depth),
            _ if self.chance(10) => Value::Null,
            Type::List(inner) => (0..self.random.random_range(0..4)).map(|_| self.value(inner, depth + 1)).collect(),
            Type::Named(name) => self.named_value(name, depth),
        }
    }

    fn named_value(&mut self, name: &str, depth: usize) -> Value {
        let schema = self.schema;
        let definition = &schema.types[name];
        match name {
            "Int" if self.chance(80) => json!(self.random.random_range(1..20)),
            "Int" => json!(self.pick(INTEGERS)),
            "Float" => json!(self.random.random::<f64>()),
            "Boolean" => json!(self.chance(50)),
            "ID" if self.chance(70) => json!(self.pick(self.ids)),
            _ if !definition.values.is_empty() => json!(self.pick(&definition.values)),
            _ if !definition.inputs.is_empty() => {
                let mut object = Map::new();
                for (field, wanted) in &definition.inputs {
                    let needed = matches!(wanted, Type::NonNull(_));
                    if depth < DEEPEST && self.chance(if needed { 98 } else { 50 }) {
                        object.insert(field.clone(), self.value(wanted, depth + 1));
                    }
                }
                Value::Object(object)
            }
            _ if self.chance(3) => json!("x".repeat(5_000)),
            _ => json!(self.pick(TEXTS)),
        }
    }

    fn wrong(&mut self) -> Value {
        let values = [
            json!(null),
            json!(1),
            json!(-1.5),
            json!(true),
            json!("wrong"),
            json!([]),
            json!([[1]]),
            json!({}),
            json!({"a": {"b": 1}}),
            json!(u64::MAX),
        ];
        self.pick(&values).cloned().unwrap_or_default()
    }

    /// Takes something out of a text, doubles it, or puts something in.
    fn spoil(&mut self, text: &str) -> String {
        let characters: Vec<char> = text.chars().collect();
        let from = self.random.random_range(0..=characters.len());
        let to = self.random.random_range(from..=characters.len().min(from + 20));
        let part = |range: std::ops::Range<usize>| -> String { characters[range].iter().collect() };
        let (start, middle, end) = (part(0..from), part(from..to), part(to..characters.len()));
        match self.random.random_range(0..3) {
            0 => format!("{start}{end}"),
            1 => format!("{start}{middle}{middle}{end}"),
            _ => format!("{start}{}{middle}{end}", self.pick(GARBAGE).copied().unwrap_or_default()),
        }
    }
}
