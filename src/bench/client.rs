//! Talking to the server as any program would.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue},
};

use super::Result;

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    address: String,
    token: String,
}

impl Client {
    pub fn new(address: &str, token: &str) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().tcp_nodelay(true).build()?;
        Ok(Self { http, address: address.to_owned(), token: token.to_owned() })
    }

    /// The data of an answer without errors.
    pub async fn send(&self, query: &str, variables: Value) -> Result<Value> {
        let request = self.http.post(format!("http://{}/graphql", self.address)).bearer_auth(&self.token);
        let answer = request.json(&json!({"query": query, "variables": variables})).send().await?;
        let mut answer: Value = answer.json().await?;
        if answer.get("errors").is_some() {
            return Err(format!("{query}: {answer}").into());
        }
        Ok(answer["data"].take())
    }

    /// The payload of a mutation that was not refused.
    pub async fn mutate(&self, name: &str, input: Value, selection: &str) -> Result<Value> {
        let first = name.chars().next().map(|first| first.to_ascii_uppercase()).unwrap_or_default();
        let kind = format!("{first}{}Input", name.get(1..).unwrap_or_default());
        let query = format!(
            "mutation($input: {kind}!) {{ {name}(input: $input) {{ {selection} userErrors {{ code message path }} }} }}"
        );
        let mut payload = self.send(&query, json!({ "input": input })).await?[name].take();
        match payload["userErrors"].as_array() {
            Some(errors) if errors.is_empty() => Ok(payload),
            _ => Err(format!("{name}: {}", payload["userErrors"].take()).into()),
        }
    }

    pub async fn watch(&self, query: &str, variables: Value) -> Result<Socket> {
        let mut request = format!("ws://{}/graphql", self.address).into_client_request()?;
        request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static("graphql-transport-ws"));
        let mut socket = connect_async(request).await?.0;
        let token = format!("Bearer {}", self.token);
        socket.send(text(&json!({"type": "connection_init", "payload": {"Authorization": token}}))).await?;
        socket.next().await.ok_or("the server hung up")??;
        let payload = json!({"query": query, "variables": variables});
        socket.send(text(&json!({"id": "1", "type": "subscribe", "payload": payload}))).await?;
        Ok(Socket(socket))
    }
}

fn text(message: &Value) -> Message {
    Message::text(message.to_string())
}

/// A subscription on a socket of its own.
pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// The next message as it came.
    pub async fn next_text(&mut self) -> Result<String> {
        loop {
            match self.0.next().await.ok_or("the server hung up")?? {
                Message::Text(text) => return Ok(text.to_string()),
                Message::Close(frame) => return Err(format!("the server closed the socket: {frame:?}").into()),
                _ => {}
            }
        }
    }

    /// The data of the next event.
    pub async fn next(&mut self) -> Result<Value> {
        let mut message: Value = serde_json::from_str(&self.next_text().await?)?;
        if message["type"] != "next" {
            return Err(format!("no event: {message}").into());
        }
        Ok(message["payload"]["data"].take())
    }
}

/// A text within an answer.
pub fn text_at<'a>(value: &'a Value, pointer: &str) -> Result<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).ok_or_else(|| format!("{pointer} is missing in {value}").into())
}
