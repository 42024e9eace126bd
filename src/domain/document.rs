//! Reading documents that people write: all problems at once, each with its place.

mod positions;
pub mod yaml;

use serde_json::{Map, Value};

pub use positions::{Position, Positions, locate};

/// How much of a value is shown in a message. Comparing longer names takes more memory than their senders should have.
const LONGEST_SHOWN: usize = 64;

/// How many problems of one document are told: who has so many does not read on.
pub const MOST_PROBLEMS: usize = 100;

/// Reads the text of a document, which is YAML or JSON.
pub fn read_text(text: &str) -> Result<Value, Problem> {
    yaml::read(text).map_err(|error| {
        let mut problem = Place::default().problem(ProblemCode::Syntax, error.to_string());
        (problem.line, problem.column) = (Some(error.line), Some(error.column));
        problem
    })
}

/// What is wrong, for programs. Part of the API: a code is never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemCode {
    /// A text that cannot be read as a document.
    Syntax,
    /// A field that does not exist.
    UnknownField,
    /// A field that must be there is not.
    Missing,
    /// A value of another type than expected.
    WrongType,
    /// A value of the right type that breaks a rule.
    InvalidValue,
    /// Two things with the same key.
    Duplicate,
    /// A reference to an agent that does not exist.
    UnknownAgent,
    /// A reference to a step that does not exist.
    UnknownStep,
    /// Steps that need each other in a circle.
    Cycle,
    /// A step that can never run.
    Unreachable,
    /// An expression that does not parse, or names what does not exist.
    BadExpression,
    /// Not a JSON Schema.
    BadSchema,
    /// What one step gives does not fit what the next one takes.
    SchemaMismatch,
    /// More than is allowed.
    TooMany,
}

/// One thing that is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as a JSON pointer.
    pub path: String,
    pub code: ProblemCode,
    /// What is wrong and what would be right.
    pub message: String,
    /// The input fields that would need a mapping by hand, where schemas do not fit.
    pub fields: Vec<String>,
    /// In which line of the text, from 1, where that is known.
    pub line: Option<usize>,
    /// At which character of that line, from 1.
    pub column: Option<usize>,
}

impl Problem {
    /// What is wrong, with its line and column where they are known.
    pub fn told(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: {}", self.message),
            _ => self.message.clone(),
        }
    }
}

/// A place in a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place(String);

impl Place {
    /// The place of a field or item within this one.
    pub fn child(&self, name: impl std::fmt::Display) -> Self {
        let name = name.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{name}", self.0))
    }

    /// The name of the field that it is.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    pub fn problem(&self, code: ProblemCode, message: impl Into<String>) -> Problem {
        Problem { path: self.0.clone(), code, message: message.into(), fields: Vec::new(), line: None, column: None }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The problems found so far.
#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub fn add(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn into_vec(self) -> Vec<Problem> {
        self.0
    }
}

/// An object that is being read, field by field.
pub struct Object<'a> {
    fields: &'a Map<String, Value>,
    place: Place,
    known: Vec<&'static str>,
    /// The fields whose value may be null.
    nullable: Vec<&'static str>,
    strict: bool,
}

impl<'a> Object<'a> {
    /// Starts to read an object, or notes that it is none.
    pub fn open(value: &'a Value, place: Place, problems: &mut Problems) -> Option<Self> {
        match value {
            Value::Object(fields) => {
                Some(Self { fields, place, known: Vec::new(), nullable: Vec::new(), strict: false })
            }
            _ => {
                problems.add(wrong_type(&place, "an object", value));
                None
            }
        }
    }

    /// Reads on with every null as a problem. Otherwise it counts as absent, and a value that somebody forgot would
    /// take a condition away.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Where the object itself is.
    pub fn own_place(&self) -> &Place {
        &self.place
    }

    pub fn place(&self, name: &str) -> Place {
        self.place.child(name)
    }

    /// A field's value, unless it is absent or null.
    pub fn get(&mut self, name: &'static str) -> Option<&'a Value> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// A field's value, even if that is null.
    pub fn get_any(&mut self, name: &'static str) -> Option<&'a Value> {
        self.nullable.push(name);
        self.get(name).or_else(|| self.fields.get(name))
    }

    /// A field's value as something, or a note of what was expected.
    pub fn read<T>(
        &mut self,
        name: &'static str,
        expected: &str,
        problems: &mut Problems,
        convert: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(name)?;
        let converted = convert(value);
        if converted.is_none() {
            problems.add(wrong_type(&self.place(name), expected, value));
        }
        converted
    }

    pub fn text(&mut self, name: &'static str, problems: &mut Problems) -> Option<&'a str> {
        self.read(name, "a text", problems, Value::as_str)
    }

    /// A text that must be there and must not be empty.
    pub fn required_text(&mut self, name: &'static str, problems: &mut Problems) -> Option<&'a str> {
        if self.require(name, problems) {
            let text = self.text(name, problems)?;
            if text.trim().is_empty() {
                problems.add(self.place(name).problem(ProblemCode::InvalidValue, format!("`{name}` is empty")));
                return None;
            }
            Some(text)
        } else {
            None
        }
    }

    /// A whole number within bounds.
    pub fn number(
        &mut self,
        name: &'static str,
        range: std::ops::RangeInclusive<u64>,
        problems: &mut Problems,
    ) -> Option<u64> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(name, &expected, problems, |value| value.as_u64().filter(|number| range.contains(number)))
    }

    /// One of a few words.
    pub fn word<T>(&mut self, name: &'static str, words: &[(&'static str, T)], problems: &mut Problems) -> Option<T>
    where
        T: Copy,
    {
        let expected: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let expected = format!("one of {}", expected.join(", "));
        self.read(name, &expected, problems, |value| {
            let text = value.as_str()?;
            words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
        })
    }

    /// Notes a field that must be there and is not.
    pub fn require(&mut self, name: &'static str, problems: &mut Problems) -> bool {
        let present = self.get(name).is_some();
        let told_at_the_end = self.strict && self.fields.contains_key(name);
        if !present && !told_at_the_end {
            problems.add(self.place(name).problem(ProblemCode::Missing, format!("`{name}` is missing")));
        }
        present
    }

    /// Notes every field that nobody has asked for, and where nothing may be null, what is.
    pub fn close(self, problems: &mut Problems) {
        let empty = |name: &&&str| self.fields.get(**name).is_some_and(Value::is_null);
        for name in self.known.iter().filter(|name| self.strict && !self.nullable.contains(name)).filter(empty) {
            let message = format!("`{name}` has no value: give one, or leave the field out");
            problems.add(self.place.child(name).problem(ProblemCode::Missing, message));
        }
        for name in self.fields.keys().filter(|name| !self.known.contains(&name.as_str())) {
            let shown: String = name.chars().take(LONGEST_SHOWN).collect();
            let near = self.known.iter().map(|known| (strsim::damerau_levenshtein(&shown, known), known)).min();
            let hint = match near {
                Some((distance, known)) if distance <= 2 => format!(": did you mean `{known}`?"),
                _ => format!(": there is {}", self.known.join(", ")),
            };
            let message = format!("`{shown}` is not a field{hint}");
            problems.add(self.place.child(name).problem(ProblemCode::UnknownField, message));
        }
    }
}

/// Notes a value of another type than expected.
pub fn wrong_type(place: &Place, expected: &str, value: &Value) -> Problem {
    let shown = match value {
        Value::Null => "null".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        scalar => {
            let text: String = scalar.to_string().chars().take(LONGEST_SHOWN).collect();
            format!("`{text}`")
        }
    };
    place.problem(ProblemCode::WrongType, format!("expected {expected}, found {shown}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_problems_are_told_with_their_place() {
        let value = json!({"nam": "x", "a/b": 1, "size": 11, "kind": "huge"});
        let mut problems = Problems::default();
        let mut object = Object::open(&value, Place::default(), &mut problems).expect("an object");
        object.required_text("name", &mut problems);
        object.number("size", 1..=10, &mut problems);
        object.word("kind", &[("SMALL", 1), ("LARGE", 2)], &mut problems);
        object.close(&mut problems);
        let found: Vec<(String, String)> = problems.into_vec().into_iter().map(|p| (p.path, p.message)).collect();
        let expected = [
            ("/name", "`name` is missing"),
            ("/size", "expected a whole number from 1 to 10, found `11`"),
            ("/kind", "expected one of `SMALL`, `LARGE`, found `\"huge\"`"),
            ("/nam", "`nam` is not a field: did you mean `name`?"),
            ("/a~1b", "`a/b` is not a field: there is name, size, kind"),
        ];
        let expected: Vec<(String, String)> =
            expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn texts_are_read_exactly_or_not_at_all() {
        let value = read_text(r#"{"z": 123456789012345678901234567890, "a": 1.0}"#).expect("a document");
        assert_eq!(value.to_string(), r#"{"z":123456789012345678901234567890,"a":1.0}"#);
        assert_eq!(read_text("z: 1.0\nsteps: [a]").expect("YAML").to_string(), r#"{"z":1.0,"steps":["a"]}"#);
        for text in ["", "{", r#"{"a": 1, "a": 2}"#] {
            assert_eq!(read_text(text).expect_err(text).code, ProblemCode::Syntax);
        }
        let problem = read_text("a: 1\na: 2").expect_err("twice");
        assert_eq!((problem.line, problem.column), (Some(2), Some(1)));
    }

    #[test]
    fn a_strict_object_has_no_field_without_a_value() {
        let value = json!({"a": null, "b": null, "c": null});
        let mut problems = Problems::default();
        let mut object = Object::open(&value, Place::default(), &mut problems).expect("an object").strict();
        object.required_text("a", &mut problems);
        assert_eq!((object.get("b"), object.get_any("c"), object.get_any("d")), (None, Some(&Value::Null), None));
        object.close(&mut problems);
        let messages: Vec<String> = problems.into_vec().into_iter().map(|problem| problem.message).collect();
        let expected = ["a", "b"].map(|name| format!("`{name}` has no value: give one, or leave the field out"));
        assert_eq!(messages, expected);
    }

    #[test]
    fn what_is_not_an_object_is_said_so() {
        let mut problems = Problems::default();
        assert!(Object::open(&json!([1, 2]), Place::default().child("steps").child(0), &mut problems).is_none());
        assert_eq!(problems.into_vec()[0].message, "expected an object, found a list of 2");
    }
}
