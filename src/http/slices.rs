//! Answers over HTTP/2, handed over in small parts.
//!
//! HTTP/2 has windows of its own: a client can keep its connection well and take nothing of an answer, and `Draining` sees
//! nothing of it. What was handed to the library waits there until it is taken, so little is handed over at a time, and
//! the rest is dropped when nobody asks for it in time.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    Error,
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::Version,
    middleware::Next,
    response::Response,
};
use hyper::body::{Frame, SizeHint};

use super::Server;
use crate::tasks::Tasks;

/// How much is handed over at a time.
const PART: usize = 64 * 1024;

/// Lets answers over HTTP/2 go out in parts.
pub async fn hand_over(State(server): State<Server>, request: Request, next: Next) -> Response {
    let is_http2 = request.version() == Version::HTTP_2;
    let response = next.run(request).await;
    if !is_http2 {
        return response;
    }
    let (patience, tasks) = (server.settings().write_timeout.0, server.0.tasks.clone());
    response.map(|body| Body::new(Slices { body, rest: Arc::default(), patience, tasks }))
}

/// What is left of a part that was too large.
#[derive(Default)]
struct Rest {
    bytes: Bytes,
    /// How often somebody asked for some of it.
    asked: u64,
    /// Whether somebody watches it.
    watched: bool,
    /// Whether it was dropped, because nobody asked.
    dropped: bool,
}

struct Slices {
    body: Body,
    rest: Arc<Mutex<Rest>>,
    patience: Duration,
    tasks: Tasks,
}

fn lock(rest: &Mutex<Rest>) -> MutexGuard<'_, Rest> {
    rest.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slices {
    /// The first part of many; what is left is watched from now on.
    fn begin(&self, mut bytes: Bytes) -> Bytes {
        let first = bytes.split_to(PART);
        let mut rest = lock(&self.rest);
        rest.bytes = bytes;
        if !std::mem::replace(&mut rest.watched, true) {
            self.tasks.spawn_endless(watch(Arc::downgrade(&self.rest), self.patience));
        }
        first
    }
}

/// Drops what is left when nobody has asked for it in time.
async fn watch(rest: Weak<Mutex<Rest>>, patience: Duration) {
    let mut asked = 0;
    loop {
        tokio::time::sleep(patience).await;
        let Some(rest) = rest.upgrade() else { return };
        let mut rest = lock(&rest);
        if !rest.bytes.is_empty() && rest.asked == asked {
            rest.bytes = Bytes::new();
            rest.dropped = true;
            return;
        }
        asked = rest.asked;
    }
}

impl HttpBody for Slices {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = self.get_mut();
        {
            let mut rest = lock(&this.rest);
            rest.asked += 1;
            if rest.dropped {
                return Poll::Ready(Some(Err(Error::new(io::Error::from(io::ErrorKind::TimedOut)))));
            }
            if !rest.bytes.is_empty() {
                let part = rest.bytes.len().min(PART);
                return Poll::Ready(Some(Ok(Frame::data(rest.bytes.split_to(part)))));
            }
        }
        let frame = match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
            Some(Ok(frame)) => frame,
            other => return Poll::Ready(other),
        };
        Poll::Ready(Some(Ok(match frame.into_data() {
            Ok(bytes) if bytes.len() > PART => Frame::data(this.begin(bytes)),
            Ok(bytes) => Frame::data(bytes),
            Err(frame) => frame,
        })))
    }

    fn is_end_stream(&self) -> bool {
        let rest = lock(&self.rest);
        rest.bytes.is_empty() && !rest.dropped && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let waiting = lock(&self.rest).bytes.len() as u64;
        let inner = self.body.size_hint();
        let mut hint = SizeHint::new();
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + waiting);
        }
        hint.set_lower(inner.lower() + waiting);
        hint
    }
}
