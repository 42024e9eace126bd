//! Expressions: conditions and computed values, written in CEL, the Common Expression Language.
//!
//! Values that an expression only passes on come out exactly as they went in: digits, key order, Unicode. Whole numbers
//! are computed with exactly or not at all. However an expression is written, it cannot run for ever.

mod arithmetic;
mod carry;
mod catalog;
mod compare;
mod error;
mod evaluate;
mod fold;
mod functions;
mod lists;
mod operations;
mod parse;
mod references;
mod scope;
#[cfg(test)]
mod tests;
mod value;

use std::sync::Arc;

use cel::common::ast::IdedExpr;

pub use error::Error;
use error::Fault;
use evaluate::Evaluation;
pub use parse::{DEEPEST, LONGEST};
pub use references::Reference;
pub use scope::Scope;
use value::Value;

use super::json::Json;

/// An expression that can be evaluated. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Expression(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    text: String,
    root: IdedExpr,
    references: Vec<Reference>,
}

impl Expression {
    /// Reads an expression, or says in one line what is wrong with it and at which column.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (root, references) = parse::parse(text)?;
        Ok(Self(Arc::new(Parsed { text: text.to_owned(), root, references: references.variables })))
    }

    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The variables that it names, with the members below them as far as they are certain.
    pub fn references(&self) -> &[Reference] {
        &self.0.references
    }

    /// The names of the variables.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.0.references.iter().filter_map(|reference| reference.path.first()).map(String::as_str)
    }

    /// Whether it names a variable.
    pub fn names(&self, variable: &str) -> bool {
        self.roots().any(|root| root == variable)
    }

    /// The members on the way to a value, if that is all that the expression says.
    pub fn path(&self) -> Option<&[String]> {
        match self.0.references.as_slice() {
            [only] if !only.optional && references::is_path(&self.0.root) => Some(&only.path),
            _ => None,
        }
    }

    pub fn evaluate(&self, scope: &Scope) -> Result<Json, Error> {
        let evaluation = Evaluation::new(scope);
        let result = evaluation.value(&self.0.root, None).and_then(|value| {
            if !matches!(value, Value::Given(_)) {
                evaluation.charge(value.weight())?;
            }
            value.into_json()
        });
        result.map_err(|fault| self.error(fault))
    }

    /// Whether a condition holds.
    pub fn holds(&self, scope: &Scope) -> Result<bool, Error> {
        Evaluation::new(scope).truth(&self.0.root, None).map_err(|fault| self.error(fault))
    }

    fn error(&self, fault: Fault) -> Error {
        Error::new(&self.0.text, fault.message)
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}
