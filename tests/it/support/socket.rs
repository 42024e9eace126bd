//! A WebSocket client that speaks graphql-transport-ws one message at a time.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest, http::HeaderValue, protocol::CloseFrame},
};

use super::{PATIENCE, TestApp};

pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Connects with the protocol's name and nothing else.
    pub async fn connect(app: &TestApp) -> Self {
        Self::try_connect(app).await.expect("a socket")
    }

    /// The same, where the server may refuse.
    pub async fn try_connect(app: &TestApp) -> Result<Self, Error> {
        let url = format!("ws://{}/graphql", app.address);
        let mut request = url.into_client_request().expect("a request");
        request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static("graphql-transport-ws"));
        Ok(Self(connect_async(request).await?.0))
    }

    /// Connects and initialises with a token.
    pub async fn open(app: &TestApp, token: &str) -> Self {
        let mut socket = Self::connect(app).await;
        socket.send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}})).await;
        assert_eq!(socket.next().await, json!({"type": "connection_ack"}));
        socket
    }

    pub async fn send(&mut self, message: Value) {
        self.send_raw(Message::text(message.to_string())).await;
    }

    pub async fn send_raw(&mut self, message: Message) {
        self.0.send(message).await.expect("sent");
    }

    /// Sends messages so that the server finds them all at once.
    pub async fn send_together(&mut self, messages: &[Value]) {
        for message in messages {
            self.0.feed(Message::text(message.to_string())).await.expect("queued");
        }
        self.0.flush().await.expect("sent");
    }

    pub async fn subscribe(&mut self, id: &str, query: &str, variables: Value) {
        let payload = json!({"query": query, "variables": variables});
        self.send(json!({"type": "subscribe", "id": id, "payload": payload})).await;
    }

    /// The next message of the protocol.
    pub async fn next(&mut self) -> Value {
        match self.receive().await {
            Message::Text(text) => serde_json::from_str(&text).expect("JSON"),
            other => panic!("expected a message, got {other:?}"),
        }
    }

    /// The code and reason with which the server closes, after any messages still under way.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            match self.receive().await {
                Message::Close(Some(CloseFrame { code, reason })) => return (code.into(), reason.to_string()),
                Message::Text(_) => {}
                other => panic!("expected a close frame, got {other:?}"),
            }
        }
    }

    /// The next frame that is not a ping or pong of the transport.
    pub async fn receive(&mut self) -> Message {
        let message = async {
            loop {
                match self.frame().await {
                    Message::Ping(_) | Message::Pong(_) => {}
                    message => return message,
                }
            }
        };
        tokio::time::timeout(PATIENCE, message).await.expect("the server says something")
    }

    /// The next frame of any kind.
    pub async fn frame(&mut self) -> Message {
        let received = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("the server says something");
        received.expect("the socket is open").expect("a frame")
    }

    /// Closes, and waits until the server has answered with a close frame of its own.
    pub async fn close(mut self) {
        self.0.close(None).await.expect("sent");
        while let Some(frame) = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("the server answers") {
            if let Message::Close(_) = frame.expect("a close frame, not a broken connection") {
                return;
            }
        }
        panic!("the server hung up without a close frame");
    }
}
