//! What rollups add up.

use super::{facts::Fact, sketch::Sketch};
use crate::domain::execution::Usage;

/// Sums of facts. Any two can be added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amounts {
    pub count: u64,
    /// How long those took that took time, together.
    pub micros: u64,
    pub usage: Usage,
    /// How long each of them took.
    pub durations: Sketch,
}

impl Amounts {
    /// Counts a fact, but not how long it took.
    pub fn count_fact(&mut self, fact: &Fact) {
        self.count = bounded(self.count, 1);
        self.usage.add(&fact.usage);
    }

    pub fn add_fact(&mut self, fact: &Fact) {
        self.count_fact(fact);
        if let Some(micros) = fact.micros {
            self.micros = bounded(self.micros, micros);
            self.durations.add(micros);
        }
    }

    pub fn add(&mut self, other: &Amounts) {
        self.count = bounded(self.count, other.count);
        self.micros = bounded(self.micros, other.micros);
        self.usage.add(&other.usage);
        self.durations.merge(&other.durations);
    }
}

/// Databases have signed numbers.
fn bounded(one: u64, other: u64) -> u64 {
    one.saturating_add(other).min(i64::MAX.unsigned_abs())
}
