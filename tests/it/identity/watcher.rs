//! Somebody who watches the audit log, over either transport, until the server says that it is over.

use serde_json::Value;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::{FOLLOW, error_code};
use crate::support::{Block, EventStream, PATIENCE, Socket, TestApp, text};

#[derive(Debug, Clone, Copy)]
pub enum Transport {
    Socket,
    EventStream,
}

pub enum Watcher {
    Socket(Box<Socket>),
    EventStream(Box<EventStream>),
}

/// What a watcher saw.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub cursor: String,
    pub action: String,
}

impl Watcher {
    pub async fn open(transport: Transport, app: &TestApp, token: &str, after: Value) -> Self {
        match transport {
            Transport::Socket => {
                let mut socket = Socket::open(app, token).await;
                socket.subscribe("audit", FOLLOW, after).await;
                Self::Socket(Box::new(socket))
            }
            Transport::EventStream => Self::EventStream(Box::new(EventStream::open(app, token, FOLLOW, after).await)),
        }
    }

    /// The next event.
    pub async fn next(&mut self) -> Seen {
        let next = async {
            match self {
                Self::Socket(socket) => seen(&socket.next().await["payload"]),
                Self::EventStream(events) => seen(&events.next().await),
            }
        };
        timeout(PATIENCE, next).await.expect("an event comes")
    }

    /// What still comes until the server ends it, for the reason that the access is over.
    pub async fn until_over(&mut self) -> Vec<Seen> {
        match self {
            Self::Socket(socket) => {
                let (said, code) = until_closed(socket).await;
                assert_eq!(code, 4403);
                said.iter().filter(|message| message["type"] != "complete").map(|next| seen(&next["payload"])).collect()
            }
            Self::EventStream(events) => {
                let said = until_complete(events).await;
                let (last, said) = said.split_last().expect("a reason");
                assert_eq!(error_code(last), "UNAUTHENTICATED");
                said.iter().map(seen).collect()
            }
        }
    }
}

/// What the server still says on a socket, and the code with which it then closes.
pub async fn until_closed(socket: &mut Socket) -> (Vec<Value>, u16) {
    let mut said = Vec::new();
    let closed = async {
        loop {
            match socket.receive().await {
                Message::Text(text) => said.push(serde_json::from_str(&text).expect("JSON")),
                Message::Close(Some(frame)) => return frame.code.into(),
                other => panic!("expected a message or a close frame, got {other:?}"),
            }
        }
    };
    // A socket that is kept alive would be waited for without end.
    let code = timeout(PATIENCE, closed).await.expect("the server closes the socket");
    (said, code)
}

/// The answers that still come on an event stream until it is complete.
pub async fn until_complete(events: &mut EventStream) -> Vec<Value> {
    let mut said = Vec::new();
    let completed = async {
        loop {
            match events.block().await.expect("the stream does not break off") {
                Block::Event { name, .. } if name == "complete" => return,
                Block::Event { data, .. } => said.push(serde_json::from_str(&data).expect("JSON")),
                Block::Comment => {}
            }
        }
    };
    timeout(PATIENCE, completed).await.expect("the server ends the stream");
    said
}

#[track_caller]
fn seen(answer: &Value) -> Seen {
    Seen {
        cursor: text(answer, "/data/auditEvents/cursor").to_owned(),
        action: text(answer, "/data/auditEvents/entry/action").to_owned(),
    }
}
