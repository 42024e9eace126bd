//! For load balancers and dashboards.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use secrecy::ExposeSecret;

use super::{Server, auth::bearer};

/// The process runs.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// The process can take requests: it is not stopping, and the database answers.
pub async fn ready(State(server): State<Server>) -> Response {
    if server.0.tasks.stopping().is_cancelled() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n").into_response();
    }
    match server.0.engine.store().ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response()
        }
    }
}

/// Figures for Prometheus.
pub async fn metrics(State(server): State<Server>, headers: HeaderMap) -> Response {
    if let Some(wanted) = &server.settings().metrics_token {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(bearer);
        let fits = given.is_some_and(|given| same(given.expose_secret(), wanted.expose_secret()));
        if !fits {
            let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
            return (StatusCode::UNAUTHORIZED, challenge, "give the metrics token\n").into_response();
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
