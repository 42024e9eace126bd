//! The ways in.

mod assets;
mod audit;
mod auth;
mod deliverables;
mod draining;
mod graphql;
mod health;
mod json_lines;
mod learning_cases;
mod limits;
mod opening;
mod origin;
mod server;
mod slices;
mod socket;
mod starting;

use std::{sync::Arc, time::Instant};

use axum::{
    Router,
    extract::{MatchedPath, Request},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{any, get},
};
use opentelemetry::propagation::Extractor;
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer};
use tracing::Instrument;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use crate::{
    config::Settings,
    engine::Engine,
    graphql::Api,
    realtime::{AccessWatch, Hub, Quota},
    tasks::Tasks,
    telemetry::metrics as telemetry,
};

pub use server::serve;
pub use starting::Starting;

/// What handlers need.
#[derive(Clone)]
pub struct Server(Arc<Inner>);

struct Inner {
    api: Api,
    engine: Engine,
    access_watch: AccessWatch,
    limits: limits::Limits,
    readiness: health::Readiness,
    sockets: Quota,
    subscriptions: Quota,
    tasks: Tasks,
}

impl Server {
    pub fn new(engine: Engine, access_watch: AccessWatch, hub: Hub, tasks: Tasks) -> Self {
        let settings = engine.settings();
        Self(Arc::new(Inner {
            api: Api::new(settings, engine.clone(), access_watch.clone(), hub),
            limits: limits::Limits::new(settings),
            readiness: health::Readiness::default(),
            sockets: Quota::new(settings.max_sockets_per_user, telemetry::SOCKETS),
            subscriptions: Quota::new(settings.max_subscriptions_per_user, telemetry::SUBSCRIPTIONS),
            engine,
            access_watch,
            tasks,
        }))
    }

    fn settings(&self) -> &Settings {
        self.0.engine.settings()
    }

    pub fn router(&self) -> Router {
        let header = |name: HeaderName, value: &'static str| {
            SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
        };
        Router::new()
            .route("/graphql", any(graphql::handle))
            .route("/audit.jsonl", get(audit::export))
            .route("/learning-cases.jsonl", get(learning_cases::export))
            .route("/healthz", get(health::alive))
            .route("/readyz", get(health::ready))
            .route("/metrics", get(health::metrics))
            .merge(deliverables::routes())
            .merge(assets::routes(self.settings()))
            .fallback(assets::console)
            .layer(middleware::from_fn(measure))
            .layer(middleware::from_fn_with_state(self.clone(), slices::hand_over))
            .layer(CatchPanicLayer::custom(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response()))
            .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .layer(header(header::X_FRAME_OPTIONS, "DENY"))
            .layer(header(header::REFERRER_POLICY, "no-referrer"))
            .layer(header(header::CACHE_CONTROL, "no-store"))
            .with_state(self.clone())
    }
}

/// Counts requests, and traces them without what they carry. A caller's own trace goes on here.
async fn measure(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().map_or("other", |path| path.as_str()).to_owned();
    let span = tracing::info_span!("request", %method, path, status = tracing::field::Empty);
    let parent =
        opentelemetry::global::get_text_map_propagator(|propagator| propagator.extract(&Headers(request.headers())));
    // An error only says that no traces are collected.
    let _ = span.set_parent(parent);
    let response = next.run(request).instrument(span.clone()).await;
    let status = response.status().as_u16();
    span.record("status", status);
    let labels = [("method", method.to_string()), ("path", path), ("status", status.to_string())];
    metrics::counter!(telemetry::HTTP_REQUESTS, &labels).increment(1);
    metrics::histogram!(telemetry::HTTP_REQUEST_SECONDS).record(began.elapsed().as_secs_f64());
    response
}

/// Lets the propagator read `traceparent` and its kin.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}
