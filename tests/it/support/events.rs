//! An event stream's reader that keeps comments, too.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::{PATIENCE, TestApp};

pub struct EventStream {
    response: reqwest::Response,
    received: String,
}

/// One block of the stream.
#[derive(Debug, PartialEq)]
pub enum Block {
    Event { name: String, data: String },
    Comment,
}

impl EventStream {
    /// Sends an operation that is answered with a stream.
    pub async fn open(app: &TestApp, token: &str, query: &str, variables: Value) -> Self {
        let request = app.http.post(app.url("/graphql")).bearer_auth(token).header("accept", "text/event-stream");
        let request = request.json(&json!({"query": query, "variables": variables}));
        Self::read(request.send().await.expect("an answer"))
    }

    pub fn read(response: reqwest::Response) -> Self {
        assert_eq!(response.status(), 200);
        let media = response.headers()["content-type"].to_str().expect("text").to_owned();
        assert!(media.starts_with("text/event-stream"), "{media}");
        Self { response, received: String::new() }
    }

    /// The next block, or nothing when the stream has ended.
    pub async fn block(&mut self) -> Option<Block> {
        loop {
            if let Some(end) = self.received.find("\n\n") {
                let block: String = self.received.drain(..end + 2).collect();
                return Some(parse(&block));
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await.expect("the server says something");
            match chunk.expect("a chunk") {
                Some(chunk) => self.received.push_str(std::str::from_utf8(&chunk).expect("UTF-8")),
                None => {
                    assert_eq!(self.received, "", "the stream ends between blocks");
                    return None;
                }
            }
        }
    }

    /// The payload of the next event, which must be a `next`.
    pub async fn next(&mut self) -> Value {
        match self.event().await {
            Some((name, data)) if name == "next" => serde_json::from_str(&data).expect("JSON"),
            other => panic!("expected a `next` event, got {other:?}"),
        }
    }

    /// Makes sure that the stream says `complete` and ends.
    pub async fn completed(&mut self) {
        assert_eq!(self.event().await, Some(("complete".to_owned(), String::new())));
        assert_eq!(self.event().await, None);
    }

    async fn event(&mut self) -> Option<(String, String)> {
        let event = async {
            loop {
                match self.block().await? {
                    Block::Event { name, data } => return Some((name, data)),
                    Block::Comment => {}
                }
            }
        };
        timeout(PATIENCE, event).await.expect("the server says something")
    }
}

fn parse(block: &str) -> Block {
    let field = |name: &str| {
        let lines = block.lines().filter_map(|line| line.strip_prefix(name));
        lines.map(|value| value.trim_start_matches(' ')).collect::<Vec<_>>().join("\n")
    };
    if block.starts_with(':') {
        return Block::Comment;
    }
    Block::Event { name: field("event:"), data: field("data:") }
}
