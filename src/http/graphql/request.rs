//! Reading a GraphQL request from a URL or a body.

use async_graphql::Request;
use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, Uri, header},
    response::Response,
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use mime::Mime;
use serde_json::{Map, Value};

use super::{negotiate::Media, refuse};
use crate::graphql::{Code, variables};

/// What a client sent.
pub enum Incoming {
    Single(Box<Request>),
    Batch(Vec<Request>),
}

/// A request that is not one.
#[derive(Debug)]
pub struct Malformed {
    status: StatusCode,
    code: Code,
    message: String,
}

impl Malformed {
    fn bad(message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code: Code::BadRequest, message: message.into() }
    }

    pub fn respond(self, media: Media) -> Response {
        refuse(media, self.status, self.code, self.message)
    }

    pub fn into_message(self) -> String {
        self.message
    }
}

/// Reads `?query=…&operationName=…&variables=…&extensions=…`.
pub fn from_url(uri: &Uri) -> Result<Incoming, Malformed> {
    let mut fields = Map::new();
    for (name, value) in url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
        let value = match &*name {
            "query" | "operationName" => Value::String(value.into_owned()),
            "variables" | "extensions" if value.is_empty() => Value::Null,
            "variables" | "extensions" => serde_json::from_str(&value)
                .map_err(|error| Malformed::bad(format!("the parameter `{name}` is not JSON: {error}")))?,
            _ => continue,
        };
        fields.insert(name.into_owned(), value);
    }
    Ok(Incoming::Single(Box::new(read_fields(fields)?)))
}

/// Reads a JSON body of at most `most_bytes` with at most `most_operations`.
pub async fn from_body(
    headers: &HeaderMap,
    body: Body,
    most_bytes: usize,
    most_operations: usize,
) -> Result<Incoming, Malformed> {
    check_content_type(headers)?;
    let too_large = || Malformed {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        code: Code::BodyTooLarge,
        message: format!("the body is larger than {most_bytes} bytes"),
    };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > most_bytes) {
        return Err(too_large());
    }
    let bytes = match Limited::new(body, most_bytes).collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(too_large()),
        Err(_) => return Err(Malformed::bad("the body ended before it was complete")),
    };
    let value =
        serde_json::from_slice(&bytes).map_err(|error| Malformed::bad(format!("the body is not JSON: {error}")))?;
    match value {
        Value::Object(fields) => Ok(Incoming::Single(Box::new(read_fields(fields)?))),
        Value::Array(items) if items.is_empty() => Err(Malformed::bad("the batch is empty")),
        Value::Array(items) if items.len() > most_operations => Err(Malformed {
            status: StatusCode::BAD_REQUEST,
            code: Code::BatchTooLarge,
            message: format!("the batch has {} operations: at most {most_operations} are allowed", items.len()),
        }),
        Value::Array(items) => {
            let requests = items.into_iter().map(|item| match item {
                Value::Object(fields) => read_fields(fields),
                _ => Err(Malformed::bad("every entry of a batch must be an object")),
            });
            requests.collect::<Result<_, _>>().map(Incoming::Batch)
        }
        _ => Err(Malformed::bad("the body must be an object with `query`, or a list of such objects")),
    }
}

/// Only JSON: a form or plain text could be sent by any other site's page.
fn check_content_type(headers: &HeaderMap) -> Result<(), Malformed> {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mime = given.parse::<Mime>().ok();
    let json = mime.as_ref().is_some_and(|mime| mime.essence_str() == "application/json");
    let utf8 =
        mime.as_ref().and_then(|mime| mime.get_param(mime::CHARSET)).is_none_or(|charset| charset == mime::UTF_8);
    if json && utf8 {
        return Ok(());
    }
    let shown: String = given.chars().take(64).collect();
    Err(Malformed {
        status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
        code: Code::BadRequest,
        message: format!("the content type is `{shown}`: send `application/json` in UTF-8"),
    })
}

/// Reads a request's four fields. Others are ignored, as the specification has it.
pub fn read_fields(mut fields: Map<String, Value>) -> Result<Request, Malformed> {
    let wrong = |name: &str, expected: &str, value: &Value| {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        Malformed::bad(format!("`{name}` must be {expected}, not {kind}"))
    };
    let mut request = match fields.remove("query") {
        Some(Value::String(query)) => Request::new(query),
        Some(value) => return Err(wrong("query", "a text", &value)),
        None => return Err(Malformed::bad("`query` is missing")),
    };
    match fields.remove("operationName") {
        None | Some(Value::Null) => {}
        Some(Value::String(name)) => request = request.operation_name(name),
        Some(value) => return Err(wrong("operationName", "a text or null", &value)),
    }
    match fields.remove("variables") {
        None | Some(Value::Null) => {}
        Some(Value::Object(fields)) => request = request.variables(variables(fields)),
        Some(value) => return Err(wrong("variables", "an object or null", &value)),
    }
    match fields.remove("extensions") {
        None | Some(Value::Null | Value::Object(_)) => {}
        Some(value) => return Err(wrong("extensions", "an object or null", &value)),
    }
    Ok(request)
}
