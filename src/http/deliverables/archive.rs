//! All that an execution made, as one ZIP.

use std::net::SocketAddr;

use axum::{
    body::Body,
    extract::{ConnectInfo, Path, Query, State},
    http::{HeaderMap, HeaderValue, Method, header},
    response::Response,
};

use super::{Parameters, body_of, headers::describe, internal, not_found};
use crate::{domain::id::ExecutionId, engine::deliverables::Link, http::Server};

/// `GET /executions/{id}/deliverables.zip?token=…`
pub async fn read(
    State(server): State<Server>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    method: Method,
    Path(id): Path<String>,
    Query(parameters): Query<Parameters>,
    headers: HeaderMap,
) -> Response {
    answer(&server, peer, &method, &id, &parameters, &headers).await.unwrap_or_else(|refused| refused)
}

async fn answer(
    server: &Server,
    peer: SocketAddr,
    method: &Method,
    id: &str,
    parameters: &Parameters,
    headers: &HeaderMap,
) -> Result<Response, Response> {
    let id: ExecutionId = id.parse().map_err(|_| not_found())?;
    let allows = |link| match link {
        Link::Archive { workspace, execution } => (execution == id).then_some(workspace),
        Link::Read { .. } | Link::Upload { .. } => None,
    };
    let scope = server.reader(peer, headers, parameters, allows).await?;
    let archive = server.0.engine.archive(scope, id).await.map_err(|error| internal(&error))?;
    let archive = archive.ok_or_else(not_found)?;
    let mut response = Response::new(Body::empty());
    describe(response.headers_mut(), "application/zip", &format!("{id}.zip"), false);
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(archive.length));
    if method != Method::HEAD {
        *response.body_mut() = body_of(archive.chunks);
    }
    Ok(response)
}
