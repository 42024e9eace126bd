//! Why a command was not carried out, in words that its maker can act on.

use std::borrow::Cow;

use super::{document::Problem, json};

/// What is wrong, for programs. Part of the API: a code is never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The value breaks a rule that the message states.
    Invalid,
    /// No such object in this workspace.
    NotFound,
    /// The name or address is in use.
    AlreadyExists,
    /// The object's state does not allow this.
    Conflict,
    /// Somebody has decided already.
    AlreadyDecided,
    /// What was decided on has changed since.
    Stale,
    /// The caller is not among those who may do this here.
    NotAllowed,
    /// The e-mail address or the password is wrong.
    InvalidCredentials,
    /// The link, the session or the lease has been used, has expired or was ended.
    Expired,
    /// There is no session to go on with.
    Unauthenticated,
    /// The account exists in several workspaces and the caller must say which.
    WorkspaceRequired,
    /// The same idempotency key came with a different request.
    IdempotencyKeyReused,
    /// There are as many as there may be.
    LimitReached,
}

/// One thing that the caller can fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: Code,
    /// Names the field, the value and what would be right.
    pub message: Cow<'static, str>,
    /// Where in the input it is.
    pub path: Vec<Cow<'static, str>>,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), path: Vec::new() }
    }

    /// A refusal of the input's field `field`.
    pub fn at(field: &'static str, code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), path: vec!["input".into(), field.into()] }
    }

    pub fn invalid(field: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::at(field, Code::Invalid, message)
    }

    /// A problem of the document that came in the input's field `field`.
    pub fn of_problem(field: &'static str, problem: &Problem) -> Self {
        let mut refusal = Self::invalid(field, problem.message.clone());
        refusal.path.extend(json::pointer_segments(&problem.path).unwrap_or_default().into_iter().map(Cow::from));
        refusal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::document::{Place, ProblemCode};

    #[test]
    fn a_problem_is_refused_at_its_place() {
        let place = Place::default().child("steps").child(0).child("a/b");
        let refusal = Refusal::of_problem("definition", &place.problem(ProblemCode::Missing, "`a/b` is missing"));
        assert_eq!(refusal.path, ["input", "definition", "steps", "0", "a/b"]);
        let whole = Place::default().problem(ProblemCode::WrongType, "expected an object");
        assert_eq!(Refusal::of_problem("source", &whole).path, ["input", "source"]);
    }
}
