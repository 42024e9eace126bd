//! What work cost.

use serde::{Deserialize, Serialize};

/// Calls, tokens and money that a step or an execution took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    #[serde(skip_serializing_if = "is_zero")]
    pub llm_calls: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub tokens: u64,
    /// In millionths of a credit.
    #[serde(skip_serializing_if = "is_zero")]
    pub cost_micros: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Usage {
    /// The largest amount that one report may carry: sums of these fit the databases' integers.
    pub const MOST: u64 = 1_000_000_000_000;

    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub fn add(&mut self, other: &Usage) {
        let bounded = |one: u64, other: u64| one.saturating_add(other).min(i64::MAX.unsigned_abs());
        self.llm_calls = bounded(self.llm_calls, other.llm_calls);
        self.tokens = bounded(self.tokens, other.tokens);
        self.cost_micros = bounded(self.cost_micros, other.cost_micros);
    }
}
