//! Slots of 15 minutes: today's zones all differ from UTC by a multiple of it.

use chrono::{DateTime, Utc};

const SECONDS: i64 = 15 * 60;
pub const QUARTERS_PER_DAY: i32 = 24 * 4;

/// A quarter of an hour, counted from 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub i32);

impl Slot {
    /// The one that a time is in.
    pub fn of(at: DateTime<Utc>) -> Self {
        Self(bounded(at.timestamp().div_euclid(SECONDS)))
    }

    /// The one that a time is in or begins: where a range that ends then ends.
    pub fn up_to(at: DateTime<Utc>) -> Self {
        let begun = Self::of(at);
        if begun.begin() < at { Self(begun.0.saturating_add(1)) } else { begun }
    }

    pub fn begin(self) -> DateTime<Utc> {
        DateTime::from_timestamp(i64::from(self.0) * SECONDS, 0).unwrap_or_default()
    }

    /// The first one of the same day in UTC.
    pub fn day(self) -> Self {
        Self(self.0.div_euclid(QUARTERS_PER_DAY) * QUARTERS_PER_DAY)
    }
}

/// Years have four digits: they fit.
fn bounded(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

/// The whole slots of a range: from the first one to before the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covered {
    pub from: Slot,
    pub until: Slot,
}

impl Covered {
    /// A range, widened to whole slots.
    pub fn of(from: DateTime<Utc>, until: DateTime<Utc>) -> Self {
        Self { from: Slot::of(from), until: Slot::up_to(until) }
    }

    /// The whole days in UTC within it; the same slot twice if there is none.
    pub fn days(self) -> Covered {
        let first = Slot(self.from.0.saturating_add(QUARTERS_PER_DAY - 1)).day();
        let end = self.until.day();
        if first < end { Covered { from: first, until: end } } else { Covered { from: self.until, until: self.until } }
    }

    /// What lies before and after the whole days within it.
    pub fn edges(self) -> [Covered; 2] {
        let days = self.days();
        [Covered { from: self.from, until: days.from }, Covered { from: days.until, until: self.until }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn a_range_is_widened_to_whole_slots() {
        let covered = Covered::of(at("2026-03-01T10:07:00Z"), at("2026-03-01T10:15:00.000001Z"));
        assert_eq!(covered.from.begin(), at("2026-03-01T10:00:00Z"));
        assert_eq!(covered.until.begin(), at("2026-03-01T10:30:00Z"));
        let exact = Covered::of(at("1960-03-01T10:15:00Z"), at("1960-03-01T10:30:00Z"));
        assert_eq!((exact.from.begin(), exact.until.begin()), (at("1960-03-01T10:15:00Z"), at("1960-03-01T10:30:00Z")));
    }

    #[test]
    fn days_and_edges_make_up_the_whole() {
        for (from, until, whole_days) in [
            ("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z", 1),
            ("2026-03-01T00:15:00Z", "2026-03-02T00:00:00Z", 0),
            ("2026-03-01T23:45:00Z", "2026-03-05T00:15:00Z", 3),
            ("1969-12-30T12:00:00Z", "1970-01-02T12:00:00Z", 2),
            ("2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", 0),
        ] {
            let covered = Covered::of(at(from), at(until));
            let (days, [before, after]) = (covered.days(), covered.edges());
            assert_eq!((days.until.0 - days.from.0) / QUARTERS_PER_DAY, whole_days, "{from}");
            assert_eq!(days.from.0.rem_euclid(QUARTERS_PER_DAY) * whole_days, 0, "{from}");
            let parts = [before, days, after].map(|part| part.until.0 - part.from.0);
            assert!(parts.iter().all(|slots| *slots >= 0), "{from}: {parts:?}");
            assert_eq!(parts.iter().sum::<i32>(), covered.until.0 - covered.from.0, "{from}");
        }
    }
}
