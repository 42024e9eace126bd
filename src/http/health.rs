//! For load balancers and dashboards.

use std::time::{Duration, Instant};

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use secrecy::ExposeSecret;
use tokio::sync::Mutex;

use super::{Server, auth::bearer, limits};
use crate::graphql::RETRY_AFTER_SECONDS;

/// The process runs.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// What was found when somebody last asked.
#[derive(Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

/// For how long it is told again: however many ask, the database is asked once.
const FRESH: Duration = Duration::from_secs(1);

/// The process can take requests: it is not stopping, and the database takes writes.
pub async fn ready(State(server): State<Server>) -> Response {
    if server.0.tasks.stopping().is_cancelled() {
        return not_ready("stopping\n");
    }
    let mut last = server.0.readiness.0.lock().await;
    let ready = match *last {
        Some((at, ready)) if at.elapsed() < FRESH => ready,
        _ => {
            let checked = server.0.engine.store().check_writing().await;
            if let Err(error) = &checked {
                tracing::warn!(%error, "not ready");
            }
            *last = Some((Instant::now(), checked.is_ok()));
            checked.is_ok()
        }
    };
    if ready { "ready\n".into_response() } else { not_ready("the database takes no writes\n") }
}

fn not_ready(why: &'static str) -> Response {
    let response = (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    limits::retry_after(response, Duration::from_secs(RETRY_AFTER_SECONDS))
}

/// Figures for Prometheus. Others than this machine need the token: the figures tell much about a business.
pub async fn metrics(State(server): State<Server>, headers: HeaderMap) -> Response {
    let settings = server.settings();
    match &settings.metrics_token {
        Some(wanted) => {
            let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(bearer);
            let fits = given.is_some_and(|given| same(given.expose_secret(), wanted.expose_secret()));
            if !fits {
                let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
                return (StatusCode::UNAUTHORIZED, challenge, "give the metrics token\n").into_response();
            }
        }
        None if settings.is_on_loopback() => {}
        None => {
            let message =
                "the server listens on more than a loopback address: set `metrics-token` to read its metrics\n";
            return (StatusCode::FORBIDDEN, message).into_response();
        }
    }
    let format = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (format, crate::telemetry::metrics::render()).into_response()
}

/// Compares hashes, so that the time it takes tells nothing about the secret.
fn same(one: &str, other: &str) -> bool {
    use sha2::{Digest, Sha256};
    Sha256::digest(one) == Sha256::digest(other)
}
