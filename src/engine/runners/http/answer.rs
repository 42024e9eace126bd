//! Reads an answer: its status, its size, its JSON.

use reqwest::{
    Response, StatusCode,
    header::{CONTENT_ENCODING, CONTENT_TYPE},
};
use tokio::time::Instant;

use super::{Failure, FailureCode, client};
use crate::{domain::json::Json, engine::secrets::Secrets};

/// How much of an answer that is not JSON is shown.
const SHOWN_OF_OUTPUT: usize = 200;
/// How much of an answer that tells of an error is shown.
const SHOWN_OF_ERROR: usize = 1_000;

/// The output that a successful answer holds.
pub async fn read(origin: &str, response: Response, limit: usize, secrets: &Secrets) -> Result<Json, Failure> {
    let header =
        |name| response.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let (status, content_type, encoding) = (response.status(), header(CONTENT_TYPE), header(CONTENT_ENCODING));
    let body = body(origin, response, limit).await?;
    if [StatusCode::NO_CONTENT, StatusCode::RESET_CONTENT].contains(&status) || body.trim_ascii().is_empty() {
        return Ok(Json::null());
    }
    Json::parse_vec(body).map_err(|(error, body)| {
        let content_type = content_type.map_or_else(|| "no content type".to_owned(), |text| format!("`{text}`"));
        let encoding = encoding.map(|text| format!(" in the encoding `{text}`, which is not read")).unwrap_or_default();
        let begin = beginning(&body, SHOWN_OF_OUTPUT, secrets);
        let message = format!(
            "`{origin}` answered with {content_type}{encoding}, which is not JSON that can be kept: {error}; \
             it begins with `{begin}`"
        );
        Failure::new(FailureCode::BadOutput, message)
    })
}

/// The failure that any other answer means. Of its body, what comes before the deadline is shown.
pub async fn refused(origin: &str, response: Response, limit: usize, secrets: &Secrets, deadline: Instant) -> Failure {
    let status = response.status();
    let body = tokio::time::timeout_at(deadline, body(origin, response, limit)).await;
    let details = body.ok().and_then(Result::ok).map(|body| beginning(&body, SHOWN_OF_ERROR, secrets));
    Failure {
        details: details.filter(|text| !text.is_empty()),
        retryable: is_retryable(status),
        ..Failure::new(FailureCode::HttpStatus, format!("`{origin}` answered {status}"))
    }
}

/// What the server may answer differently another time.
fn is_retryable(status: StatusCode) -> bool {
    let passing = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    status.is_server_error() || passing.contains(&status)
}

/// The body, unless it is larger than the limit: then no more of it is read.
async fn body(origin: &str, mut response: Response, limit: usize) -> Result<Vec<u8>, Failure> {
    let too_large = |size: &str| {
        Failure::new(FailureCode::TooLarge, format!("`{origin}` answered with {size}: at most {limit} are taken"))
    };
    if let Some(length) = response.content_length().filter(|length| *length > limit as u64) {
        return Err(too_large(&format!("{length} bytes")));
    }
    let mut body = Vec::with_capacity(response.content_length().and_then(|length| length.try_into().ok()).unwrap_or(0));
    while let Some(chunk) = response.chunk().await.map_err(|error| client::failure(origin, &error))? {
        if body.len() + chunk.len() > limit {
            return Err(too_large(&format!("more than {limit} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The first characters of a body, without secrets: these are taken out first, so that none is cut in two.
fn beginning(body: &[u8], characters: usize, secrets: &Secrets) -> String {
    secrets.redact(&String::from_utf8_lossy(body)).chars().take(characters).collect()
}
