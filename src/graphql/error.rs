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
    AnswerTooLarge,
    Overloaded,
    Timeout,
    NotFound,
    Conflict,
    Gone,
    Unavailable,
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
            Code::AnswerTooLarge => "ANSWER_TOO_LARGE",
            Code::Overloaded => "OVERLOADED",
            Code::Timeout => "TIMEOUT",
            Code::NotFound => "NOT_FOUND",
            Code::Conflict => "CONFLICT",
            Code::Gone => "GONE",
            Code::Unavailable => "UNAVAILABLE",
            Code::Internal => "INTERNAL",
        }
    }
}

/// What is said while the database is away.
pub const UNAVAILABLE: &str = "the server cannot reach its database: try again in a moment";
/// When it is worth trying again.
pub const RETRY_AFTER_SECONDS: u64 = 2;

/// A whole request that fails because the database is away.
pub fn unavailable_error() -> ServerError {
    let mut error = request_error(Code::Unavailable, UNAVAILABLE);
    error.extensions.get_or_insert_with(ErrorExtensionValues::default).set("retryAfterSeconds", RETRY_AFTER_SECONDS);
    error
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
    /// Why, in words for whoever asked.
    NotAllowed(String),
    RateLimited {
        retry_after_seconds: u64,
    },
    Overloaded {
        retry_after_seconds: u64,
    },
    BadInput(String),
    /// The database is away for now. Logged where it arose.
    Unavailable,
    /// Logged where it arose.
    Internal,
}

impl From<Fault> for async_graphql::Error {
    fn from(fault: Fault) -> Self {
        let (code, message) = match &fault {
            Fault::Unauthenticated => (Code::Unauthenticated, "sign in to use this".to_owned()),
            Fault::Forbidden(role) => (Code::Forbidden, format!("this needs the role {role}")),
            Fault::NotAllowed(message) => (Code::Forbidden, message.clone()),
            Fault::RateLimited { retry_after_seconds } => {
                (Code::RateLimited, format!("too many attempts: try again in {retry_after_seconds} s"))
            }
            Fault::Overloaded { retry_after_seconds } => {
                let message = format!("the server has too much to compute: try again in {retry_after_seconds} s");
                (Code::Overloaded, message)
            }
            Fault::BadInput(message) => (Code::BadUserInput, message.clone()),
            Fault::Unavailable => (Code::Unavailable, UNAVAILABLE.to_owned()),
            Fault::Internal => (Code::Internal, "internal error".to_owned()),
        };
        let mut extensions = ErrorExtensionValues::default();
        extensions.set("code", code.as_str());
        match fault {
            Fault::RateLimited { retry_after_seconds } | Fault::Overloaded { retry_after_seconds } => {
                extensions.set("retryAfterSeconds", retry_after_seconds);
            }
            Fault::Unavailable => extensions.set("retryAfterSeconds", RETRY_AFTER_SECONDS),
            _ => {}
        }
        Self { message, source: None, extensions: Some(extensions) }
    }
}

impl From<MissingRole> for Fault {
    fn from(missing: MissingRole) -> Self {
        missing.advice().map_or(Fault::Forbidden(missing.role), |why| Fault::NotAllowed(why.to_owned()))
    }
}

/// A refusal of something that is not a mutation's input.
impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal.code {
            refusal::Code::NotAllowed => Fault::NotAllowed(refusal.message.into_owned()),
            _ => Fault::BadInput(refusal.message.into_owned()),
        }
    }
}

impl From<store::Error> for Fault {
    fn from(error: store::Error) -> Self {
        Fault::of_store(&error, "a query failed")
    }
}

impl Fault {
    /// Logs an error of the database and says what its caller may know.
    pub fn of_store(error: &store::Error, what: &'static str) -> Self {
        tracing::error!(%error, "{what}");
        if error.is_unavailable() { Fault::Unavailable } else { Fault::Internal }
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
    /// There are as many as there may be: the message names the limit.
    LimitReached,
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
        Err(engine::Error::Busy { retry_after }) => {
            Err(Fault::Overloaded { retry_after_seconds: retry_after.as_secs() })
        }
        Err(engine::Error::Store(error)) => Err(error.into()),
        Err(engine::Error::Internal(error)) => {
            tracing::error!(%error, "a command failed");
            Err(Fault::Internal)
        }
    }
}

/// The result of a command that is not a mutation: what a mutation would show in its payload is a top-level error.
pub fn permitted<T>(result: engine::Result<T>) -> Result<T> {
    match result {
        Err(engine::Error::Refused(refusals)) => Err(refusals.into_iter().next().map_or(Fault::Internal, Fault::from)),
        result => outcome(result)?.map_err(|_| Fault::Internal),
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
