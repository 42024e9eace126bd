//! The protocol's messages and close codes.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Utf8Bytes};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    graphql::Answer,
    http::{auth::Refused, limits},
};

/// Why the server closes a socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Close {
    BadRequest(String),
    Unauthorized,
    Forbidden(&'static str),
    SubprotocolNotAcceptable,
    InitialisationTimeout,
    SubscriberAlreadyExists(String),
    TooManyInitialisationRequests,
    TooManySockets(usize),
    TooManyRequests(Duration),
    MessageTooLarge(usize),
    NotUtf8,
    NotWebSocket,
    GoingAway,
    Unavailable,
    Internal,
}

/// A close frame's reason has room for so many bytes.
const LONGEST_REASON: usize = 123;

impl From<Refused> for Close {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Credentials(rejected) => Close::Forbidden(rejected.explain()),
            Refused::TooMany(wait) => Close::TooManyRequests(wait),
            Refused::Unavailable => Close::Unavailable,
            Refused::Internal => Close::Internal,
        }
    }
}

impl Close {
    pub fn frame(&self) -> CloseFrame {
        let (code, reason) = match self {
            Close::BadRequest(reason) => (4400, reason.clone()),
            Close::Unauthorized => (4401, "Unauthorized".to_owned()),
            Close::Forbidden(reason) => (4403, format!("Forbidden: {reason}")),
            Close::SubprotocolNotAcceptable => (4406, "Subprotocol not acceptable".to_owned()),
            Close::InitialisationTimeout => (4408, "Connection initialisation timeout".to_owned()),
            Close::SubscriberAlreadyExists(id) => (4409, format!("Subscriber for {id} already exists")),
            Close::TooManyInitialisationRequests => (4429, "Too many initialisation requests".to_owned()),
            Close::TooManySockets(limit) => (1013, format!("You have {limit} sockets open: close some first")),
            Close::TooManyRequests(wait) => {
                (1013, format!("Too many requests: try again in {} s", limits::seconds(*wait)))
            }
            Close::MessageTooLarge(limit) => (1009, format!("A message has at most {limit} bytes")),
            Close::NotUtf8 => (1007, "A text must be UTF-8".to_owned()),
            Close::NotWebSocket => (1002, "Not WebSocket".to_owned()),
            Close::GoingAway => (1001, "The server is stopping".to_owned()),
            Close::Unavailable => (1013, "The server cannot reach its database: try again".to_owned()),
            Close::Internal => (1011, "Internal error".to_owned()),
        };
        let end = (0..=LONGEST_REASON.min(reason.len())).rev().find(|at| reason.is_char_boundary(*at)).unwrap_or(0);
        CloseFrame { code, reason: Utf8Bytes::from(&reason[..end]) }
    }
}

/// What a client says.
#[derive(Debug, PartialEq)]
pub enum FromClient {
    ConnectionInit(Option<Map<String, Value>>),
    Ping(Option<Value>),
    Pong,
    Subscribe { id: String, payload: Map<String, Value> },
    Complete { id: String },
}

impl FromClient {
    /// Reads a message, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|_| "Invalid message: not JSON".to_owned())?;
        let Value::Object(mut message) = value else {
            return Err("Invalid message: not an object".to_owned());
        };
        let kind = match message.remove("type") {
            Some(Value::String(kind)) => kind,
            _ => return Err("Invalid message: `type` is missing".to_owned()),
        };
        let id = match message.remove("id") {
            Some(Value::String(id)) if !id.is_empty() => Some(id),
            None => None,
            Some(_) => return Err("Invalid message: `id` must be a text that is not empty".to_owned()),
        };
        let payload = message.remove("payload");
        let optional_object = |payload: Option<Value>| match payload {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(payload)) => Ok(Some(payload)),
            Some(_) => Err(format!("Invalid message: the payload of `{kind}` must be an object")),
        };
        let no_id = || format!("Invalid message: `{kind}` needs an `id`");
        match kind.as_str() {
            "connection_init" => optional_object(payload).map(FromClient::ConnectionInit),
            "ping" => optional_object(payload).map(|payload| FromClient::Ping(payload.map(Value::Object))),
            "pong" => optional_object(payload).map(|_| FromClient::Pong),
            "subscribe" => {
                let no_payload = || "Invalid message: `subscribe` needs a `payload`".to_owned();
                let payload = optional_object(payload)?.ok_or_else(no_payload)?;
                Ok(FromClient::Subscribe { id: id.ok_or_else(no_id)?, payload })
            }
            "complete" => Ok(FromClient::Complete { id: id.ok_or_else(no_id)? }),
            _ => {
                let shown: String = kind.chars().take(40).collect();
                Err(format!("Invalid message: unknown type `{shown}`"))
            }
        }
    }
}

/// What the server says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromServer<'a> {
    ConnectionAck,
    Pong {
        #[serde(skip_serializing_if = "Option::is_none")]
        payload: Option<Value>,
    },
    Next {
        id: &'a str,
        payload: &'a Answer,
    },
    Error {
        id: &'a str,
        payload: &'a [async_graphql::ServerError],
    },
    Complete {
        id: &'a str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_are_none_are_explained() {
        for (text, expected) in [
            ("nonsense", "Invalid message: not JSON"),
            ("[]", "Invalid message: not an object"),
            ("{}", "Invalid message: `type` is missing"),
            (r#"{"type":"subscribe","id":"1"}"#, "Invalid message: `subscribe` needs a `payload`"),
            (r#"{"type":"subscribe","id":"","payload":{}}"#, "Invalid message: `id` must be a text that is not empty"),
            (r#"{"type":"complete"}"#, "Invalid message: `complete` needs an `id`"),
            (r#"{"type":"ping","payload":1}"#, "Invalid message: the payload of `ping` must be an object"),
            (r#"{"type":"start"}"#, "Invalid message: unknown type `start`"),
        ] {
            assert_eq!(FromClient::parse(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_close_reason_fits_its_frame() {
        let frame = Close::SubscriberAlreadyExists("ü".repeat(200)).frame();
        assert!(frame.reason.len() <= LONGEST_REASON);
        assert_eq!(frame.code, 4409);
    }
}
