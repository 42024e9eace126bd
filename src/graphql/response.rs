//! An answer on its way out: the last place where something internal could slip through.

use async_graphql::{Response, ServerError, Value};
use serde::Serialize;

use super::error::{Code, request_error, set_code};

const MOST_ERRORS: usize = 100;

/// A GraphQL response as the specification shapes it.
#[derive(Debug, Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ServerError>,
    /// Absent when nothing was executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    #[serde(skip)]
    pub headers: axum::http::HeaderMap,
}

impl Answer {
    /// A request that was not executed.
    pub fn refused(errors: Vec<ServerError>) -> Self {
        Self { errors, data: None, headers: Default::default() }
    }

    /// What the library answered. `executed` tells whether it got past validation.
    pub fn new(response: Response, executed: bool) -> Self {
        let fallback = if executed { Code::BadUserInput } else { Code::ValidationFailed };
        let more = response.errors.len().saturating_sub(MOST_ERRORS);
        let mut errors: Vec<_> = response.errors.into_iter().map(|error| clean(error, fallback)).collect();
        // Each field that failed explains a null; of a document that is refused, nobody reads a thousand faults.
        if !executed && more > 0 {
            errors.truncate(MOST_ERRORS);
            errors.push(request_error(fallback, format!("{more} more errors like these")));
        }
        Self { errors, data: executed.then_some(response.data), headers: response.http_headers }
    }

    pub fn outcome(&self) -> &'static str {
        if self.errors.is_empty() { "ok" } else { "error" }
    }
}

/// Gives every error a code, and masks what was made from an error of our own by the library's blanket conversion.
fn clean(mut error: ServerError, fallback: Code) -> ServerError {
    if error.extensions.as_ref().is_some_and(|extensions| extensions.get("code").is_some()) {
        return error;
    }
    if error.source.is_some() {
        tracing::error!(error = error.message, "a resolver let an internal error through");
        error.message = "internal error".to_owned();
        error.source = None;
        set_code(&mut error, Code::Internal);
    } else {
        set_code(&mut error, fallback);
    }
    error
}
