use std::{
    io::Write,
    net::TcpListener,
    process::Command,
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::{Router, body::Bytes, http::HeaderMap, routing::post};
use tokio::sync::mpsc;
use url::Url;

use super::*;

const SECRET: &str = "cst_Qm9zc2VzLWtub3ctbm90aGluZy1hYm91dC1pdA-_0";

/// Keeps each write apart, to see that an event is one.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<String>>>);

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("not poisoned").push(String::from_utf8(bytes.to_vec()).expect("UTF-8"));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
#[expect(dead_code, reason = "read by Debug")]
struct SignIn {
    email: &'static str,
    password: Option<&'static str>,
}

/// The writes that a few careless events cause.
fn careless_log(log_format: LogFormat, colours: bool) -> Vec<String> {
    let captured = Captured::default();
    let writer = captured.clone();
    let settings = Settings { log: "info".to_owned(), log_format, ..Settings::default() };
    let subscriber = subscriber(&settings, move || writer.clone(), colours, None).expect("valid settings");
    tracing::subscriber::with_default(subscriber, || {
        let _span = tracing::info_span!("request", cookie = "sid=hunter2; theme=hunter2", path = "/graphql").entered();
        let body = r#"{"password":"hunter2","name":"kept"}"#;
        tracing::info!(token = "hunter2", password = %"hunter2 hunter2", body, status = 200, "sent {SECRET}");
        let request = SignIn { email: "ada@example.com", password: Some("hunter2") };
        tracing::warn!(?request, user = "user_01h455vb4pex5vsknk084sn02q", "refused");
        tracing::debug!("not asked for");
    });
    let writes = captured.0.lock().expect("not poisoned").clone();
    assert_eq!(writes.len(), 2, "{writes:#?}");
    let all = writes.concat();
    for leak in ["hunter2", "Qm9z", "ada@", "example.com"] {
        assert!(!all.contains(leak), "{leak} is in {all}");
    }
    writes
}

#[test]
fn text_lines_are_masked() {
    for colours in [false, true] {
        let writes = careless_log(LogFormat::Text, colours);
        assert!(writes.iter().all(|line| line.lines().count() == 1 && line.ends_with('\n')), "{writes:#?}");
        assert!(writes[0].contains("sent cst_[masked]") && writes[0].contains("200"), "{}", writes[0]);
        assert!(
            writes[1].contains("[email]") && writes[1].contains("user_01h455vb4pex5vsknk084sn02q"),
            "{}",
            writes[1]
        );
    }
}

#[test]
fn json_lines_are_masked_and_still_json() {
    let writes = careless_log(LogFormat::Json, false);
    let lines: Vec<serde_json::Value> = writes.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["message"], "sent cst_[masked]");
    assert_eq!(lines[0]["token"], "[masked]");
    assert_eq!(lines[0]["body"], r#"{"password":"[masked]","name":"kept"}"#);
    assert_eq!(lines[0]["spans"][0]["cookie"], "[masked]");
    assert_eq!(lines[0]["spans"][0]["path"], "/graphql");
    assert_eq!(lines[1]["request"], r#"SignIn { email: "[email]", password: [masked] }"#);
}

#[test]
fn wrong_settings_are_named() {
    let settings = Settings { log: "info,countersign=loud".to_owned(), ..Settings::default() };
    let error = subscriber(&settings, io::sink, false, None).err().expect("no such level");
    assert!(error.starts_with("setting `log` has the value `info,countersign=loud`: "), "{error}");

    let endpoint = Url::parse("ftp://ada:hunter2@127.0.0.1").expect("a URL");
    let error = otlp::provider(&endpoint).expect_err("not HTTP");
    assert!(error.starts_with("setting `otlp-endpoint`") && !error.contains("hunter2"), "{error}");
}

/// Spans as the server makes them, waiting to be sent to this address.
fn with_a_careless_span(endpoint: &str) -> Telemetry {
    install_crypto();
    let provider = otlp::provider(&Url::parse(endpoint).expect("a URL")).expect("a provider");
    // A quiet log does not silence the spans.
    let settings = Settings { log: "off".to_owned(), ..Settings::default() };
    let subscriber = subscriber(&settings, io::sink, false, Some(&provider)).expect("valid settings");
    tracing::subscriber::with_default(subscriber, || {
        let span = tracing::info_span!(
            "sign_in",
            otel.name = "POST /sign-in/ada@example.com",
            otel.status_code = "ERROR",
            otel.status_description = "refused password=hunter2",
            password = "hunter2",
            attempt = 2,
            user = "user_01h455vb4pex5vsknk084sn02q",
        );
        span.in_scope(|| tracing::warn!(token = "hunter2", "sent {SECRET}"));
    });
    Telemetry { spans: Some(provider) }
}

#[tokio::test]
async fn spans_arrive_at_the_collector_masked() {
    let (sender, mut requests) = mpsc::unbounded_channel();
    let collect = move |headers: HeaderMap, body: Bytes| async move {
        sender.send((headers, body)).expect("the test waits for it");
    };
    let collector = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    // With the slash that people leave at the end.
    let endpoint = format!("http://{}/", collector.local_addr().expect("an address"));
    let server = axum::serve(collector, Router::new().route("/v1/traces", post(collect)));

    let telemetry = with_a_careless_span(&endpoint);
    tokio::select! {
        result = server.into_future() => panic!("the collector stopped: {result:?}"),
        () = telemetry.shutdown() => {}
    }

    let (headers, body) = requests.try_recv().expect("one request");
    assert_eq!(headers["content-type"], "application/x-protobuf");
    // Texts in protobuf are plain UTF-8.
    let body = String::from_utf8_lossy(&body);
    for text in [
        "service.name",
        "countersign",
        "service.version",
        env!("CARGO_PKG_VERSION"),
        "POST /sign-in/[email]",
        "refused password=[masked]",
        "sent cst_[masked]",
        "attempt",
        "user_01h455vb4pex5vsknk084sn02q",
    ] {
        assert!(body.contains(text), "no {text} in {body}");
    }
    for leak in ["hunter2", "Qm9z", "ada@"] {
        assert!(!body.contains(leak), "{leak} is in {body}");
    }
}

#[tokio::test]
async fn shutdown_gives_up_on_a_collector_that_is_down() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let telemetry = with_a_careless_span(&format!("http://{closed}"));
    let start = Instant::now();
    telemetry.shutdown().await;
    assert!(start.elapsed() < FLUSH_WITHIN * 2, "{:?}", start.elapsed());
}

#[tokio::test]
async fn shutdown_gives_up_on_a_collector_that_never_answers_and_lets_others_work() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let telemetry = with_a_careless_span(&format!("http://{}", silent.local_addr().expect("an address")));
    let start = Instant::now();
    let shutdown = async {
        telemetry.shutdown_within(Duration::from_millis(100)).await;
        Instant::now()
    };
    let other = async {
        tokio::task::yield_now().await;
        Instant::now()
    };
    // Both are on the one thread of this test's runtime.
    let (shutdown, other) = tokio::join!(shutdown, other);
    assert!(other < shutdown, "the runtime stood still");
    assert!(shutdown - start < FLUSH_WITHIN, "{:?}", shutdown - start);
}

/// What is set up for a whole process can only be seen in one of its own: this test's program, started again.
#[test]
fn a_process_logs_masked_lines_and_each_panic_once() {
    const CHILD: &str = "as-the-child";
    const NAME: &str = "telemetry::tests::a_process_logs_masked_lines_and_each_panic_once";
    if std::env::args().any(|argument| argument == CHILD) {
        return be_the_process();
    }
    let program = std::env::current_exe().expect("a path");
    let output = Command::new(program).args([NAME, CHILD, "--exact", "--nocapture"]).output().expect("it runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{stderr}");
    let lines: Vec<serde_json::Value> =
        stderr.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"))).collect();
    let [started, panicked] = &lines[..] else { panic!("not two lines: {stderr}") };
    assert_eq!(started["message"], "started for [email]");
    assert_eq!(panicked["message"], "panicked: lost cst_[masked]");
    assert_eq!((&panicked["level"], &panicked["thread"]), (&"ERROR".into(), &"worker".into()));
    assert!(panicked["location"].as_str().is_some_and(|at| at.contains("telemetry/tests.rs:")), "{panicked}");
}

fn be_the_process() {
    let settings = Settings { log_format: LogFormat::Json, ..Settings::default() };
    let _telemetry = init(&settings).expect("set up");
    tracing::info!("started for ada@example.com");
    let worker = std::thread::Builder::new().name("worker".to_owned());
    let worker = worker.spawn(|| panic!("lost {SECRET}")).expect("a thread");
    assert!(worker.join().is_err());
    let fields = |propagator: &dyn opentelemetry::propagation::TextMapPropagator| {
        propagator.fields().map(str::to_owned).collect::<Vec<_>>()
    };
    let fields = opentelemetry::global::get_text_map_propagator(fields);
    assert!(fields.contains(&"traceparent".to_owned()), "{fields:?}");
    assert!(init(&settings).is_err(), "set up twice");
}
