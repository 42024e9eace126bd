//! What is answered while the server starts: that it lives, and that it is not ready.

use std::time::Duration;

use axum::{
    Router,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    graphql::{Media, refuse_for_now},
    health, limits,
};
use crate::{graphql::RETRY_AFTER_SECONDS, tasks::spawn_detached};

/// A client that has not sent its request by then has to connect again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The port while the server starts. Dropping it closes the port.
pub struct Starting {
    listener: oneshot::Receiver<TcpListener>,
    stop: DropGuard,
}

impl Starting {
    pub fn serve(listener: TcpListener) -> Self {
        let stop = CancellationToken::new();
        let (sender, receiver) = oneshot::channel();
        let stopping = stop.clone();
        spawn_detached(async move {
            answer(&listener, &stopping).await;
            // If nobody wants it any more, the port is closed.
            let _ = sender.send(listener);
        });
        Self { listener: receiver, stop: stop.drop_guard() }
    }

    /// Gives the port back, for the server that has started.
    pub async fn finish(self) -> Option<TcpListener> {
        drop(self.stop);
        self.listener.await.ok()
    }
}

async fn answer(listener: &TcpListener, stopping: &CancellationToken) {
    let router = router();
    loop {
        let accepted = tokio::select! {
            () = stopping.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Such as too many open files.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let mut builder = http1::Builder::new();
        // One request each, so that the next one finds the server that has started.
        builder.keep_alive(false).timer(TokioTimer::new()).header_read_timeout(PATIENCE);
        spawn_detached(async move {
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            // Whoever breaks off does not want to know.
            let _ = tokio::time::timeout(PATIENCE, connection).await;
        });
    }
}

fn router() -> Router {
    Router::new().route("/healthz", get(health::alive)).route("/readyz", get(not_ready)).fallback(not_yet)
}

async fn not_ready() -> Response {
    come_back((StatusCode::SERVICE_UNAVAILABLE, "starting\n").into_response())
}

async fn not_yet() -> Response {
    come_back(refuse_for_now(Media::Json))
}

fn come_back(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    limits::retry_after(response, Duration::from_secs(RETRY_AFTER_SECONDS))
}
