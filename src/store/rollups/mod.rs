//! Rollups: the figures of analytics, added up in the transaction that appends to the journal.
//!
//! What an event tells is added in three places, so that a question about a month reads a few thousand rows:
//!
//! | resolution | one row for | answers |
//! | --- | --- | --- |
//! | `QUARTER` | 15 minutes, and all that a fact names | short ranges, and what long ones have more or less than days |
//! | `QUARTER_TOTAL` | 15 minutes | series without a filter, by the clock of any zone |
//! | `DAY` | a day in UTC, and all that a fact names | days of which a range has most |
//!
//! Appends come one after the other, so a row is read, added to and written back: bins of durations stay as small as
//! they are, which the databases themselves could not add.

mod read;
mod rebuild;
mod write;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use uuid::Uuid;

use crate::domain::{
    analytics::{Amounts, Fact, Slot},
    id::WorkspaceId,
};

pub use read::{Cell, Dimension, Figure, Selection};
pub use rebuild::Kept;
pub(super) use write::add;

/// How much a row adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Resolution {
    Quarter,
    QuarterTotal,
    Day,
}

impl Resolution {
    fn as_str(self) -> &'static str {
        match self {
            Resolution::Quarter => "QUARTER",
            Resolution::QuarterTotal => "QUARTER_TOTAL",
            Resolution::Day => "DAY",
        }
    }
}

/// What a row adds up, as its columns have it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    workspace: Uuid,
    resolution: Cow<'static, str>,
    measure: Cow<'static, str>,
    slot: i32,
    workflow: Uuid,
    agent: Uuid,
    person: Uuid,
    rule: String,
    word: Cow<'static, str>,
}

impl Key {
    fn of(workspace: WorkspaceId, fact: &Fact, resolution: Resolution) -> Self {
        let slot = Slot::of(fact.at);
        let total = resolution == Resolution::QuarterTotal;
        let id = |id: Option<Uuid>| id.filter(|_| !total).unwrap_or(Uuid::nil());
        Self {
            workspace: workspace.0,
            resolution: resolution.as_str().into(),
            measure: fact.measure.as_str().into(),
            slot: if resolution == Resolution::Day { slot.day() } else { slot }.0,
            workflow: id(Some(fact.workflow)),
            agent: id(fact.agent),
            person: id(fact.person),
            rule: fact.rule.clone().filter(|_| !total).unwrap_or_default(),
            word: fact.word.into(),
        }
    }
}

/// Rows of the table, in the order of their key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rollups(BTreeMap<Key, Amounts>);

impl Rollups {
    /// Adds what the events of a workspace's executions tell.
    pub fn add(&mut self, workspace: WorkspaceId, facts: &[Fact]) {
        for fact in facts {
            for resolution in [Resolution::Quarter, Resolution::Day] {
                self.0.entry(Key::of(workspace, fact, resolution)).or_default().add_fact(fact);
            }
            if fact.measure.has_series() {
                // Nobody asks for percentiles over time.
                self.0.entry(Key::of(workspace, fact, Resolution::QuarterTotal)).or_default().count_fact(fact);
            }
        }
    }

    /// Where the rows that are there differ from the derived ones, in words.
    pub fn differences(&self, derived: &Rollups) -> Vec<String> {
        let none = Amounts::default();
        let keys: BTreeSet<&Key> = self.0.keys().chain(derived.0.keys()).collect();
        let differing = keys.into_iter().filter_map(|key| {
            let (there, expected) = (self.0.get(key).unwrap_or(&none), derived.0.get(key).unwrap_or(&none));
            (there != expected).then(|| {
                let Key { resolution, measure, slot, word, .. } = key;
                let when = Slot(*slot).begin().format("%Y-%m-%dT%H:%MZ");
                let what = if there.count == expected.count {
                    "other amounts than the journal gives".to_owned()
                } else {
                    format!("a count of {}, the journal gives {}", there.count, expected.count)
                };
                format!("rollup of {measure} {word} at {when} ({resolution}) has {what}")
            })
        });
        differing.collect()
    }
}
