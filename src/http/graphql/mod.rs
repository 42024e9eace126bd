//! GraphQL over HTTP, to the letter of the specification, and event streams for subscriptions.

mod answer;
mod negotiate;
mod request;
mod sse;

use std::{net::SocketAddr, time::Duration};

use async_graphql::{ErrorExtensionValues, ServerError};
use axum::{
    body::Body,
    extract::{ConnectInfo, FromRequestParts, Request, State, WebSocketUpgrade},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};

use super::{Server, auth::Refused, limits, socket};
use crate::graphql::{Answer, Api, Caller, Code, Kind, Room, request_error, unavailable_error};
use answer::{respond, respond_batch};
use negotiate::negotiate;
use request::{Incoming, Malformed};

pub use negotiate::Media;
pub use request::read_fields;

/// Everything that arrives at `/graphql`.
pub async fn handle(
    State(server): State<Server>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.method == Method::GET && is_upgrade(&parts.headers) {
        return match WebSocketUpgrade::from_request_parts(&mut parts, &server).await {
            Ok(upgrade) => {
                let caller = server.anonymous(peer, &parts.headers);
                // It shows its token later. Until it has, only an address that has shown too many bad ones is known.
                match server.look_at_stranger(&caller.origin) {
                    Ok(()) => socket::upgrade(server, upgrade, caller),
                    Err(refused) => refuse_caller(&refused, Media::Json),
                }
            }
            Err(rejection) => rejection.into_response(),
        };
    }
    let media = match negotiate(&parts.headers) {
        Some(media) => media,
        None => {
            let message = "use `Accept: application/graphql-response+json`, `application/json` or `text/event-stream`";
            let refusal = refuse(Media::Json, StatusCode::NOT_ACCEPTABLE, Code::BadRequest, message);
            return refusal;
        }
    };
    handle_http(&server, peer, &parts, body, media).await.unwrap_or_else(|response| response)
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    headers.get(header::UPGRADE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

/// A request that was not executed.
pub fn refuse(media: Media, status: StatusCode, code: Code, message: impl Into<String>) -> Response {
    let mut response = respond(Answer::refused(vec![request_error(code, message)]), media);
    *response.status_mut() = status;
    response
}

/// A request whose credentials are not good.
pub fn refuse_caller(refused: &Refused, media: Media) -> Response {
    match refused {
        Refused::Credentials(rejected) => {
            let mut response = refuse(media, StatusCode::UNAUTHORIZED, Code::Unauthenticated, rejected.explain());
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
        Refused::TooMany(wait) => {
            let error = limited(*wait);
            let mut response = respond(Answer::refused(vec![error]), media);
            *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
            limits::retry_after(response, *wait)
        }
        Refused::Unavailable => refuse_for_now(media),
        Refused::Internal => refuse(media, StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, "internal error"),
    }
}

/// A request that nothing can be done for while the database is away.
pub fn refuse_for_now(media: Media) -> Response {
    respond(Answer::refused(vec![unavailable_error()]), media)
}

/// The error of a caller who calls too often.
pub fn limited(wait: Duration) -> ServerError {
    let mut error = request_error(Code::RateLimited, limits::explain(wait));
    let extensions = error.extensions.get_or_insert_with(ErrorExtensionValues::default);
    extensions.set("retryAfterSeconds", limits::seconds(wait));
    error
}

async fn handle_http(
    server: &Server,
    peer: SocketAddr,
    parts: &Parts,
    body: Body,
    media: Media,
) -> Result<Response, Response> {
    // Errors of the request itself are plain JSON for event streams, too.
    let error_media = if media == Media::EventStream { Media::Json } else { media };
    let malformed = |error: Malformed| error.respond(error_media);
    let caller = async || {
        let caller = server.caller(peer, &parts.headers).await;
        caller.map_err(|refused| refuse_caller(&refused, error_media))
    };
    // Strangers are counted before their body is read. Others are looked up after it, which may take its time: what has
    // ended meanwhile does not work any more.
    let stranger = if parts.headers.contains_key(header::AUTHORIZATION) { None } else { Some(caller().await?) };
    let incoming = match parts.method {
        Method::GET => request::from_url(&parts.uri).map_err(malformed)?,
        Method::POST => {
            let settings = server.settings();
            let reading = request::from_body(&parts.headers, body, settings.max_body_bytes, settings.max_batch);
            match tokio::time::timeout(settings.request_timeout.0, reading).await {
                Ok(read) => read.map_err(malformed)?,
                Err(_elapsed) => {
                    let message = format!("the body took longer than {} s", settings.request_timeout.0.as_secs());
                    return Err(refuse(error_media, StatusCode::REQUEST_TIMEOUT, Code::Timeout, message));
                }
            }
        }
        _ => {
            let message = "use GET for queries, or POST";
            let mut response = refuse(error_media, StatusCode::METHOD_NOT_ALLOWED, Code::BadRequest, message);
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, POST"));
            return Err(response);
        }
    };
    let caller = match stranger {
        Some(stranger) => stranger,
        None => caller().await?,
    };
    let api = &server.0.api;
    match incoming {
        Incoming::Batch(requests) => {
            if media == Media::EventStream {
                let message = "a batch cannot be an event stream: send one operation";
                return Err(refuse(error_media, StatusCode::BAD_REQUEST, Code::BadRequest, message));
            }
            // The first one has been counted with the request.
            for _ in 1..requests.len() {
                server.count(&caller).map_err(|refused| refuse_caller(&refused, error_media))?;
            }
            let mut answers = Vec::with_capacity(requests.len());
            let room = api.room();
            // One after the other, so that mutations happen in their order.
            for request in requests {
                let answer = execute(api, request, caller.clone(), &parts.method, room.clone()).await;
                answers.push(answer.unwrap_or_else(|refusal| refusal.0));
            }
            Ok(respond_batch(answers, media))
        }
        Incoming::Single(request) if media == Media::EventStream => {
            Ok(sse::stream(server, *request, caller, &parts.method).await)
        }
        Incoming::Single(request) => match execute(api, *request, caller, &parts.method, api.room()).await {
            Ok(answer) => Ok(respond(answer, media)),
            Err(refusal) => Err(refusal.respond(media)),
        },
    }
}

/// An operation that was not executed, with a status of its own if it needs one.
struct Refusal(Answer, Option<StatusCode>);

impl Refusal {
    fn new(status: StatusCode, message: &str) -> Self {
        Self(Answer::refused(vec![request_error(Code::BadRequest, message)]), Some(status))
    }

    fn mutation_by_get() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "a mutation cannot be sent with GET: use POST")
    }

    fn respond(self, media: Media) -> Response {
        let Refusal(answer, status) = self;
        let mut response = respond(answer, media);
        if let Some(status) = status {
            *response.status_mut() = status;
        }
        if status == Some(StatusCode::METHOD_NOT_ALLOWED) {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}

async fn execute(
    api: &Api,
    request: async_graphql::Request,
    caller: Caller,
    method: &Method,
    room: Room,
) -> Result<Answer, Refusal> {
    let prepared = api.prepare(request).await.map_err(|error| Refusal(Answer::refused(vec![error]), None))?;
    match prepared.kind {
        Kind::Mutation if method == Method::GET => Err(Refusal::mutation_by_get()),
        Kind::Subscription => {
            let message = "a subscription needs a WebSocket (graphql-transport-ws) or `Accept: text/event-stream`";
            Err(Refusal::new(StatusCode::BAD_REQUEST, message))
        }
        Kind::Query | Kind::Mutation => Ok(api.execute(prepared, caller, room).await),
    }
}
