//! Giving content out.

use std::{net::SocketAddr, ops::Range};

use axum::{
    body::Body,
    extract::{ConnectInfo, Path, Query, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::Response,
};

use super::{
    Parameters, body_of, error,
    headers::describe,
    internal, not_found,
    range::{Wanted, is_known, wanted},
};
use crate::{
    domain::{access::Scope, id::DeliverableId},
    engine::deliverables::Link,
    graphql::Code,
    http::Server,
    store::deliverables::{Deliverable, Version},
};

/// `GET /deliverables/{id}/content?version=N&preview=true&token=…`
pub async fn read(
    State(server): State<Server>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    method: Method,
    Path(id): Path<String>,
    Query(parameters): Query<Parameters>,
    headers: HeaderMap,
) -> Response {
    let asked = Asked { server, method, headers, parameters };
    asked.answer(peer, &id).await.unwrap_or_else(|refused| refused)
}

struct Asked {
    server: Server,
    method: Method,
    headers: HeaderMap,
    parameters: Parameters,
}

impl Asked {
    async fn answer(&self, peer: SocketAddr, id: &str) -> Result<Response, Response> {
        let id: DeliverableId = id.parse().map_err(|_| not_found())?;
        let number = match self.parameters.get("version") {
            Some(text) => {
                let message = || format!("`version` is `{}`: give a whole number", text.escape_debug());
                let number = text.parse::<i32>();
                Some(number.map_err(|_| error(StatusCode::BAD_REQUEST, Code::BadRequest, message()))?)
            }
            None => None,
        };
        // A link is for one version, which its address names.
        let allows = |link| match link {
            Link::Read { workspace, deliverable, version } => {
                (deliverable == id && number == Some(version)).then_some(workspace)
            }
            Link::Archive { .. } | Link::Upload { .. } => None,
        };
        let scope = self.server.reader(peer, &self.headers, &self.parameters, allows).await?;
        let engine = &self.server.0.engine;
        let found = engine.find_version(scope, id, number).await.map_err(|error| internal(&error))?;
        let (deliverable, version) = found.ok_or_else(not_found)?;
        if let Some(url) = &version.url {
            return Ok(redirect(url));
        }
        self.content(scope, &deliverable, &version).await
    }

    async fn content(&self, scope: Scope, deliverable: &Deliverable, version: &Version) -> Result<Response, Response> {
        let gone = || {
            let message = "the content was deleted, as the workspace wants it for what is archived";
            error(StatusCode::GONE, Code::Gone, message)
        };
        let (Some(size), Some(sha256)) = (version.size, &version.sha256) else { return Err(not_found()) };
        if deliverable.content_deleted_at.is_some() {
            return Err(gone());
        }
        let etag = format!("\"{sha256}\"");
        let preview = self.parameters.get("preview").is_some_and(|value| value == "true" || value == "1");
        let mut response = Response::new(Body::empty());
        describe(response.headers_mut(), &version.mime_type, &deliverable.name, preview);
        let mut set = |name, value: String| {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        };
        set(header::ETAG, etag.clone());
        set(header::ACCEPT_RANGES, "bytes".to_owned());
        if is_known(&self.headers, &etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(response);
        }
        let range = match wanted(&self.headers, size, &etag) {
            Wanted::All => 0..size,
            Wanted::Part(range) => {
                set(header::CONTENT_RANGE, format!("bytes {}-{}/{size}", range.start, range.end - 1));
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                range
            }
            Wanted::Beyond => {
                let message = format!("the content has {size} bytes: `Range` asks for what comes after");
                let mut response = error(StatusCode::RANGE_NOT_SATISFIABLE, Code::BadRequest, message);
                if let Ok(value) = HeaderValue::from_str(&format!("bytes */{size}")) {
                    response.headers_mut().insert(header::CONTENT_RANGE, value);
                }
                return Err(response);
            }
        };
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
        if self.method != Method::HEAD {
            *response.body_mut() = self.body(scope, version, range).await?.ok_or_else(gone)?;
        }
        Ok(response)
    }

    async fn body(&self, scope: Scope, version: &Version, range: Range<u64>) -> Result<Option<Body>, Response> {
        let engine = &self.server.0.engine;
        let chunks = engine.open_content(scope, version, range).await.map_err(|error| internal(&error))?;
        Ok(chunks.map(body_of))
    }
}

/// What is elsewhere was checked to be on the web when it was handed in, and is again.
fn redirect(url: &str) -> Response {
    let web = url.starts_with("https://") || url.starts_with("http://");
    match HeaderValue::from_str(url).ok().filter(|_| web) {
        Some(location) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::FOUND;
            response.headers_mut().insert(header::LOCATION, location);
            response
        }
        None => not_found(),
    }
}
