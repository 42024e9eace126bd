//! A program that HTTP agents call.

use std::sync::Arc;

use axum::{Router, body::Bytes, extract::State, http::HeaderMap, response::IntoResponse, routing::any};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};

use super::PATIENCE;

/// What an HTTP agent sent.
#[derive(Debug, Clone, Default)]
pub struct Called {
    pub idempotency_key: String,
    pub execution: String,
    pub step: String,
    pub authorization: String,
    pub body: String,
}

type Answer = Arc<dyn Fn(Called, usize) -> BoxFuture<'static, (u16, String)> + Send + Sync>;

/// What has happened at a service so far.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub calls: Vec<Called>,
    pub now: usize,
    pub most_at_once: usize,
    /// How many callers went away before they had their answer.
    pub abandoned: usize,
}

#[derive(Clone)]
pub struct Service {
    pub url: String,
    seen: watch::Sender<Seen>,
    answer: Answer,
}

impl Service {
    /// Answers each call, counted from 0.
    pub async fn start(answer: impl Fn(&Called, usize) -> (u16, String) + Send + Sync + 'static) -> Self {
        Self::start_async(move |call, number| std::future::ready(answer(&call, number))).await
    }

    /// Answers each call, counted from 0, when it is ready to.
    pub async fn start_async<F>(answer: impl Fn(Called, usize) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = (u16, String)> + Send + 'static,
    {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let answer: Answer = Arc::new(move |call, number| Box::pin(answer(call, number)));
        let service = Self { url, seen: watch::Sender::default(), answer };
        let router = Router::new()
            .route("/", any(called))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(service.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
        service
    }

    /// Answers `{}` to as many calls as the gate has permits; the others wait.
    pub async fn gated() -> (Self, Arc<Semaphore>) {
        let gate = Arc::new(Semaphore::new(0));
        let opened = Arc::clone(&gate);
        let service = Self::start_async(move |_, _| {
            let gate = Arc::clone(&opened);
            async move {
                gate.acquire().await.expect("open").forget();
                (200, "{}".to_owned())
            }
        });
        (service.await, gate)
    }

    /// Never answers.
    pub async fn silent() -> Self {
        Self::start_async(|_, _| std::future::pending()).await
    }

    pub fn calls(&self) -> Vec<Called> {
        self.seen.borrow().calls.clone()
    }

    pub fn most_at_once(&self) -> usize {
        self.seen.borrow().most_at_once
    }

    pub async fn wait_for_calls(&self, count: usize) -> Vec<Called> {
        self.wait_for(&format!("{count} calls"), |seen| seen.calls.len() >= count).await.calls
    }

    /// Waits until so many callers went away without an answer.
    pub async fn wait_for_abandoned(&self, count: usize) {
        self.wait_for(&format!("{count} abandoned calls"), |seen| seen.abandoned >= count).await;
    }

    async fn wait_for(&self, what: &str, done: impl FnMut(&Seen) -> bool) -> Seen {
        let mut seen = self.seen.subscribe();
        let waited = tokio::time::timeout(PATIENCE, seen.wait_for(done)).await;
        match waited {
            Ok(seen) => seen.expect("the service lives").clone(),
            Err(_) => panic!("waited in vain for {what}: {:#?}", self.seen.borrow()),
        }
    }

    pub fn config(&self) -> Value {
        json!({"url": self.url})
    }
}

/// Counts a call that is being answered.
struct Answering(watch::Sender<Seen>, bool);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.send_modify(|seen| {
            seen.now -= 1;
            seen.abandoned += usize::from(!self.1);
        });
    }
}

async fn called(State(service): State<Service>, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let call = Called {
        idempotency_key: header("idempotency-key"),
        execution: header("x-countersign-execution"),
        step: header("x-countersign-step"),
        authorization: header("authorization"),
        body: String::from_utf8(body.to_vec()).expect("UTF-8"),
    };
    let mut number = 0;
    service.seen.send_modify(|seen| {
        number = seen.calls.len();
        seen.calls.push(call.clone());
        seen.now += 1;
        seen.most_at_once = seen.most_at_once.max(seen.now);
    });
    let mut answering = Answering(service.seen.clone(), false);
    let (status, body) = (service.answer)(call, number).await;
    answering.1 = true;
    (axum::http::StatusCode::from_u16(status).expect("a status"), [("content-type", "application/json")], body)
}
