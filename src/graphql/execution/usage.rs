//! What work cost, and how far it is.

use async_graphql::SimpleObject;

use crate::domain::execution;

/// What work cost.
#[derive(Debug, Clone, Copy, SimpleObject)]
pub struct Usage {
    /// How often a language model was called.
    llm_calls: i32,
    /// How many tokens were read and written: a whole number.
    tokens: f64,
    /// In millionths of a credit: a whole number.
    cost_micros: f64,
}

impl From<execution::Usage> for Usage {
    /// Sums beyond 2^53 are rounded, as everywhere in JSON.
    fn from(usage: execution::Usage) -> Self {
        Self {
            llm_calls: i32::try_from(usage.llm_calls).unwrap_or(i32::MAX),
            tokens: usage.tokens as f64,
            cost_micros: usage.cost_micros as f64,
        }
    }
}

/// How many of an execution's steps are over.
#[derive(Debug, Clone, Copy, SimpleObject)]
pub struct ExecutionProgress {
    /// Steps that gave their output, failed for good, were skipped or were stopped.
    done: i32,
    /// All steps of the workflow's version.
    total: i32,
    /// The part that is over, from 0 to 100.
    percent: f64,
}

impl ExecutionProgress {
    pub fn new(done: u32, total: u32) -> Self {
        let percent = if total == 0 { 100.0 } else { f64::from(done) * 100.0 / f64::from(total) };
        let bounded = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Self { done: bounded(done), total: bounded(total), percent }
    }
}
