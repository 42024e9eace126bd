//! The pages that the server brings along: built by `frontend/`, embedded in the binary.

use axum::{
    Router,
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use rust_embed::{EmbeddedFile, RustEmbed};
use tower_http::compression::CompressionLayer;

use super::Server;
use crate::config::Settings;

#[derive(RustEmbed)]
#[folder = "frontend/dist"]
#[allow_missing = true]
struct Dist;

/// Nothing from elsewhere, no inline script, no frame.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; connect-src 'self' ws: wss:; \
    frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub fn routes(settings: &Settings) -> Router<Server> {
    let home = if settings.graphiql { "/graphiql" } else { "/sign-in" };
    let routes = Router::new()
        .route("/", get(move || async move { Redirect::to(home) }))
        .route("/sign-in", get(|| async { page("sign-in.html") }))
        .route("/assets/{*path}", get(asset))
        .route("/licenses", get(licenses));
    let routes = routes.layer(CompressionLayer::new());
    if settings.graphiql { routes.route("/graphiql", get(|| async { page("graphiql.html") })) } else { routes }
}

fn page(name: &str) -> Response {
    match Dist::get(name) {
        Some(file) => {
            let headers = [
                (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
                (header::CACHE_CONTROL, "no-cache"),
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            ];
            (headers, file.data).into_response()
        }
        None => (StatusCode::SERVICE_UNAVAILABLE, "The pages were not built: run `make run`.\n").into_response(),
    }
}

/// The notices that the licences of what the pages are made of ask for.
async fn licenses() -> Response {
    match Dist::get("third-party-licenses.md") {
        Some(file) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], file.data).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Names of assets carry a hash of their content, so they never change.
async fn asset(Path(path): Path<String>) -> Response {
    match Dist::get(&format!("assets/{path}")) {
        Some(EmbeddedFile { data, metadata }) => {
            let headers = [
                (header::CONTENT_TYPE, metadata.mimetype()),
                (header::CACHE_CONTROL, FOR_EVER),
                // Workers take their policy from their own response.
                (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
            ];
            (headers, data).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
