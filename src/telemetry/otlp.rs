//! Sends spans to an OpenTelemetry collector: OTLP over HTTP, in batches, from a thread of its own.

use std::{
    borrow::Cow,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use opentelemetry::{Array, KeyValue, Value, trace::Status};
use opentelemetry_otlp::{Protocol, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{SdkTracerProvider, SpanData, SpanExporter},
};
use url::Url;

use super::mask::{self, MASKED, mask};

/// For one batch, with its retries.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);
/// A collector that is away for the night is worth a line now and then, not one for each batch.
const REMIND_AFTER: Duration = Duration::from_secs(300);

/// What hands spans to the collector at this address.
pub(super) fn provider(endpoint: &Url) -> Result<SdkTracerProvider, String> {
    let wrong =
        |expected: &str| format!("setting `otlp-endpoint` has the value `{}`: {expected}", mask(endpoint.as_str()));
    if !matches!(endpoint.scheme(), "http" | "https") {
        return Err(wrong("expected `http://…` or `https://…`"));
    }
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(format!("{}/v1/traces", endpoint.as_str().trim_end_matches('/')))
        .with_timeout(EXPORT_TIMEOUT)
        .build()
        .map_err(|error| wrong(&error.to_string()))?;
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder().with_service_name("countersign").with_attribute(version).build();
    let exporter = Masking { inner: exporter, health: Mutex::default() };
    Ok(SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build())
}

/// Masks spans before they leave, and tells the log when they do not arrive.
#[derive(Debug)]
struct Masking<E> {
    inner: E,
    health: Mutex<Health>,
}

impl<E: SpanExporter> SpanExporter for Masking<E> {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        batch.iter_mut().for_each(mask_span);
        let result = self.inner.export(batch).await;
        let news =
            self.health.lock().unwrap_or_else(PoisonError::into_inner).note(spans, result.is_ok(), Instant::now());
        match (news, &result) {
            (Some(News::Failing { lost_spans }), Err(error)) => {
                tracing::warn!(lost_spans, %error, "the OpenTelemetry collector does not take our spans");
            }
            (Some(News::Recovered { lost_spans }), _) => {
                tracing::info!(lost_spans, "the OpenTelemetry collector takes our spans again");
            }
            _ => {}
        }
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.inner.shutdown_with_timeout(timeout)
    }

    fn shutdown(&self) -> OTelSdkResult {
        self.inner.shutdown()
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.inner.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.inner.set_resource(resource);
    }
}

/// What was lost since the collector last took something.
#[derive(Debug, Default)]
struct Health {
    lost_spans: usize,
    told: Option<Instant>,
}

#[derive(Debug, PartialEq)]
enum News {
    Failing { lost_spans: usize },
    Recovered { lost_spans: usize },
}

impl Health {
    fn note(&mut self, spans: usize, delivered: bool, now: Instant) -> Option<News> {
        if delivered {
            let before = std::mem::take(self);
            return before.told.map(|_| News::Recovered { lost_spans: before.lost_spans });
        }
        self.lost_spans += spans;
        if self.told.is_some_and(|told| now.duration_since(told) < REMIND_AFTER) {
            return None;
        }
        self.told = Some(now);
        Some(News::Failing { lost_spans: self.lost_spans })
    }
}

fn mask_span(span: &mut SpanData) {
    mask_text(&mut span.name);
    mask_attributes(&mut span.attributes);
    for event in &mut span.events.events {
        mask_text(&mut event.name);
        mask_attributes(&mut event.attributes);
    }
    for link in &mut span.links.links {
        mask_attributes(&mut link.attributes);
    }
    if let Status::Error { description } = &mut span.status {
        mask_text(description);
    }
}

fn mask_text(text: &mut Cow<'static, str>) {
    let Cow::Owned(masked) = mask(text) else { return };
    *text = Cow::Owned(masked);
}

fn mask_attributes(attributes: &mut [KeyValue]) {
    for attribute in attributes {
        if let Some(masked) = masked_value(attribute.key.as_str(), &attribute.value) {
            attribute.value = masked;
        }
    }
}

/// What stands for the value, if anything has to.
fn masked_value(name: &str, value: &Value) -> Option<Value> {
    if mask::is_secret_name(name) {
        return (!mask::is_harmless(&value.as_str())).then(|| MASKED.into());
    }
    match value {
        Value::String(text) => match mask(text.as_str()) {
            Cow::Owned(masked) => Some(masked.into()),
            Cow::Borrowed(_) => None,
        },
        Value::Array(Array::String(texts)) => {
            let masked = texts.iter().map(|text| mask(text.as_str()).into_owned().into());
            Some(Value::Array(Array::String(masked.collect())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_now_and_then_and_once_when_it_is_over() {
        let mut health = Health::default();
        let start = Instant::now();
        assert_eq!(health.note(5, true, start), None);
        assert_eq!(health.note(10, false, start), Some(News::Failing { lost_spans: 10 }));
        assert_eq!(health.note(10, false, start + REMIND_AFTER / 2), None);
        assert_eq!(health.note(10, false, start + REMIND_AFTER), Some(News::Failing { lost_spans: 30 }));
        assert_eq!(health.note(10, false, start + REMIND_AFTER * 3 / 2), None);
        assert_eq!(health.note(5, true, start + REMIND_AFTER * 2), Some(News::Recovered { lost_spans: 40 }));
        assert_eq!(health.note(5, true, start + REMIND_AFTER * 3), None);
    }

    #[test]
    fn attributes_are_masked_by_name_and_by_value() {
        let masked = |name, value: Value| masked_value(name, &value);
        assert_eq!(masked("db.password", "x y".into()), Some(MASKED.into()));
        assert_eq!(masked("token", 123_456.into()), Some(MASKED.into()));
        assert_eq!(masked("token", "token_01h455vb4pex5vsknk084sn02q".into()), None);
        assert_eq!(masked("url.full", "https://u:p@host/".into()), Some("https://[masked]@host/".into()));
        assert_eq!(masked("http.route", "/graphql".into()), None);
        let texts = |text: &str| Value::Array(Array::String(vec!["kept".into(), text.to_owned().into()]));
        assert_eq!(masked("to", texts("ada@example.com")), Some(texts("[email]")));
    }
}
