//! The pages that the server brings along: built by `frontend/`, embedded in the binary.

use axum::{
    Router,
    extract::Path,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
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
/// The console's page, which finds out from its address what to show.
const CONSOLE: &str = "index.html";
/// What belongs to programs: a wrong address below these is no page.
const NOT_PAGES: [&str; 4] = ["/graphql", "/graphiql", "/assets", "/metrics"];
const FOR_EVER: &str = "public, max-age=31536000, immutable";

pub fn routes(settings: &Settings) -> Router<Server> {
    let routes = Router::new()
        .route("/", get(|| async { page(CONSOLE) }))
        .route("/sign-in", get(|| async { page(CONSOLE) }))
        .route("/assets/{*path}", get(asset))
        .route("/licenses", get(licenses));
    let routes = routes.layer(CompressionLayer::new());
    if settings.graphiql { routes.route("/graphiql", get(|| async { page("graphiql.html") })) } else { routes }
}

/// Addresses that the server does not know may be pages of the console, which has its own words for those that are not.
/// Only browsers are told so: programs, which do not ask for HTML, get a plain 404.
pub async fn console(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if is_page(&method, uri.path(), &headers) {
        return page(CONSOLE);
    }
    (StatusCode::NOT_FOUND, "There is nothing here. The API is at /graphql.\n").into_response()
}

fn is_page(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    let is_below = |place: &str| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let wants_html = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|accepted| accepted.contains("text/html"));
    matches!(*method, Method::GET | Method::HEAD)
        && wants_html
        && !is_file
        && !NOT_PAGES.iter().any(|place| is_below(place))
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

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use rstest::rstest;

    use super::*;

    const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    #[rstest]
    #[case("/inbox", BROWSER, true)]
    #[case("/executions/exec_01h455vb4pex5vsknk084sn02q", BROWSER, true)]
    #[case("/no/such/page", BROWSER, true)]
    #[case("/graphql-is-nice", BROWSER, true)]
    #[case("/graphql/x", BROWSER, false)]
    #[case("/graphiql", BROWSER, false)]
    #[case("/assets/nothing", BROWSER, false)]
    #[case("/favicon.ico", BROWSER, false)]
    #[case("/executions/x/other.zip", BROWSER, false)]
    #[case("/inbox", "*/*", false)]
    #[case("/inbox", "application/json", false)]
    fn browsers_get_the_console_and_programs_a_plain_answer(
        #[case] path: &str,
        #[case] accept: &'static str,
        #[case] expected: bool,
    ) {
        let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
        assert_eq!(is_page(&Method::GET, path, &headers), expected);
        assert!(!is_page(&Method::POST, path, &headers));
    }
}
