//! Taking connections, and letting them go at the end.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use tokio::{net::TcpListener, sync::Semaphore};
use tower::ServiceExt;

use super::{draining::Draining, opening::Opening};
use crate::{config::Settings, tasks::Tasks};

/// Whoever sends headers slower than this is not a browser.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Serves until the tasks are told to stop. Gives the connections that are left, to be let go.
pub async fn serve(listener: TcpListener, router: Router, settings: &Settings, tasks: &Tasks) -> GracefulShutdown {
    let mut builder = Builder::new(TokioExecutor::new());
    let patience = HEADER_TIMEOUT.min(settings.request_timeout.0);
    builder.http1().timer(TokioTimer::new()).header_read_timeout(patience);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(Duration::from_secs(20)));
    let builder = Arc::new(builder);
    let graceful = GracefulShutdown::new();
    let seats = Arc::new(Semaphore::new(settings.max_connections));
    let stopping = tasks.stopping();
    loop {
        // When all seats are taken, new connections wait in the system's queue.
        let accept = async {
            let seat = Arc::clone(&seats).acquire_owned().await.ok()?;
            Some((seat, listener.accept().await))
        };
        let (seat, accepted) = tokio::select! {
            () = stopping.cancelled() => break,
            accepted = accept => match accepted {
                Some(accepted) => accepted,
                None => break,
            },
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Such as too many open files: it gets better when others close theirs.
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Answers are small and wanted now.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let stream = Draining::new(Opening::new(stream, patience), settings.write_timeout.0);
        let connection = connection(&builder, stream, peer, router.clone());
        let connection = graceful.watch(connection);
        tasks.spawn(async move {
            let _seat = seat;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
    graceful
}

fn connection(
    builder: &Arc<Builder<TokioExecutor>>,
    stream: Draining<Opening>,
    peer: SocketAddr,
    router: Router,
) -> impl hyper_util::server::graceful::GracefulConnection<Error: std::fmt::Display> + Send + use<> {
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    builder.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned()
}
