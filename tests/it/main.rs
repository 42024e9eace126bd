//! Integration tests: one binary, real databases, real sockets.
#![expect(clippy::disallowed_methods, reason = "tests look at the real clock and environment")]
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod support;

mod analytics;
mod audit;
mod bench;
mod browser;
mod checkpoints;
mod deliverables;
mod demo;
mod executions;
mod hostile;
mod identity;
mod library;
mod memory;
mod migrations;
mod operations;
mod protocol;
mod quotas;
mod runners;
mod schema;
mod secrets;
mod smoke;
mod soak;
