//! What the server tells about itself: log lines, spans and metrics.
//!
//! ```text
//! event, panic ─▶ `log` filter ─▶ text or JSON ─▶ mask ─▶ stderr
//! span ─────────▶ INFO and above ─▶ batches ────▶ mask ─▶ OpenTelemetry collector
//! metric ───────▶ recorder ◀─ /metrics
//! ```
//!
//! Nothing here knows of requests, users or the database. Secrets are masked in one place, [`mask`],
//! and at the last step, so that no code that logs has to remember it.

pub mod mask;
pub mod metrics;
mod otlp;
mod panics;
mod process;
mod writer;

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::{propagation::TraceContextPropagator, trace::SdkTracerProvider};
use tracing::{Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{
    EnvFilter, Layer, Registry, filter::Targets, fmt::MakeWriter, layer::SubscriberExt, registry::LookupSpan,
    util::SubscriberInitExt,
};

use crate::config::{LogFormat, Settings};

/// How long the last spans may take to leave.
const FLUSH_WITHIN: Duration = Duration::from_secs(3);

/// Keeps telemetry running until it is shut down.
#[must_use = "spans that were not sent yet are lost without `shutdown`"]
#[derive(Debug)]
pub struct Telemetry {
    spans: Option<SdkTracerProvider>,
}

/// Sets up logs, spans, metrics and the panic hook for the whole process, once.
pub fn init(settings: &Settings) -> Result<Telemetry, String> {
    install_crypto();
    let spans = settings.otlp_endpoint.as_ref().map(otlp::provider).transpose()?;
    let subscriber = subscriber(settings, io::stderr, io::stderr().is_terminal(), spans.as_ref())?;
    subscriber.try_init().map_err(|error| format!("logging is already set up: {error}"))?;
    opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
    panics::install();
    metrics::install();
    Ok(Telemetry { spans })
}

impl Telemetry {
    /// Sends the spans that are still here, but does not wait long for a collector that is down.
    pub async fn shutdown(self) {
        self.shutdown_within(FLUSH_WITHIN).await;
    }

    async fn shutdown_within(self, limit: Duration) {
        let Some(spans) = self.spans else { return };
        // It waits for the exporter's thread.
        match tokio::task::spawn_blocking(move || spans.shutdown_with_timeout(limit)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last spans did not reach the OpenTelemetry collector"),
            Err(error) => tracing::error!(%error, "sending the last spans failed"),
        }
    }
}

/// Chooses the cryptography behind every TLS connection of the process. Only the first call does something.
pub fn install_crypto() {
    // An error says that there is one already, which is what we want.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn subscriber<W>(
    settings: &Settings,
    writer: W,
    colours: bool,
    spans: Option<&SdkTracerProvider>,
) -> Result<impl Subscriber + Send + Sync + use<W>, String>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let filter = EnvFilter::builder()
        .parse(&settings.log)
        .map_err(|error| format!("setting `log` has the value `{}`: {error}", settings.log))?;
    let log = log_layer(settings.log_format, writer, colours).with_filter(filter);
    let traces = spans.map(|spans| {
        let layer = tracing_opentelemetry::layer().with_tracer(spans.tracer("countersign"));
        // Files, lines and threads cost more room than they are worth in a trace.
        layer.with_location(false).with_threads(false).with_tracked_inactivity(false).with_filter(span_filter())
    });
    Ok(Registry::default().with(log).with(traces))
}

fn log_layer<S, W>(format: LogFormat, writer: W, colours: bool) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    // Its complaints about itself would go to stderr unmasked.
    let layer = tracing_subscriber::fmt::layer().with_writer(writer::Masking(writer)).log_internal_errors(false);
    match format {
        LogFormat::Json => layer.json().flatten_event(true).with_current_span(false).boxed(),
        // Without a word from us, the layer itself obeys `NO_COLOR`.
        LogFormat::Text if colours => layer.compact().boxed(),
        LogFormat::Text => layer.compact().with_ansi(false).boxed(),
    }
}

/// Apart from the `log` filter, because a quiet log is no reason to lose traces. What carries the spans to the
/// collector must not make spans itself, or each batch would cause the next.
fn span_filter() -> Targets {
    let transport = ["h2", "hyper", "reqwest", "rustls"];
    Targets::new()
        .with_default(LevelFilter::INFO)
        .with_target("sqlx", LevelFilter::WARN)
        .with_targets(transport.map(|target| (target, LevelFilter::OFF)))
}

#[cfg(test)]
mod tests;
