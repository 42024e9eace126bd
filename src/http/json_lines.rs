//! Files of JSON Lines that are made while they are sent, however long they are.

use std::{fmt::Display, io, net::SocketAddr, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use super::{Server, auth::Refused, limits};
use crate::{
    domain::{
        access::{MissingRole, Scope},
        role::Role,
        time,
    },
    engine::identity::Rejected,
    graphql::{RETRY_AFTER_SECONDS, UNAVAILABLE},
    realtime::{Access, Seat},
    store,
};

/// Somebody who may have a file, for as long as it is sent.
pub struct Reader {
    pub scope: Scope,
    access: Access,
    seat: Seat,
}

impl Server {
    /// Whoever asks, if they have the role and not too many streams already.
    pub async fn line_reader(&self, peer: SocketAddr, headers: &HeaderMap, role: Role) -> Result<Reader, Response> {
        let caller = self.caller(peer, headers).await.map_err(|refused| turn_away(&refused))?;
        // It may take long: whoever loses the right meanwhile gets no more.
        let caller = self.watch(caller).await.map_err(|refused| turn_away(&refused))?;
        let (Some(viewer), Some(access)) = (caller.viewer, caller.access) else {
            return Err(turn_away(&Refused::Credentials(Rejected::Token)));
        };
        let scope = viewer.require(role).map_err(|missing: MissingRole| {
            let why = missing.advice().map_or_else(|| format!("this needs the role {}", missing.role), str::to_owned);
            refuse(StatusCode::FORBIDDEN, why)
        })?;
        let seat = self.0.subscriptions.take(viewer.actor).map_err(|full| {
            let message = format!("you have {} streams open: close some first", full.limit);
            refuse(StatusCode::TOO_MANY_REQUESTS, message)
        })?;
        Ok(Reader { scope, access, seat })
    }
}

impl Reader {
    /// The file. An error breaks the answer off, so that everybody sees that it is not whole.
    pub fn send<E: Display>(
        self,
        name: &str,
        chunks: impl Stream<Item = Result<String, E>> + Send + 'static,
    ) -> Response {
        let chunks = chunks.map(move |chunk| {
            // Held until the last line is sent.
            let _seat = &self.seat;
            if self.access.has_changed() {
                return Err(io::Error::other("the caller's access has changed"));
            }
            chunk.map(Bytes::from).map_err(|error| {
                tracing::error!(%error, "cannot export");
                io::Error::other("internal error")
            })
        });
        let mut response = Body::from_stream(chunks).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/jsonl"));
        if let Ok(name) = HeaderValue::try_from(format!("attachment; filename=\"{name}.jsonl\"")) {
            response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
        }
        response
    }
}

/// Values as lines.
pub fn lines(values: impl IntoIterator<Item = serde_json::Value>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect()
}

/// A time that is given as a text, or what is wrong with it.
pub fn read_time(name: &'static str, text: Option<&str>) -> Result<Option<DateTime<Utc>>, String> {
    let Some(text) = text else { return Ok(None) };
    let at = text.parse::<DateTime<Utc>>().ok().filter(|at| time::is_storable(*at));
    at.map(Some).ok_or_else(|| {
        let shown: String = text.chars().take(64).collect();
        format!("`{name}` is `{shown}`: give a time as in 2026-01-31T00:00:00Z")
    })
}

fn turn_away(refused: &Refused) -> Response {
    match refused {
        Refused::Credentials(rejected) => {
            let message = match rejected {
                Rejected::Token => "give a token that is good: `Authorization: Bearer …`",
                rejected => rejected.explain(),
            };
            let mut response = refuse(StatusCode::UNAUTHORIZED, message);
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            response
        }
        Refused::TooMany(wait) => {
            let response = refuse(StatusCode::TOO_MANY_REQUESTS, limits::explain(*wait));
            limits::retry_after(response, *wait)
        }
        Refused::Unavailable => refuse_for_now(),
        Refused::Internal => refuse(StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
    }
}

pub fn fail(error: &store::Error) -> Response {
    tracing::error!(%error, "cannot export");
    if error.is_unavailable() {
        return refuse_for_now();
    }
    refuse(StatusCode::INTERNAL_SERVER_ERROR, "internal error")
}

fn refuse_for_now() -> Response {
    let response = refuse(StatusCode::SERVICE_UNAVAILABLE, UNAVAILABLE);
    limits::retry_after(response, Duration::from_secs(RETRY_AFTER_SECONDS))
}

pub fn bad_request(message: impl Display) -> Response {
    refuse(StatusCode::BAD_REQUEST, message)
}

pub fn refuse(status: StatusCode, message: impl Display) -> Response {
    (status, format!("{message}\n")).into_response()
}
