//! What is wrong with a workflow's document.

use async_graphql::{Enum, SimpleObject};

use crate::domain::document::{Problem, ProblemCode};

/// What is wrong, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "ProblemCode")]
pub enum WorkflowProblemCode {
    /// The text cannot be read as a document.
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
    /// An agent that does not exist.
    UnknownAgent,
    /// A step that does not exist.
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

/// One thing that is wrong with a workflow's document.
#[derive(Debug, Clone, SimpleObject)]
pub struct WorkflowProblem {
    /// Where in the document, as a JSON pointer such as `/steps/0/agent`. Empty when it is about the whole.
    pub path: String,
    /// What is wrong, for programs.
    pub code: WorkflowProblemCode,
    /// What is wrong and what would be right, for people.
    pub message: String,
    /// The input fields that would need a mapping by hand, where schemas do not fit.
    pub fields: Vec<String>,
}

impl From<Problem> for WorkflowProblem {
    fn from(problem: Problem) -> Self {
        Self { path: problem.path, code: problem.code.into(), message: problem.message, fields: problem.fields }
    }
}
