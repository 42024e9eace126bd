//! Cases to learn from as a file: JSON Lines, for fine-tuning and evaluation.

use std::net::SocketAddr;

use axum::{
    extract::{ConnectInfo, Query, State},
    http::HeaderMap,
    response::Response,
};
use futures_util::StreamExt;
use serde::Deserialize;

use super::{
    Server,
    json_lines::{bad_request, lines, read_time},
};
use crate::{
    domain::{name, role::Role},
    store::learning_cases::Filter,
};

const LONGEST_WORD: usize = 100;

/// Which cases.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    from: Option<String>,
    until: Option<String>,
    operation_type: Option<String>,
}

/// `GET /learning-cases.jsonl`: the cases of the caller's workspace. Any role may.
pub async fn export(
    State(server): State<Server>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Query(part): Query<Part>,
) -> Response {
    match begin(&server, peer, &headers, part).await {
        Ok(response) | Err(response) => response,
    }
}

async fn begin(server: &Server, peer: SocketAddr, headers: &HeaderMap, part: Part) -> Result<Response, Response> {
    let operation_type = part.operation_type.map(|text| name::check_text("operationType", &text, LONGEST_WORD));
    let filter = Filter {
        from: read_time("from", part.from.as_deref()).map_err(bad_request)?,
        until: read_time("until", part.until.as_deref()).map_err(bad_request)?,
        operation_type: operation_type.transpose().map_err(|refusal| bad_request(refusal.message))?,
        ..Filter::default()
    };
    let reader = server.line_reader(peer, headers, Role::Viewer).await?;
    let cases = server.0.engine.learning_lines(reader.scope, filter);
    let chunks = cases.map(|batch| batch.map(lines).map_err(|error| error.explain()));
    Ok(reader.send("learning-cases", chunks))
}
