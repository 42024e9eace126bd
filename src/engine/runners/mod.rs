//! What does the work of one step: one module for each kind of agent.

pub mod http;
mod in_process;

pub use crate::domain::execution::{Failure, FailureCode};
pub use in_process::{idempotency_key, spawn};
