//! The audit log as a file: JSON Lines, which `countersign audit verify` checks.

use std::{io, net::SocketAddr};

use axum::{
    body::{Body, Bytes},
    extract::{ConnectInfo, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use futures_util::StreamExt;
use serde::Deserialize;

use super::{Server, auth::Refused};
use crate::{
    domain::{access::MissingRole, audit::Line, role::Role, time},
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
    let malformed = |message: String| refuse(StatusCode::BAD_REQUEST, message);
    let from = read_time("from", part.from.as_deref()).map_err(malformed)?;
    let until = read_time("until", part.until.as_deref()).map_err(malformed)?;
    let caller = server.caller(peer, headers).await.map_err(|refused| turn_away(&refused))?;
    // It may take long: whoever loses the right meanwhile gets no more.
    let caller = server.watch(caller).await.map_err(|refused| turn_away(&refused))?;
    let (Some(viewer), Some(access)) = (caller.viewer, caller.access) else {
        return Err(turn_away(&Refused::Credentials));
    };
    let scope = viewer
        .require(Role::Admin)
        .map_err(|MissingRole(role)| refuse(StatusCode::FORBIDDEN, format!("this needs the role {role}")))?;
    let seat = server.0.subscriptions.take(viewer.actor).map_err(|full| {
        let message = format!("you have {} streams open: close some first", full.limit);
        refuse(StatusCode::TOO_MANY_REQUESTS, message)
    })?;
    let store = server.0.engine.store();
    let workspace = store.workspace(scope).await.map_err(|error| fail(&error))?;
    let workspace = workspace.ok_or_else(|| refuse(StatusCode::NOT_FOUND, "the workspace is gone"))?;
    let name = format!("attachment; filename=\"audit-{}.jsonl\"", workspace.slug);
    let lines = store.audit_lines(workspace, Period { from, until }, server.0.engine.clock().now());
    let chunks = lines.ready_chunks(LINES).map(move |lines| {
        // Held until the last line is sent.
        let _seat = &seat;
        if access.has_changed() {
            return Err(io::Error::other("the caller's access has changed"));
        }
        chunk(lines)
    });
    let mut response = Body::from_stream(chunks).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/jsonl"));
    if let Ok(name) = HeaderValue::try_from(name) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// An error breaks the answer off: without its last line, everybody sees that it is not whole.
fn chunk(lines: Vec<store::Result<Line>>) -> io::Result<Bytes> {
    let mut text = String::new();
    for line in lines {
        let line = line.map_err(|error| {
            tracing::error!(%error, "cannot export the audit log");
            io::Error::other("internal error")
        })?;
        text.push_str(&line.to_json().to_string());
        text.push('\n');
    }
    Ok(text.into())
}

fn read_time(name: &'static str, text: Option<&str>) -> Result<Option<DateTime<Utc>>, String> {
    let Some(text) = text else { return Ok(None) };
    let at = text.parse::<DateTime<Utc>>().ok().filter(|at| time::is_storable(*at));
    at.map(Some).ok_or_else(|| {
        let shown: String = text.chars().take(64).collect();
        format!("`{name}` is `{shown}`: give a time as in 2026-01-31T00:00:00Z")
    })
}

fn turn_away(refused: &Refused) -> Response {
    match refused {
        Refused::Credentials => {
            let mut response = refuse(StatusCode::UNAUTHORIZED, "give a token that is good: `Authorization: Bearer …`");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
        Refused::Internal => refuse(StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
    }
}

fn fail(error: &store::Error) -> Response {
    tracing::error!(%error, "cannot export the audit log");
    refuse(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
}

fn refuse(status: StatusCode, message: impl std::fmt::Display) -> Response {
    (status, format!("{message}\n")).into_response()
}
