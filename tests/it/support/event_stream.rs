//! A reader of graphql-sse's distinct connections.

use std::time::Duration;

use serde_json::Value;

use super::TestApp;

/// Long enough for a busy machine; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The event stream of one operation.
pub struct EventStream {
    response: reqwest::Response,
    read: String,
}

impl EventStream {
    pub async fn open(app: &TestApp, token: &str, query: &str, variables: Value) -> Self {
        Self::send(app.request(query, variables).bearer_auth(token)).await
    }

    /// Opens the stream of any request.
    pub async fn send(request: reqwest::RequestBuilder) -> Self {
        let response = request.header("accept", "text/event-stream").send().await.expect("an answer");
        assert_eq!(response.status(), 200);
        Self { response, read: String::new() }
    }

    /// The next event's name and data, or nothing at the end of the stream.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.read = rest;
                match parse(&event) {
                    Some(event) => return Some(event),
                    None => continue,
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("the server says something");
            let chunk = chunk.expect("the stream does not break")?;
            self.read.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    /// The answers that still come until the stream is complete.
    pub async fn until_complete(&mut self) -> Vec<Value> {
        let mut said = Vec::new();
        while let Some((name, data)) = self.next().await {
            match name.as_str() {
                "next" => said.push(data),
                "complete" => return said,
                other => panic!("unknown event `{other}`"),
            }
        }
        panic!("the stream broke off after {said:?}");
    }
}

/// An event, or nothing for a comment that keeps the connection alive.
fn parse(event: &str) -> Option<(String, Value)> {
    let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let data = field("data").unwrap_or_default();
    let data = if data.is_empty() { Value::Null } else { serde_json::from_str(data).expect("JSON") };
    Some((field("event")?.to_owned(), data))
}
