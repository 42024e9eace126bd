//! Why a command was not carried out, in words that its maker can act on.

use std::borrow::Cow;

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
    /// The e-mail address or the password is wrong.
    InvalidCredentials,
    /// The link or the session has been used, has expired or was ended.
    Expired,
    /// There is no session to go on with.
    Unauthenticated,
    /// The account exists in several workspaces and the caller must say which.
    WorkspaceRequired,
    /// The same idempotency key came with a different request.
    IdempotencyKeyReused,
}

/// One thing that the caller can fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: Code,
    /// Names the field, the value and what would be right.
    pub message: Cow<'static, str>,
    /// Where in the input it is.
    pub path: Vec<&'static str>,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), path: Vec::new() }
    }

    /// A refusal of the input's field `field`.
    pub fn at(field: &'static str, code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), path: vec!["input", field] }
    }

    pub fn invalid(field: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::at(field, Code::Invalid, message)
    }
}
