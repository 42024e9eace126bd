//! Where values come from, ready to be fetched: pointers, expressions and constants.

use super::{
    expression::{Error, Expression, Scope},
    json::{Json, pointer_segments},
    workflow::Source,
};

/// A source of a value that was read once and can be used often.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// A JSON pointer below one of the variables.
    Pointer {
        text: String,
        segments: Vec<String>,
    },
    Expression(Expression),
    Constant(Json),
}

impl Origin {
    /// Reads a source, or says in one line what is wrong with it.
    pub fn read(source: &Source) -> Result<Self, String> {
        match source {
            Source::Path(text) => match pointer_segments(text) {
                Some(segments) => Ok(Origin::Pointer { text: text.clone(), segments }),
                None => Err(format!("`{text}` is not a JSON pointer: it must start with `/`")),
            },
            Source::Expression(text) => Expression::parse(text).map(Origin::Expression),
            Source::Constant(value) => Json::from_value(value).map(Origin::Constant).map_err(|error| error.to_string()),
        }
    }

    /// Whether the value is computed, and not merely copied from somewhere.
    pub fn is_computed(&self) -> bool {
        matches!(self, Origin::Expression(expression) if expression.path().is_none())
    }

    /// The variables that it needs, with the members below them as far as they are certain.
    pub fn paths(&self) -> Vec<&[String]> {
        match self {
            Origin::Pointer { segments, .. } => vec![segments],
            Origin::Expression(expression) => {
                expression.references().iter().map(|reference| reference.path.as_slice()).collect()
            }
            Origin::Constant(_) => Vec::new(),
        }
    }

    /// Fetches or computes the value.
    pub fn value(&self, variables: &impl Variables) -> Result<Json, Error> {
        match self {
            Origin::Pointer { text, segments } => follow(text, segments, variables),
            Origin::Expression(expression) => expression.evaluate(variables.scope()),
            Origin::Constant(value) => Ok(value.clone()),
        }
    }
}

/// What pointers and expressions can reach.
pub trait Variables {
    /// The variables for expressions.
    fn scope(&self) -> &Scope;

    /// The value at a pointer's first segments and how many of them it took.
    fn start(&self, segments: &[String]) -> Option<(Json, usize)>;
}

fn follow(text: &str, segments: &[String], variables: &impl Variables) -> Result<Json, Error> {
    let missing = |taken: usize| {
        let parent = segments.iter().take(taken).fold(String::new(), |path, segment| path + "/" + segment);
        let name = segments.get(taken).map(String::as_str).unwrap_or_default();
        let within = if parent.is_empty() { "among the variables".to_owned() } else { format!("in `{parent}`") };
        Error::new(text, format!("no such field `{name}` {within}"))
    };
    let (mut value, taken) = variables.start(segments).ok_or_else(|| missing(usize::from(segments.len() > 1)))?;
    let rest = segments.get(taken..).unwrap_or_default();
    if let Some(found) = value.at(rest.iter().map(String::as_str)) {
        return Ok(found);
    }
    for (number, segment) in rest.iter().enumerate() {
        value = value.at([segment.as_str()]).ok_or_else(|| missing(taken + number))?;
    }
    Ok(value)
}
