//! Taking content in.

use std::{net::SocketAddr, time::Duration};

use axum::{
    Json,
    body::BodyDataStream,
    extract::{ConnectInfo, Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::StreamExt;
use secrecy::ExposeSecret;
use serde_json::json;
use tokio::sync::oneshot;

use super::{error, internal, not_found, refuse_link};
use crate::{
    domain::{access::Scope, id::DeliverableId, refusal},
    engine::deliverables::{Failed, Link},
    graphql::Code,
    http::{
        Server,
        auth::bearer,
        graphql::{Media, refuse_caller},
    },
    store::deliverables::{Deliverable, Upload},
};

const LINGER: Duration = Duration::from_secs(5);
const LINGER_BYTES: usize = 64 * 1024 * 1024;

/// `PUT /deliverables/{id}/content` with the token that was given for this one upload.
pub async fn take(
    State(server): State<Server>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let mut body = body.into_data_stream();
    match counted(&server, peer, &id, &parts.headers).await {
        Ok(upload) => receive(server, upload, &parts.headers, body).await,
        Err(refused) => {
            linger(&mut body).await;
            refused
        }
    }
}

/// Lets a sender come to its end, within bounds: if the connection were closed at once, it would not hear the answer.
async fn linger(body: &mut BodyDataStream) {
    let read = async {
        let mut left = LINGER_BYTES;
        while let Some(Ok(bytes)) = body.next().await
            && left > bytes.len()
        {
            left -= bytes.len();
        }
    };
    // Whoever takes longer does without.
    let _ = tokio::time::timeout(LINGER, read).await;
}

/// The upload that a request's token is for, unless too many come.
async fn counted(server: &Server, peer: SocketAddr, id: &str, headers: &HeaderMap) -> Result<Upload, Response> {
    let origin = server.anonymous(peer, headers).origin;
    let expected = expected(server, id, headers).await;
    let counted = if expected.is_ok() { server.count_holder(&origin) } else { server.count_stranger(&origin) };
    counted.map_err(|refused| refuse_caller(&refused, Media::Json))?;
    expected
}

/// The upload that a request's token is for.
async fn expected(server: &Server, id: &str, headers: &HeaderMap) -> Result<Upload, Response> {
    let id: DeliverableId = id.parse().map_err(|_| not_found())?;
    let engine = &server.0.engine;
    let token = headers.get(header::AUTHORIZATION).and_then(|value| bearer(value.to_str().ok()?));
    let token = token.ok_or_else(refuse_link)?;
    let link = engine.links().read(token.expose_secret(), engine.clock().now());
    let Some(Link::Upload { upload }) = link else { return Err(refuse_link()) };
    let upload = engine.expected_upload(upload).await.map_err(|error| failed(Failed::from(error)))?;
    if upload.deliverable == id { Ok(upload) } else { Err(refuse_link()) }
}

/// Takes the body beside the connection: if that breaks off, what was begun is still cleared away.
async fn receive(server: Server, upload: Upload, headers: &HeaderMap, mut body: BodyDataStream) -> Response {
    let length = headers.get(header::CONTENT_LENGTH);
    let announced = length.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let scope = Scope::system(upload.workspace);
    let (done, result) = oneshot::channel();
    let engine = server.0.engine.clone();
    server.0.tasks.spawn(async move {
        let result = engine.receive(upload, announced, &mut body).await;
        if result.is_err() {
            linger(&mut body).await;
        }
        // Who has gone away does not want to know.
        let _ = done.send(result);
    });
    match result.await {
        Ok(Ok(made)) => created(&server, scope, &made).await,
        Ok(Err(why)) => failed(why),
        Err(_) => error(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "internal error"),
    }
}

async fn created(server: &Server, scope: Scope, made: &Deliverable) -> Response {
    let version = match server.0.engine.store().version(scope, made.id, made.version).await {
        Ok(version) => version,
        Err(error) => return internal(&error.into()),
    };
    let Some(version) = version else { return not_found() };
    let body = json!({
        "id": made.id.to_string(),
        "version": version.number,
        "mimeType": version.mime_type,
        "size": version.size,
        "sha256": version.sha256,
        "storage": version.storage.as_str(),
    });
    (StatusCode::CREATED, Json(body)).into_response()
}

fn failed(failed: Failed) -> Response {
    match failed {
        Failed::TooLarge { most } => {
            let message = format!("the content is larger than {most} bytes");
            error(StatusCode::PAYLOAD_TOO_LARGE, Code::BodyTooLarge, message)
        }
        Failed::Wrong(message) => error(StatusCode::BAD_REQUEST, Code::BadUserInput, message),
        Failed::Interrupted => {
            error(StatusCode::BAD_REQUEST, Code::BadRequest, "the content ended before it was complete: send it again")
        }
        Failed::TooSlow => error(StatusCode::REQUEST_TIMEOUT, Code::Timeout, "the content came too slowly"),
        Failed::Refused(refusal) => {
            let (status, code) = match refusal.code {
                refusal::Code::Expired => (StatusCode::GONE, Code::Gone),
                refusal::Code::NotFound => (StatusCode::NOT_FOUND, Code::NotFound),
                _ => (StatusCode::CONFLICT, Code::Conflict),
            };
            error(status, code, refusal.message)
        }
        Failed::Ours(error) => internal(&error),
    }
}
