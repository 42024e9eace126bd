//! The audit log as a file: JSON Lines, which `countersign audit verify` checks.

use std::net::SocketAddr;

use axum::{
    extract::{ConnectInfo, Query, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use futures_util::StreamExt;
use serde::Deserialize;

use super::{
    Server,
    json_lines::{bad_request, fail, lines, read_time, refuse},
};
use crate::{
    domain::{audit::Line, role::Role},
    store::{self, audit::Period},
};

/// How many lines are sent together.
const LINES: usize = 100;

/// Which part of the log.
#[derive(Deserialize)]
pub struct Part {
    from: Option<String>,
    until: Option<String>,
}

/// `GET /audit.jsonl`: the log of the caller's workspace. Needs the role ADMIN.
pub async fn export(
    State(server): State<Server>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Query(part): Query<Part>,
) -> Response {
    match begin(&server, peer, &headers, &part).await {
        Ok(response) | Err(response) => response,
    }
}

async fn begin(server: &Server, peer: SocketAddr, headers: &HeaderMap, part: &Part) -> Result<Response, Response> {
    let period = Period {
        from: read_time("from", part.from.as_deref()).map_err(bad_request)?,
        until: read_time("until", part.until.as_deref()).map_err(bad_request)?,
    };
    let reader = server.line_reader(peer, headers, Role::Admin).await?;
    let store = server.0.engine.store();
    let workspace = store.workspace(reader.scope).await.map_err(|error| fail(&error))?;
    let workspace = workspace.ok_or_else(|| refuse(StatusCode::NOT_FOUND, "the workspace is gone"))?;
    let name = format!("audit-{}", workspace.slug);
    let log = store.audit_lines(workspace, period, server.0.engine.clock().now());
    let chunks = log.ready_chunks(LINES).map(|chunk| -> store::Result<String> {
        let chunk = chunk.into_iter().collect::<store::Result<Vec<Line>>>()?;
        Ok(lines(chunk.iter().map(Line::to_json)))
    });
    Ok(reader.send(&name, chunks))
}
