//! A TCP client that sends what it is told to, byte by byte if need be.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{PATIENCE, TestApp};

pub struct Raw(pub TcpStream);

/// An HTTP answer as it came.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// The head in lower case.
    pub head: String,
    pub body: String,
}

impl Answer {
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

impl Raw {
    pub async fn connect(app: &TestApp) -> Self {
        let stream = TcpStream::connect(app.address).await.expect("a connection");
        stream.set_nodelay(true).expect("an option");
        Self(stream)
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.expect("sent");
    }

    /// The head of an answer, up to and with its empty line.
    pub async fn head(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(PATIENCE, self.0.read_u8()).await.expect("an answer in time").expect("an answer"));
        }
        String::from_utf8(head).expect("text").to_lowercase()
    }

    /// One whole answer with a `Content-Length`.
    pub async fn answer(&mut self) -> Answer {
        let head = self.head().await;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
        let mut body = vec![0; length.parse().expect("a length")];
        timeout(PATIENCE, self.0.read_exact(&mut body)).await.expect("a body in time").expect("a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head, body: String::from_utf8(body).expect("text") }
    }

    /// Opens a WebSocket that does nothing by itself: it answers no ping and reads no frame.
    pub async fn upgrade(app: &TestApp) -> Self {
        Self::upgrade_to(app, "sec-websocket-protocol: graphql-transport-ws\r\n").await.0
    }

    /// Opens a WebSocket on a connection that exists.
    pub async fn upgrade_on(stream: TcpStream) -> Self {
        Self(stream).handshake("sec-websocket-protocol: graphql-transport-ws\r\n").await.0
    }

    /// Opens a WebSocket with more headers, and gives the head of the answer.
    pub async fn upgrade_to(app: &TestApp, headers: &str) -> (Self, String) {
        Self::connect(app).await.handshake(headers).await
    }

    async fn handshake(mut self, headers: &str) -> (Self, String) {
        self.send(format!(
            "GET /graphql HTTP/1.1\r\nhost: test\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
        ))
        .await;
        let head = self.head().await;
        assert!(head.starts_with("http/1.1 101 "), "{head}");
        (self, head)
    }

    /// Sends a frame with the given first byte, masked with zeros.
    pub async fn send_frame(&mut self, first: u8, payload: &[u8]) {
        let mut frame = vec![first];
        match u16::try_from(payload.len()) {
            Ok(length @ ..=125) => frame.push(0x80 | length.to_le_bytes()[0]),
            Ok(length) => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
            Err(_) => panic!("a frame of the tests is short"),
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        self.send(frame).await;
    }

    /// The next frame that is short, as all of the server's are in these tests: its first byte and its payload.
    pub async fn frame(&mut self) -> (u8, Vec<u8>) {
        let mut head = [0; 2];
        timeout(PATIENCE, self.0.read_exact(&mut head)).await.expect("a frame in time").expect("a frame");
        assert!(head[1] <= 125, "a short frame");
        let mut payload = vec![0; head[1].into()];
        timeout(PATIENCE, self.0.read_exact(&mut payload)).await.expect("a payload in time").expect("a payload");
        (head[0], payload)
    }

    /// The code and reason of the close frame that must come next.
    pub async fn closed(&mut self) -> (u16, String) {
        let (first, payload) = self.frame().await;
        assert_eq!(first, 0x88, "a close frame, not {payload:?}");
        let (code, reason) = payload.split_at(2);
        (u16::from_be_bytes([code[0], code[1]]), String::from_utf8(reason.to_vec()).expect("text"))
    }

    /// Everything until the server closes, however it does.
    pub async fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        timeout(PATIENCE, self.0.read_to_end(&mut rest)).await.expect("the server closes").ok();
        rest
    }
}
