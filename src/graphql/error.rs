//! What reaches the wire when something goes wrong.
//!
//! Resolvers return [`Fault`], never async-graphql's own error: that one is made from anything that can be
//! displayed, and a database error must not be displayed. What slips through all the same is masked on the way out.

use std::borrow::Cow;

use async_graphql::{ErrorExtensionValues, ServerError, SimpleObject};

use crate::{
    domain::{
        access::MissingRole,
        refusal::{self, Refusal},
        role::Role,
    },
    engine, store,
};

pub type Result<T> = std::result::Result<T, Fault>;

/// `extensions.code` of a top-level error. Part of the API: a code is never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    BadRequest,
    ParseFailed,
    ValidationFailed,
    BadUserInput,
    Unauthenticated,
    Forbidden,
    RateLimited,
    QueryTooLong,
    QueryTooDeep,
    QueryTooComplex,
    TooManyAliases,
    TooManyDirectives,
    TooManySubscriptions,
    BatchTooLarge,
    BodyTooLarge,
    Timeout,
    NotFound,
    Conflict,
    Gone,
    Internal,
}

impl Code {
    pub fn as_str(self) -> &'static str {
        match self {
            Code::BadRequest => "BAD_REQUEST",
            Code::ParseFailed => "GRAPHQL_PARSE_FAILED",
            Code::ValidationFailed => "GRAPHQL_VALIDATION_FAILED",
            Code::BadUserInput => "BAD_USER_INPUT",
            Code::Unauthenticated => "UNAUTHENTICATED",
            Code::Forbidden => "FORBIDDEN",
            Code::RateLimited => "RATE_LIMITED",
            Code::QueryTooLong => "QUERY_TOO_LONG",
            Code::QueryTooDeep => "QUERY_TOO_DEEP",
            Code::QueryTooComplex => "QUERY_TOO_COMPLEX",
            Code::TooManyAliases => "TOO_MANY_ALIASES",
            Code::TooManyDirectives => "TOO_MANY_DIRECTIVES",
            Code::TooManySubscriptions => "TOO_MANY_SUBSCRIPTIONS",
            Code::BatchTooLarge => "BATCH_TOO_LARGE",
            Code::BodyTooLarge => "BODY_TOO_LARGE",
            Code::Timeout => "TIMEOUT",
            Code::NotFound => "NOT_FOUND",
            Code::Conflict => "CONFLICT",
            Code::Gone => "GONE",
            Code::Internal => "INTERNAL",
        }
    }
}

/// A top-level error that is not about one field.
pub fn request_error(code: Code, message: impl Into<String>) -> ServerError {
    let mut error = ServerError::new(message, None);
    set_code(&mut error, code);
    error
}

pub fn set_code(error: &mut ServerError, code: Code) {
    error.extensions.get_or_insert_with(ErrorExtensionValues::default).set("code", code.as_str());
}

/// Why a field has no value. Deliberately not displayable, so that nothing converts it by accident.
#[derive(Debug, Clone)]
pub enum Fault {
    Unauthenticated,
    Forbidden(Role),
    RateLimited {
        retry_after_seconds: u64,
    },
    BadInput(String),
    /// Logged where it arose.
    Internal,
}

impl From<Fault> for async_graphql::Error {
    fn from(fault: Fault) -> Self {
        let (code, message) = match &fault {
            Fault::Unauthenticated => (Code::Unauthenticated, "sign in to use this".to_owned()),
            Fault::Forbidden(role) => (Code::Forbidden, format!("this needs the role {role}")),
            Fault::RateLimited { retry_after_seconds } => {
                (Code::RateLimited, format!("too many attempts: try again in {retry_after_seconds} s"))
            }
            Fault::BadInput(message) => (Code::BadUserInput, message.clone()),
            Fault::Internal => (Code::Internal, "internal error".to_owned()),
        };
        let mut extensions = ErrorExtensionValues::default();
        extensions.set("code", code.as_str());
        if let Fault::RateLimited { retry_after_seconds } = fault {
            extensions.set("retryAfterSeconds", retry_after_seconds);
        }
        Self { message, source: None, extensions: Some(extensions) }
    }
}

impl From<MissingRole> for Fault {
    fn from(MissingRole(role): MissingRole) -> Self {
        Fault::Forbidden(role)
    }
}

/// A refusal of something that is not a mutation's input.
impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Fault::BadInput(refusal.message.into_owned())
    }
}

impl From<store::Error> for Fault {
    fn from(error: store::Error) -> Self {
        tracing::error!(%error, "a query failed");
        Fault::Internal
    }
}

/// Something that the caller can fix, as part of a mutation's payload.
#[derive(Debug, Clone, SimpleObject)]
pub struct UserError {
    /// What is wrong, for programs.
    pub code: UserErrorCode,
    /// What is wrong and what would be right, for people.
    pub message: String,
    /// Where in the arguments it is, outermost first, as in `["input", "email"]`. Empty when it is about the whole.
    pub path: Vec<String>,
}

/// What is wrong with a mutation's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, async_graphql::Enum)]
#[graphql(remote = "refusal::Code")]
pub enum UserErrorCode {
    /// The value breaks a rule that the message states.
    Invalid,
    /// There is no such object in this workspace.
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
    /// The account exists in several workspaces: say which.
    WorkspaceRequired,
    /// The same idempotency key came with a different request.
    IdempotencyKeyReused,
}

impl From<Refusal> for UserError {
    fn from(refusal: Refusal) -> Self {
        Self {
            code: refusal.code.into(),
            message: refusal.message.into_owned(),
            path: refusal.path.into_iter().map(Cow::into_owned).collect(),
        }
    }
}

/// Splits a command's result into what a payload shows and what is a top-level error.
pub fn outcome<T>(result: engine::Result<T>) -> Result<std::result::Result<T, Vec<UserError>>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(engine::Error::Refused(refusals)) => Ok(Err(refusals.into_iter().map(UserError::from).collect())),
        Err(engine::Error::Forbidden(role)) => Err(Fault::Forbidden(role)),
        Err(engine::Error::RateLimited { retry_after }) => {
            Err(Fault::RateLimited { retry_after_seconds: retry_after.as_secs() + 1 })
        }
        Err(engine::Error::Store(error)) => Err(error.into()),
        Err(engine::Error::Internal(error)) => {
            tracing::error!(%error, "a command failed");
            Err(Fault::Internal)
        }
    }
}

/// An id argument of the right kind, or a refusal at `field`.
pub fn parse_id<T: std::str::FromStr<Err = crate::domain::id::Error>>(
    field: &'static str,
    id: &async_graphql::ID,
) -> std::result::Result<T, UserError> {
    id.parse().map_err(|error: crate::domain::id::Error| Refusal::invalid(field, error.to_string()).into())
}

/// An id argument of something that is not a mutation.
pub fn argument_id<T: std::str::FromStr<Err = crate::domain::id::Error>>(
    name: &str,
    id: &async_graphql::ID,
) -> Result<T> {
    id.parse().map_err(|error| Fault::BadInput(format!("`{name}`: {error}")))
}
