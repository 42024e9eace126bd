//! Answers with the right status and type.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::negotiate::Media;
use crate::graphql::{Answer, Code};

/// The answer to one operation.
pub fn respond(answer: Answer, media: Media) -> Response {
    let status = match media {
        Media::GraphqlResponse if answer.data.is_none() => status_of(&answer),
        _ => StatusCode::OK,
    };
    let mut response = json(status, media, serde_json::to_vec(&answer));
    response.headers_mut().extend(answer.headers);
    response
}

/// The answers to a batch, in its order.
pub fn respond_batch(answers: Vec<Answer>, media: Media) -> Response {
    let mut response = json(StatusCode::OK, media, serde_json::to_vec(&answers));
    for answer in answers {
        response.headers_mut().extend(answer.headers);
    }
    response
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
    let code = answer.errors.iter().find_map(|error| match error.extensions.as_ref()?.get("code")? {
        async_graphql::Value::String(code) => Some(code.as_str()),
        _ => None,
    });
    match code {
        Some(code) if code == Code::Internal.as_str() => StatusCode::INTERNAL_SERVER_ERROR,
        Some(code) if code == Code::Timeout.as_str() => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    }
}
