//! What tests build on.

mod app;
mod binary;
mod clock;
mod database;
mod events;
pub mod flows;
mod forwarder;
mod node;
pub mod policies;
mod process;
pub mod provider;
mod raw;
mod service;
mod socket;
pub mod worker;

pub use app::{PASSWORD, Person, TestApp, cookie_of, write_audit_entries};
pub use binary::command;
pub use clock::TestClock;
pub use database::{Database, Fresh};
pub use events::{Block, EventStream};
pub use forwarder::{Forwarder, unused_port};
pub use node::Node;
pub use process::Process;
pub use raw::Raw;
pub use service::{Called, Service};
pub use socket::Socket;

use std::time::Duration;

use serde_json::Value;

/// Long enough for a busy machine; a test that waits for it has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The value at a JSON pointer, or a panic that shows where it should have been.
#[track_caller]
pub fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer} in {value:#}"))
}

/// The text at a JSON pointer.
#[track_caller]
pub fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    at(value, pointer).as_str().unwrap_or_else(|| panic!("no text at {pointer} in {value:#}"))
}

/// The code of an answer's first error.
#[track_caller]
pub fn code(answer: &Value) -> &str {
    text(answer, "/errors/0/extensions/code")
}
