//! Numbers about the running server, in Prometheus's format.
//!
//! They are recorded anywhere with the macros of the `metrics` crate, under the names that are described here.

use std::{sync::OnceLock, thread, time::Duration};

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::process;

pub const HTTP_REQUESTS: &str = "countersign_http_requests_total";
pub const HTTP_REQUEST_SECONDS: &str = "countersign_http_request_seconds";
pub const GRAPHQL_OPERATIONS: &str = "countersign_graphql_operations_total";
pub const GRAPHQL_SECONDS: &str = "countersign_graphql_seconds";
pub const SOCKETS: &str = "countersign_sockets";
pub const SUBSCRIPTIONS: &str = "countersign_subscriptions";
pub const SIGN_INS: &str = "countersign_sign_ins_total";
pub const SQL_SECONDS: &str = "countersign_sql_seconds";
pub const JOURNAL_BATCH: &str = "countersign_journal_batch";
pub const AUDIT_REFUSED: &str = "countersign_audit_logs_refused_total";

/// From a health check to the time limit of a request.
const REQUEST_BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
/// From a cached page of SQLite to a lock that was waited for.
const SQL_BUCKETS: &[f64] =
    &[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// From one execution alone to as many as one transaction takes.
const BATCH_BUCKETS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Starts recording. There is one recorder in a process, so only the first call does something.
pub fn install() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let handle = recorder().install_recorder().expect("nothing else in this process records metrics");
        describe();
        keep_up(handle.clone());
        handle
    })
}

/// Everything recorded so far, and the process's own numbers.
pub fn render() -> String {
    let mut text = install().render();
    process::render(&mut text);
    text
}

fn recorder() -> PrometheusBuilder {
    let buckets = [
        (HTTP_REQUEST_SECONDS, REQUEST_BUCKETS),
        (GRAPHQL_SECONDS, REQUEST_BUCKETS),
        (SQL_SECONDS, SQL_BUCKETS),
        (JOURNAL_BATCH, BATCH_BUCKETS),
    ];
    buckets.into_iter().fold(PrometheusBuilder::new(), |builder, (name, buckets)| {
        builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), buckets).expect("there are buckets")
    })
}

fn describe() {
    describe_counter!(HTTP_REQUESTS, "HTTP requests that were answered, by method, path and status.");
    describe_histogram!(HTTP_REQUEST_SECONDS, Unit::Seconds, "Time from a request's head to its answer's head.");
    describe_counter!(GRAPHQL_OPERATIONS, "GraphQL operations that were executed, by type and outcome.");
    describe_histogram!(GRAPHQL_SECONDS, Unit::Seconds, "Time to execute a GraphQL operation.");
    describe_histogram!(JOURNAL_BATCH, "Decisions that were written to the journal in one transaction.");
    describe_gauge!(SOCKETS, "WebSockets that are open.");
    describe_gauge!(SUBSCRIPTIONS, "Subscriptions that are running.");
    describe_counter!(AUDIT_REFUSED, "Audit logs that the server does not sign any more, because they do not hold.");
    describe_counter!(SIGN_INS, "Attempts to sign in, by outcome.");
    describe_histogram!(SQL_SECONDS, Unit::Seconds, "Time to execute an SQL statement.");
    // Known to be zero from the start, rather than unknown until the first one.
    metrics::counter!(AUDIT_REFUSED).absolute(0);
    metrics::gauge!(SOCKETS).set(0.0);
    metrics::gauge!(SUBSCRIPTIONS).set(0.0);
}

/// Samples of histograms pile up until they are counted. Scraping counts them, but perhaps nobody scrapes.
/// A thread and not a task, because the recorder outlives any runtime.
fn keep_up(handle: PrometheusHandle) {
    let upkeep = move || {
        loop {
            thread::sleep(UPKEEP_EVERY);
            handle.run_upkeep();
        }
    };
    if let Err(error) = thread::Builder::new().name("metrics-upkeep".to_owned()).spawn(upkeep) {
        tracing::error!(%error, "cannot start the upkeep of metrics: they take memory until they are scraped");
    }
}

#[cfg(test)]
mod tests {
    use metrics::{counter, gauge, histogram};

    use super::*;

    #[test]
    fn renders_what_was_recorded() {
        install();
        // A label of their own, because every test of this program records into the same place.
        counter!(HTTP_REQUESTS, "method" => "POST", "path" => "/a-test", "status" => "200").increment(3);
        gauge!(SOCKETS, "of" => "a-test").increment(2.0);
        histogram!(SQL_SECONDS, "of" => "a-test").record(0.0002);
        let text = render();
        for line in [
            "# TYPE countersign_http_requests_total counter",
            r#"countersign_http_requests_total{method="POST",path="/a-test",status="200"} 3"#,
            "# HELP countersign_sockets WebSockets that are open.",
            r#"countersign_sockets{of="a-test"} 2"#,
            "# TYPE countersign_subscriptions gauge",
            "# TYPE countersign_sql_seconds histogram",
            r#"countersign_sql_seconds_bucket{of="a-test",le="0.0001"} 0"#,
            r#"countersign_sql_seconds_bucket{of="a-test",le="0.00025"} 1"#,
            r#"countersign_sql_seconds_count{of="a-test"} 1"#,
        ] {
            assert!(text.lines().any(|found| found == line), "no `{line}` in\n{text}");
        }
    }

    #[test]
    fn installing_again_keeps_the_recorder() {
        install();
        counter!(SIGN_INS, "outcome" => "test").increment(1);
        install();
        assert!(render().contains(r#"countersign_sign_ins_total{outcome="test"} 1"#));
    }
}
