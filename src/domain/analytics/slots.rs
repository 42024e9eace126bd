//! Slots of 15 minutes: today's zones all differ from UTC by a multiple of it.

use chrono::{DateTime, Utc};

const SECONDS: i64 = 15 * 60;
pub(super) const QUARTERS_PER_DAY: i32 = 24 * 4;
pub(super) const QUARTERS_PER_FORTNIGHT: i32 = 14 * QUARTERS_PER_DAY;

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

    /// Where the next day in UTC begins, or this one if it begins here.
    pub(super) fn day_end(self) -> Self {
        Self(self.0.saturating_add(QUARTERS_PER_DAY - 1)).day()
    }

    /// Where a day in UTC begins or ends, whichever is nearer.
    pub(super) fn nearest_day(self) -> Self {
        Self(self.0.saturating_add(QUARTERS_PER_DAY / 2)).day()
    }

    /// The first one of the same 14 days in UTC, which are counted from 1970.
    pub fn fortnight(self) -> Self {
        Self(self.0.div_euclid(QUARTERS_PER_FORTNIGHT).saturating_mul(QUARTERS_PER_FORTNIGHT))
    }

    /// These 14 days.
    pub fn whole_fortnight(self) -> Covered {
        let from = self.fortnight();
        Covered { from, until: Self(from.0.saturating_add(QUARTERS_PER_FORTNIGHT)) }
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

    pub fn is_empty(self) -> bool {
        self.from >= self.until
    }

    pub(super) fn slots(self) -> i32 {
        self.until.0.saturating_sub(self.from.0).max(0)
    }

    /// The days in UTC that it has a part of, each as far as it is within.
    pub fn days(self) -> impl Iterator<Item = Self> {
        let days = (self.from.day().0..self.until.0).step_by(QUARTERS_PER_DAY.unsigned_abs() as usize);
        days.map(move |day| self.and(Self { from: Slot(day), until: Slot(day.saturating_add(QUARTERS_PER_DAY)) }))
    }

    /// What both cover.
    pub fn and(self, other: Self) -> Self {
        Self { from: self.from.max(other.from), until: self.until.min(other.until) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    #[test]
    fn a_range_has_a_part_of_each_day() {
        let days = |from: &str, until: &str| -> Vec<i32> {
            let days: Vec<Covered> = Covered::of(at(from), at(until)).days().collect();
            assert!(days.windows(2).all(|pair| pair[0].until == pair[1].from && pair[1].from.day() == pair[1].from));
            days.into_iter().map(Covered::slots).collect()
        };
        assert_eq!(days("2026-03-01T00:00:00Z", "2026-03-03T00:00:00Z"), [96, 96]);
        assert_eq!(days("1969-12-30T23:45:00Z", "1970-01-01T00:15:00Z"), [1, 96, 1]);
        assert_eq!(days("2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z"), [4]);
    }

    #[test]
    fn a_range_is_widened_to_whole_slots() {
        let covered = Covered::of(at("2026-03-01T10:07:00Z"), at("2026-03-01T10:15:00.000001Z"));
        assert_eq!(covered.from.begin(), at("2026-03-01T10:00:00Z"));
        assert_eq!(covered.until.begin(), at("2026-03-01T10:30:00Z"));
        let exact = Covered::of(at("1960-03-01T10:15:00Z"), at("1960-03-01T10:30:00Z"));
        assert_eq!((exact.from.begin(), exact.until.begin()), (at("1960-03-01T10:15:00Z"), at("1960-03-01T10:30:00Z")));
    }
}
