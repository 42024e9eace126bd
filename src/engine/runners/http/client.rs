//! The HTTP client: no proxies, no decompression, no redirects to others; and what its errors mean.

use std::error::Error as StdError;

use reqwest::{StatusCode, redirect};
use url::Url;

use super::{
    Failure, FailureCode,
    guard::{Guard, Refused},
};
use crate::engine::{Error, Result};

const MOST_REDIRECTS: usize = 5;

/// A client that resolves names through the guard.
pub fn build(guard: Guard) -> Result<reqwest::Client> {
    let literals = guard.clone();
    reqwest::Client::builder()
        .dns_resolver(guard)
        .redirect(redirect::Policy::custom(move |attempt| follow(&literals, attempt)))
        // A proxy would resolve names itself, and the address of the page before may hold a secret.
        .no_proxy()
        .referer(false)
        // A small compressed answer can be a huge value.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate()
        .build()
        .map_err(|error| Error::Internal(format!("cannot make an HTTP client: {error}")))
}

/// Why a redirect is not followed.
#[derive(Debug, thiserror::Error)]
enum NotFollowed {
    #[error(
        "answered {status} and points to `{to}`: redirects are followed only within the same scheme, host and port"
    )]
    Elsewhere { status: StatusCode, to: String },
    #[error("redirected more than {MOST_REDIRECTS} times")]
    TooMany,
}

/// Follows within the same origin, so that neither secrets nor the input go anywhere else.
fn follow(guard: &Guard, attempt: redirect::Attempt<'_>) -> redirect::Action {
    let from = attempt.previous().first().map(Url::origin);
    if from != Some(attempt.url().origin()) {
        let not_followed =
            NotFollowed::Elsewhere { status: attempt.status(), to: attempt.url().origin().ascii_serialization() };
        attempt.error(not_followed)
    } else if attempt.previous().len() > MOST_REDIRECTS {
        attempt.error(NotFollowed::TooMany)
    } else if let Some(refused) = guard.refused(attempt.url()) {
        attempt.error(refused)
    } else {
        attempt.follow()
    }
}

/// What an error of the client means. The URL is left out: it may hold a secret.
pub fn failure(origin: &str, error: &reqwest::Error) -> Failure {
    if let Some(refused) = cause::<Refused>(error) {
        return Failure::new(FailureCode::Forbidden, refused.to_string());
    }
    if let Some(not_followed) = cause::<NotFollowed>(error) {
        return Failure::new(FailureCode::HttpStatus, format!("`{origin}` {not_followed}"));
    }
    let reason = root_cause(error);
    if error.is_builder() {
        Failure::new(FailureCode::BadInput, format!("the request to `{origin}` cannot be sent: {reason}"))
    } else if error.is_timeout() {
        Failure::new(FailureCode::Timeout, format!("`{origin}` did not answer in time"))
    } else if error.is_connect() {
        Failure::new(FailureCode::Network, format!("cannot reach `{origin}`: {reason}"))
    } else {
        Failure::new(FailureCode::Network, format!("the connection to `{origin}` broke: {reason}"))
    }
}

fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(error.source(), |cause| (*cause).source())
}

fn cause<T: StdError + 'static>(error: &reqwest::Error) -> Option<&T> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// The innermost text, which says what happened instead of where it was noticed.
fn root_cause(error: &reqwest::Error) -> String {
    causes(error).last().map_or_else(|| "no reason is known".to_owned(), ToString::to_string)
}
