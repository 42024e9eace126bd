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
//! The path of a change to an execution, whoever asks for it:
//!
//! ```text
//!  command ─▶ domain: decide, advance ─▶ events ─▶ engine (writer: many in one commit) ─▶ store (journal, projections)
//!     ▲                                                                                     │ after the commit
//!     └───── runners, workers, timers ◀───── places, tasks ◀────────────────────────────────┴─▶ realtime (hub)
//! ```
//!
//! Dependencies point one way: `domain ← store ← engine, realtime ← graphql ← http ← cli`. `domain` knows nobody,
//! does no I/O and has no clock; `store` is the only user of SQL and of the `entity` crate. A test checks these rules.

pub mod app;
pub mod bench;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod domain;
pub mod engine;
pub mod graphql;
pub mod http;
pub mod realtime;
pub mod store;
pub mod tasks;
pub mod telemetry;
