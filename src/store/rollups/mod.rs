//! Rollups: the figures of analytics, added up in the transaction that appends to the journal.
//!
//! What an event tells is added in three places, so that a question about a month reads a few thousand rows. Fortnights
//! are added up from these once they are over, so that a question about years does as well:
//!
//! | resolution | one row for | answers |
//! | --- | --- | --- |
//! | `QUARTER` | 15 minutes, and all that a fact names | short ranges, and what long ones have more or less than days |
//! | `QUARTER_TOTAL` | 15 minutes | series without a filter, by the clock of any zone |
//! | `DAY` | a day in UTC, and all that a fact names | days of which a range has most |
//! | `FORTNIGHT` | 14 days in UTC, and all that a fact names | fortnights of which a range has most |
//! | `FORTNIGHT_TOTAL` | 14 days in UTC, each quarter of them for itself | the same series, as far as they go |
//! | `FORTNIGHT_TOTAL`, with ids | the same for one workflow and one agent | series of a workflow or an agent, as far as they go |
//!
//! Appends come one after the other, so a row is read, added to and written back: bins of durations stay as small as
//! they are, which the databases themselves could not add.

mod fortnights;
mod read;
mod rebuild;
mod series;
mod write;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use uuid::Uuid;

use crate::domain::{
    analytics::{Amounts, Fact, Measure, Slot, in_quarter},
    id::WorkspaceId,
};

pub use fortnights::Outcome;
pub use read::{Dimension, Figure, Selection};
pub use rebuild::Kept;
pub use series::Cell;
pub(super) use write::add;

/// How much a row adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Resolution {
    Quarter,
    QuarterTotal,
    Day,
    Fortnight,
    FortnightTotal,
}

impl Resolution {
    fn as_str(self) -> &'static str {
        match self {
            Resolution::Quarter => "QUARTER",
            Resolution::QuarterTotal => "QUARTER_TOTAL",
            Resolution::Day => "DAY",
            Resolution::Fortnight => "FORTNIGHT",
            Resolution::FortnightTotal => "FORTNIGHT_TOTAL",
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

    /// Of the row that says that a fortnight is added up: it has no amounts.
    fn added_up((workspace, fortnight): Fortnight) -> Self {
        Self {
            workspace,
            resolution: Resolution::Fortnight.as_str().into(),
            measure: ADDED_UP.into(),
            slot: fortnight.0,
            workflow: Uuid::nil(),
            agent: Uuid::nil(),
            person: Uuid::nil(),
            rule: String::new(),
            word: Cow::Borrowed(""),
        }
    }

    fn fortnight(&self) -> Fortnight {
        (self.workspace, Slot(self.slot).fortnight())
    }

    /// What it is part of, if that is added up from such rows.
    fn of_fortnight(&self) -> Option<Self> {
        let fortnight = |resolution: Resolution| {
            let slot = Slot(self.slot).fortnight().0;
            Self { resolution: resolution.as_str().into(), slot, ..self.clone() }
        };
        match self.resolution.as_ref() {
            "DAY" => Some(fortnight(Resolution::Fortnight)),
            "QUARTER_TOTAL" => Some(fortnight(Resolution::FortnightTotal)),
            // Every fact has a workflow, so these are never taken for the totals of all. Nobody asks what one person or
            // one rule did over time.
            "QUARTER" if self.measure.parse().is_ok_and(Measure::has_filtered_series) => {
                let total = fortnight(Resolution::FortnightTotal);
                Some(Self { person: Uuid::nil(), rule: String::new(), ..total })
            }
            _ => None,
        }
    }
}

/// A workspace's 14 days, and where they begin.
pub type Fortnight = (Uuid, Slot);

/// Stands where other rows have what they measure.
const ADDED_UP: &str = "ADDED_UP";

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

    /// The rows of these fortnights, added up from the others.
    fn fortnights(&self, wanted: &BTreeSet<Fortnight>) -> Rollups {
        let mut sums = Rollups::default();
        for (key, amounts) in self.0.iter().filter(|(key, _)| wanted.contains(&key.fortnight())) {
            let Some(sum) = key.of_fortnight() else { continue };
            let by_quarter = sum.resolution == Resolution::FortnightTotal.as_str();
            let sum = sums.0.entry(sum).or_default();
            if by_quarter {
                sum.add(&in_quarter(Slot(key.slot), amounts));
            } else {
                sum.add(amounts);
            }
        }
        sums
    }

    fn merge(&mut self, others: Rollups) {
        for (key, amounts) in others.0 {
            self.0.entry(key).or_default().add(&amounts);
        }
    }

    /// The fortnights that are added up.
    fn added_up(&self) -> BTreeSet<Fortnight> {
        self.0.keys().filter(|key| key.measure == ADDED_UP).map(Key::fortnight).collect()
    }

    /// Where the rows that are there differ from the derived ones, in words.
    fn differences(&self, derived: &Rollups) -> Vec<String> {
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
