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

    /// Where the next day in UTC begins, or this one if it begins here.
    fn day_end(self) -> Self {
        Self(self.0.saturating_add(QUARTERS_PER_DAY - 1)).day()
    }

    /// Where a day in UTC begins or ends, whichever is nearer.
    fn nearest_day(self) -> Self {
        Self(self.0.saturating_add(QUARTERS_PER_DAY / 2)).day()
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

    fn slots(self) -> i32 {
        self.until.0.saturating_sub(self.from.0).max(0)
    }

    /// The same as whole days in UTC and as few slots as possible. A day that it covers most of is whole, less the rest.
    /// As nothing has happened after `now`, nothing is to be taken away there.
    pub fn parts(self, now: Slot) -> Parts {
        let from = self.from.nearest_day();
        let until = if self.until < now { self.until.nearest_day() } else { self.until.day_end() };
        let [before, after] = [Edge::between(self.from, from), Edge::between(until, self.until)];
        if from >= until || before.slots.slots() + after.slots.slots() >= self.slots() {
            let none = Covered { from: self.until, until: self.until };
            return Parts { days: none, edges: [Edge::added(self), Edge::added(none)] };
        }
        Parts { days: Covered { from, until }, edges: [before, after] }
    }
}

/// A range as whole days, and what makes these the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub days: Covered,
    pub edges: [Edge; 2],
}

/// What is to be added to whole days, or to be taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub slots: Covered,
    pub taken_away: bool,
}

impl Edge {
    fn added(slots: Covered) -> Self {
        Self { slots, taken_away: false }
    }

    /// The way from one slot to another: taken away where it leads back.
    fn between(from: Slot, until: Slot) -> Self {
        if from <= until {
            Self::added(Covered { from, until })
        } else {
            Self { slots: Covered { from: until, until: from }, taken_away: true }
        }
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
    fn few_slots_beside_whole_days_make_up_a_range() {
        let now = "2026-03-05T10:07:00Z";
        for (from, until, days, edges) in [
            ("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z", 1, [0, 0]),
            ("2026-03-01T00:15:00Z", "2026-03-02T00:00:00Z", 1, [-1, 0]),
            ("2026-03-01T23:45:00Z", "2026-03-05T00:15:00Z", 3, [1, 1]),
            ("2026-03-01T06:00:00Z", "2026-03-03T20:00:00Z", 3, [-24, -16]),
            ("2026-03-01T12:00:00Z", "2026-03-03T11:45:00Z", 1, [48, 47]),
            ("1969-12-30T13:00:00Z", "1970-01-02T11:00:00Z", 2, [44, 44]),
            // Nothing has happened today that is not wanted.
            ("2026-03-01T01:00:00Z", now, 5, [-4, -55]),
            ("2026-03-01T01:00:00Z", "2026-03-06T00:00:00Z", 5, [-4, 0]),
            // Hardly a day.
            ("2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", 0, [4, 0]),
            ("2026-03-05T08:00:00Z", now, 0, [9, 0]),
            ("2026-03-01T20:00:00Z", "2026-03-02T04:00:00Z", 0, [32, 0]),
        ] {
            let covered = Covered::of(at(from), at(until));
            let parts = covered.parts(Slot::of(at(now)));
            let signed = parts.edges.map(|edge| edge.slots.slots() * if edge.taken_away { -1 } else { 1 });
            assert_eq!((parts.days.slots() / QUARTERS_PER_DAY, signed), (days, edges), "{from}");
        }
    }

    #[test]
    fn parts_cover_each_slot_of_a_range_once() {
        let now = Slot(40_000 * QUARTERS_PER_DAY + 30);
        for from in (-QUARTERS_PER_DAY..QUARTERS_PER_DAY).map(|slot| now.0 + slot) {
            for length in 1..3 * QUARTERS_PER_DAY {
                let covered = Covered { from: Slot(from), until: Slot(from + length) };
                let Parts { days, edges } = covered.parts(now);
                assert_eq!(
                    [days.from, days.until].map(Slot::day),
                    [days.from, days.until].map(|slot| if days.is_empty() { slot.day() } else { slot })
                );
                let times = |slot: i32| {
                    let within = |part: Covered| i32::from((part.from.0..part.until.0).contains(&slot));
                    let edge = |edge: Edge| within(edge.slots) * if edge.taken_away { -1 } else { 1 };
                    within(days) + edges.map(edge).iter().sum::<i32>()
                };
                for slot in [days.from.0, days.until.0, from, from + length, now.0, now.day().0]
                    .into_iter()
                    .flat_map(|at| at - 2..at + 2)
                {
                    assert_eq!(times(slot), i32::from((from..from + length).contains(&slot)), "{slot} of {covered:?}");
                }
            }
        }
    }
}
