//! What agents of the kind TRANSFORM do: compute their output from their input.

use super::{
    agent::Transform,
    document::{Place, Problem, ProblemCode},
    expression::{Error, Scope},
    json::Json,
    mapping::{Origin, Variables},
    workflow::Source,
};

/// The only variable that a transform sees.
const INPUT: &str = "input";

/// A transform that was read once and can be run often.
#[derive(Debug, Clone, PartialEq)]
pub enum Transformation {
    Value(Origin),
    Fields(Vec<(String, Origin)>),
}

impl Transformation {
    /// Reads a transform that stands at a place in a document, with every problem of its sources.
    pub fn compile(transform: &Transform, place: &Place) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut read = |source: &Source, place: Place| {
            let origin = Origin::read(source).and_then(|origin| only_of_input(&origin).map(|()| origin));
            origin.map_err(|message| problems.push(place.problem(ProblemCode::BadExpression, message))).ok()
        };
        let compiled = match transform {
            Transform::Value(source) => read(source, place.clone()).map(Transformation::Value),
            Transform::Fields(fields) => {
                let origins: Vec<Option<(String, Origin)>> = fields
                    .iter()
                    .map(|(name, source)| Some((name.clone(), read(source, place.child(name))?)))
                    .collect();
                origins.into_iter().collect::<Option<Vec<_>>>().map(Transformation::Fields)
            }
        };
        compiled.ok_or(problems)
    }

    pub fn run(&self, input: &Json) -> Result<Json, Error> {
        self.run_in(input, Scope::default())
    }

    /// The same if no expression takes more than so much work.
    pub fn run_within(&self, input: &Json, work: u64) -> Result<Json, Error> {
        self.run_in(input, Scope::default().within(work))
    }

    fn run_in(&self, input: &Json, scope: Scope) -> Result<Json, Error> {
        let variables = Input { value: input, scope: scope.with(INPUT, input.clone()) };
        match self {
            Transformation::Value(origin) => origin.value(&variables),
            Transformation::Fields(fields) => {
                let mut made = Vec::with_capacity(fields.len());
                for (name, origin) in fields {
                    made.push((name.as_str(), origin.value(&variables)?));
                }
                Ok(Json::object(made.iter().map(|(name, value)| (*name, value.raw()))))
            }
        }
    }
}

struct Input<'a> {
    value: &'a Json,
    scope: Scope,
}

impl Variables for Input<'_> {
    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn start(&self, segments: &[String]) -> Option<(Json, usize)> {
        segments.first().filter(|first| *first == INPUT).map(|_| (self.value.clone(), 1))
    }
}

fn only_of_input(origin: &Origin) -> Result<(), String> {
    match origin.paths().into_iter().find(|path| path.first().is_none_or(|root| root != INPUT)) {
        Some(path) => {
            let name = path.first().map(String::as_str).unwrap_or_default();
            Err(format!("there is no variable `{name}`: a transform sees only `{INPUT}`"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expression(text: &str) -> Source {
        Source::Expression(text.to_owned())
    }

    fn run(transform: &Transform, input: &str) -> Result<String, String> {
        let compiled = Transformation::compile(transform, &Place::default()).expect("compiles");
        let output = compiled.run(&Json::parse(input).expect("valid")).map_err(|error| error.to_string())?;
        Ok(output.text().to_owned())
    }

    #[test]
    fn fields_are_made_in_their_order() {
        let transform = Transform::Fields(vec![
            ("z".to_owned(), Source::Path("/input/n".to_owned())),
            ("a".to_owned(), expression("input.n + 1.5")),
            ("c".to_owned(), Source::Constant(json!({"x": [1]}))),
        ]);
        assert_eq!(run(&transform, r#"{"n":1.50}"#).as_deref(), Ok(r#"{"z":1.50,"a":3.0,"c":{"x":[1]}}"#));
        assert_eq!(run(&transform, "{}").expect_err("missing"), "`/input/n`: no such field `n` in `/input`");
    }

    #[test]
    fn a_value_can_be_anything() {
        let transform = Transform::Value(expression("input.map(i, i * 2)"));
        assert_eq!(run(&transform, "[1, 2]").as_deref(), Ok("[2,4]"));
        let whole = Transform::Value(Source::Path("/input".to_owned()));
        assert_eq!(run(&whole, r#"{"a": 1.0}"#).as_deref(), Ok(r#"{"a": 1.0}"#));
    }

    #[test]
    fn all_problems_have_their_place() {
        let transform = Transform::Fields(vec![
            ("a".to_owned(), expression("steps.x + 1")),
            ("b/c".to_owned(), Source::Path("/context/x".to_owned())),
            ("d".to_owned(), expression("1 +")),
        ]);
        let problems = Transformation::compile(&transform, &Place::default().child("fields")).expect_err("problems");
        let found: Vec<(&str, &str)> = problems.iter().map(|p| (p.path.as_str(), p.message.as_str())).collect();
        assert_eq!(
            found,
            [
                ("/fields/a", "there is no variable `steps`: a transform sees only `input`"),
                ("/fields/b~1c", "there is no variable `context`: a transform sees only `input`"),
                ("/fields/d", "column 4: mismatched input the end"),
            ]
        );
    }
}
