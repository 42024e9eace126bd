//! Talking to the server as any program would.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{
    Request,
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue},
};

use super::Result;

/// Shares the machine with the server that it measures, so it does little: connections that are kept, and nothing
/// between them and what is sent.
#[derive(Clone)]
pub struct Client {
    address: String,
    token: String,
    free: Arc<Mutex<Vec<SendRequest<Full<Bytes>>>>>,
}

impl Client {
    pub fn new(address: &str, token: &str) -> Result<Self> {
        Ok(Self { address: address.to_owned(), token: format!("Bearer {token}"), free: Arc::default() })
    }

    /// A connection that is free, or another one.
    async fn connection(&self) -> Result<SendRequest<Full<Bytes>>> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some(mut connection) = free() {
            if connection.ready().await.is_ok() {
                return Ok(connection);
            }
        }
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        let (connection, driver) = handshake(TokioIo::new(stream)).await?;
        // It ends with the connection.
        crate::tasks::spawn_detached(async move { _ = driver.await });
        Ok(connection)
    }

    async fn post(&self, body: Vec<u8>) -> Result<Value> {
        let mut connection = self.connection().await?;
        let request = Request::post("/graphql")
            .header(HOST, &self.address)
            .header(CONTENT_TYPE, "application/json")
            .header(AUTHORIZATION, &self.token)
            .body(Full::from(body))?;
        let answer = connection.send_request(request).await?.into_body().collect().await?.to_bytes();
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(serde_json::from_slice(&answer)?)
    }

    /// The data of an answer without errors.
    pub async fn send(&self, query: &str, variables: Value) -> Result<Value> {
        let mut answer = self.post(serde_json::to_vec(&json!({"query": query, "variables": variables}))?).await?;
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
        socket.send(text(&json!({"type": "connection_init", "payload": {"Authorization": self.token}}))).await?;
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
