//! Answers with the right status and type.

use std::time::Duration;

use async_graphql::{ServerError, Value};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::negotiate::Media;
use crate::{
    graphql::{Answer, Code, RETRY_AFTER_SECONDS},
    http::limits,
};

/// The answer to one operation.
pub fn respond(answer: Answer, media: Media) -> Response {
    let failed_for_now = failed_for_now(&answer);
    let status = match media {
        _ if failed_for_now => StatusCode::SERVICE_UNAVAILABLE,
        Media::GraphqlResponse if answer.data.is_none() => status_of(&answer),
        _ => StatusCode::OK,
    };
    let mut response = json(status, media, serde_json::to_vec(&answer));
    response.headers_mut().extend(answer.headers);
    if failed_for_now { come_back(response) } else { response }
}

/// The answers to a batch, in its order.
pub fn respond_batch(answers: Vec<Answer>, media: Media) -> Response {
    let failed_for_now = answers.iter().all(failed_for_now);
    let status = if failed_for_now { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let mut response = json(status, media, serde_json::to_vec(&answers));
    for answer in answers {
        response.headers_mut().extend(answer.headers);
    }
    if failed_for_now { come_back(response) } else { response }
}

/// Whether there is nothing in it because the database is away: whatever the client understands of GraphQL, it and every
/// proxy in between know what 503 means.
fn failed_for_now(answer: &Answer) -> bool {
    let nothing = answer.data.as_ref().is_none_or(|data| *data == Value::Null);
    nothing
        && !answer.errors.is_empty()
        && answer.errors.iter().all(|error| code_of(error) == Some(Code::Unavailable.as_str()))
}

/// Says when to come back.
fn come_back(response: Response) -> Response {
    limits::retry_after(response, Duration::from_secs(RETRY_AFTER_SECONDS))
}

fn json(status: StatusCode, media: Media, body: serde_json::Result<Vec<u8>>) -> Response {
    match body {
        Ok(body) => {
            let content_type = HeaderValue::from_static(media.content_type());
            (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "cannot write an answer");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The status of a request that was not executed.
fn status_of(answer: &Answer) -> StatusCode {
    match answer.errors.iter().find_map(code_of) {
        Some(code) if code == Code::Internal.as_str() => StatusCode::INTERNAL_SERVER_ERROR,
        Some(code) if code == Code::Timeout.as_str() => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    }
}

fn code_of(error: &ServerError) -> Option<&str> {
    match error.extensions.as_ref()?.get("code")? {
        Value::String(code) => Some(code),
        _ => None,
    }
}
