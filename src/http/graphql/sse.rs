//! graphql-sse in its 'distinct connections' mode: an event stream for each operation.

use std::{convert::Infallible, pin::pin, sync::Arc};

use async_graphql::Request;
use axum::{
    http::{Method, StatusCode},
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures_util::{Stream, StreamExt, stream};

use super::{Refusal, negotiate::Media, refuse, refuse_caller};
use crate::{
    graphql::{Answer, Caller, Code, Kind, Prepared, request_error},
    http::Server,
    realtime::{Access, Seat},
};

pub async fn stream(server: &Server, request: Request, caller: Caller, method: &Method) -> Response {
    let mut caller = caller.without_cookie();
    let prepared = match server.0.api.prepare(request).await {
        Ok(prepared) => prepared,
        // Within the stream, as the protocol has it: a browser's EventSource shows nothing of any other answer.
        Err(error) => {
            let events = [event(&Answer::refused(vec![error])), complete()];
            return Sse::new(stream::iter(events.map(Ok::<_, Infallible>))).into_response();
        }
    };
    if prepared.kind == Kind::Mutation && method == Method::GET {
        return Refusal::mutation_by_get().respond(Media::Json);
    }
    let mut seat = None;
    if prepared.kind == Kind::Subscription {
        caller = match server.watch(caller).await {
            Ok(caller) => caller,
            Err(refused) => return refuse_caller(&refused, Media::Json),
        };
    }
    if let (Kind::Subscription, Some(viewer)) = (prepared.kind, &caller.viewer) {
        seat = match server.0.subscriptions.take(viewer.actor) {
            Ok(seat) => Some(seat),
            Err(full) => {
                let message = format!("you have {} subscriptions open: close some first", full.limit);
                return refuse(Media::Json, StatusCode::TOO_MANY_REQUESTS, Code::TooManySubscriptions, message);
            }
        };
    }
    let events = events(server.clone(), prepared, caller, seat);
    let keep_alive = KeepAlive::new().interval(server.settings().keep_alive.0);
    Sse::new(events).keep_alive(keep_alive).into_response()
}

fn event(answer: &Answer) -> Event {
    let next = Event::default().event("next");
    match serde_json::to_string(answer) {
        Ok(json) => next.data(json),
        Err(error) => {
            tracing::error!(%error, "cannot write an event");
            next.data(r#"{"errors":[{"message":"internal error","extensions":{"code":"INTERNAL"}}]}"#)
        }
    }
}

/// The operation's answers, then `complete`. Ends early when the caller's time or access is over, or ours.
fn events(
    server: Server,
    prepared: Prepared,
    caller: Caller,
    seat: Option<Seat>,
) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    let viewer = caller.viewer.clone();
    let access = caller.access.clone();
    let answers = server.0.api.stream(prepared, caller);
    let ended = ended(server, viewer, access);
    stream::unfold(Some((answers, Box::pin(ended), seat)), |state| async move {
        let (mut answers, mut ended, seat) = state?;
        tokio::select! {
            biased;
            reason = &mut ended => {
                let last: Vec<Event> = reason.iter().map(event).chain([complete()]).collect();
                Some((last, None))
            }
            answer = answers.next() => match answer {
                // Without data the operation has failed as a whole.
                Some(answer) if answer.data.is_none() => Some((vec![event(&answer), complete()], None)),
                Some(answer) => Some((vec![event(&answer)], Some((answers, ended, seat)))),
                None => Some((vec![complete()], None)),
            },
        }
    })
    .flat_map(|events| stream::iter(events.into_iter().map(Ok)))
}

/// An empty `data` line, because browsers do not dispatch events without one.
fn complete() -> Event {
    Event::default().event("complete").data("")
}

/// Waits until the stream must end, and says why if it is about the caller.
async fn ended(
    server: Server,
    viewer: Option<Arc<crate::domain::access::Viewer>>,
    access: Option<Access>,
) -> Option<Answer> {
    let stopping = server.0.tasks.stopping();
    let expiry = server.expiry(viewer.as_deref());
    let changed = async {
        match access {
            Some(mut access) => access.changed().await,
            None => std::future::pending().await,
        }
    };
    let mut expiry = pin!(expiry);
    let gone = |message: &str| Some(Answer::refused(vec![request_error(Code::Unauthenticated, message)]));
    tokio::select! {
        () = stopping.cancelled() => None,
        () = &mut expiry => gone("the access token has expired"),
        () = changed => gone("your access has changed: sign in again"),
    }
}
