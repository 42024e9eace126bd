//! Calls a URL: the step's input goes there as JSON, and JSON comes back as its output.
//!
//! Neither the input nor an answer can make it call anybody else than its agent says: `template` keeps values within
//! their place in the URL, `guard` keeps connections out of private networks, `client` keeps redirects at home.

mod answer;
mod client;
mod guard;
mod template;

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use tokio::time::Instant;

use self::{guard::Guard, template::Values};
use super::{Failure, FailureCode};
use crate::{
    config::Settings,
    domain::{
        agent::{self, Method, http as rules},
        id::ExecutionId,
        json::Json,
    },
    engine::{self, secrets::Secrets},
};

/// Further away there is no moment that a clock could hold.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(365 * 86_400);
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Does the steps of all agents that call a URL. Cheap to clone.
#[derive(Clone)]
pub struct HttpRunner {
    client: reqwest::Client,
    guard: Guard,
    max_value_bytes: usize,
}

/// One step's work.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    pub input: &'a Json,
    /// The same for each try of the same work, so that the called program can tell.
    pub idempotency_key: &'a str,
    pub execution: ExecutionId,
    pub step: &'a str,
    /// Those that the agent names: [`agent::Http::secrets`].
    pub secrets: &'a Secrets,
    /// For all of it, from the first connection to the last byte.
    pub timeout: Duration,
}

impl HttpRunner {
    pub fn new(settings: &Settings) -> engine::Result<Self> {
        let guard = Guard::new(&settings.http_allow.0);
        Ok(Self { client: client::build(guard.clone())?, guard, max_value_bytes: settings.max_value_bytes })
    }

    /// Calls the agent's URL and gives what it answered.
    pub async fn run(&self, http: &agent::Http, call: Call<'_>) -> Result<Json, Failure> {
        let deadline = Instant::now() + call.timeout.min(LONGEST_TIMEOUT);
        let result = match self.request(http, call) {
            Ok((origin, request)) => self.exchange(&origin, request, call.secrets, deadline).await,
            Err(failure) => Err(failure),
        };
        // Whatever a text was made of, an answer may have had a secret in it that it was sent.
        result.map(|output| call.secrets.redact_output(output)).map_err(|failure| {
            let details = failure.details.as_deref().map(|details| call.secrets.redact(details));
            Failure { message: call.secrets.redact(&failure.message), details, ..failure }
        })
    }

    /// The request, and whom it goes to in words.
    fn request(&self, http: &agent::Http, call: Call<'_>) -> Result<(String, reqwest::Request), Failure> {
        let evaluate = |expression: &str| rules::evaluate(expression, call.input);
        let values = Values { evaluate: &evaluate, secrets: call.secrets };
        let url = values.url(&http.url)?;
        let origin = url.origin().ascii_serialization();
        self.guard.check_literal(&url)?;
        let mut request = reqwest::Request::new(method(http.method), url);
        *request.headers_mut() = headers(http, &values, call)?;
        if matches!(http.method, Method::Post | Method::Put | Method::Patch) {
            request.headers_mut().entry(CONTENT_TYPE).or_insert(JSON);
            *request.body_mut() = Some(call.input.text().to_owned().into());
        }
        Ok((origin, request))
    }

    /// Sends a request and reads the answer, all before the deadline.
    async fn exchange(
        &self,
        origin: &str,
        request: reqwest::Request,
        secrets: &Secrets,
        deadline: Instant,
    ) -> Result<Json, Failure> {
        let late = |_| Failure::new(FailureCode::Timeout, format!("`{origin}` did not answer in time"));
        let sent = tokio::time::timeout_at(deadline, self.client.execute(request)).await.map_err(late)?;
        let response = sent.map_err(|error| client::failure(origin, &error))?;
        let limit = self.max_value_bytes;
        if !response.status().is_success() {
            return Err(answer::refused(origin, response, limit, secrets, deadline).await);
        }
        let read = answer::read(origin, response, limit, secrets);
        tokio::time::timeout_at(deadline, read).await.map_err(late)?
    }
}

fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Patch => reqwest::Method::PATCH,
        Method::Delete => reqwest::Method::DELETE,
    }
}

/// The agent's headers and ours, which win.
fn headers(http: &agent::Http, values: &Values<'_>, call: Call<'_>) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, JSON);
    headers.insert(USER_AGENT, HeaderValue::from_static(concat!("countersign/", env!("CARGO_PKG_VERSION"))));
    for (name, value) in &http.headers {
        rules::check_header_name(name).map_err(bad_input)?;
        headers.insert(header_name(name)?, header_value(name, &values.header(name, value)?)?);
    }
    let execution = call.execution.to_string();
    for (name, value) in [
        ("idempotency-key", call.idempotency_key),
        ("x-countersign-execution", execution.as_str()),
        ("x-countersign-step", call.step),
    ] {
        headers.insert(header_name(name)?, header_value(name, value)?);
    }
    Ok(headers)
}

fn header_name(name: &str) -> Result<HeaderName, Failure> {
    name.parse().map_err(|_| bad_input(format!("`{name}` is not the name of a header")))
}

/// A value whatever its alphabet, but of one line. It may hold a secret, so it is kept out of logs.
fn header_value(name: &str, value: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_bytes(value.as_bytes())
        .map_err(|_| bad_input(format!("the value of the header `{name}` has a control character in it")))?;
    value.set_sensitive(true);
    Ok(value)
}

fn bad_input(message: String) -> Failure {
    Failure::new(FailureCode::BadInput, message)
}
