//! Countersign: agents propose, people countersign.
//!
//! The path of a request:
//!
//! ```text
//!  HTTP, WebSocket, event stream ─▶ http ─▶ graphql ─▶ engine (commands) ─▶ store (one transaction, with audit entries)
//!                                    ▲                                        │ after the commit
//!                                    └────────── realtime (streams) ◀─────────┘
//! ```
//!
//! Dependencies point one way: `domain ← store ← engine, realtime ← graphql ← http ← cli`. `domain` knows nobody,
//! does no I/O and has no clock; `store` is the only user of SQL and of the `entity` crate. A test checks these rules.

pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod engine;
pub mod graphql;
pub mod http;
pub mod realtime;
pub mod store;
pub mod tasks;
pub mod telemetry;
