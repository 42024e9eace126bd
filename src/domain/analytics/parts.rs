//! What a range is added up from: as few sums as possible, some of which may be taken away again.

use super::slots::{Covered, QUARTERS_PER_FORTNIGHT, Slot};

/// For how long one sum is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Quarter,
    Day,
    Fortnight,
}

/// Sums of one length that are to be added, or to be taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub length: Length,
    pub slots: Covered,
    pub taken_away: bool,
}

impl Part {
    /// The way from one slot to another: taken away where it leads back.
    fn between(length: Length, from: Slot, until: Slot) -> Self {
        let taken_away = from > until;
        Self { length, slots: Covered { from: from.min(until), until: from.max(until) }, taken_away }
    }

    /// Whether the other one goes on where this one ends.
    fn goes_on_with(&self, next: &Self) -> bool {
        (self.length, self.taken_away, self.slots.until) == (next.length, next.taken_away, next.slots.from)
    }
}

impl Covered {
    /// What makes up this range. A day that it covers most of is whole, less the rest, and so is a fortnight, as far as
    /// there are sums of it: `fortnights` says where these begin, in their order. As nothing has happened after `now`,
    /// nothing is to be taken away there.
    pub fn parts(self, now: Slot, fortnights: &[Slot]) -> Vec<Part> {
        let from = self.from.nearest_day();
        let until = if self.until < now { self.until.nearest_day() } else { self.until.day_end() };
        let before = Part::between(Length::Quarter, self.from, from);
        let after = Part::between(Length::Quarter, until, self.until);
        if from >= until || before.slots.slots() + after.slots.slots() >= self.slots() {
            return joined([Part::between(Length::Quarter, self.from, self.until)]);
        }
        let days = Covered { from, until }.parts_of_days(fortnights);
        joined([before].into_iter().chain(days).chain([after]))
    }

    /// Whether it may have most of a fortnight.
    pub fn may_have_fortnights(self) -> bool {
        self.slots() > QUARTERS_PER_FORTNIGHT / 2
    }

    /// What is left of it without these fortnights, which are in their order.
    pub fn without(self, fortnights: &[Slot]) -> Vec<Covered> {
        let mut left = Vec::new();
        let mut at = self.from;
        for fortnight in fortnights.iter().map(|begin| begin.whole_fortnight()) {
            left.push(Covered { from: at, until: fortnight.from.min(self.until) });
            at = at.max(fortnight.until);
        }
        left.push(Covered { from: at, until: self.until });
        left.retain(|covered| !covered.is_empty());
        left
    }

    /// Whole days, as fortnights and what makes these the days.
    fn parts_of_days(self, fortnights: &[Slot]) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut at = self.from;
        for fortnight in fortnights.iter().map(|begin| begin.whole_fortnight()) {
            if self.and(fortnight).slots() > QUARTERS_PER_FORTNIGHT / 2 {
                parts.push(Part::between(Length::Day, at, fortnight.from));
                parts.push(Part::between(Length::Fortnight, fortnight.from, fortnight.until));
                at = fortnight.until;
            }
        }
        parts.push(Part::between(Length::Day, at, self.until));
        parts
    }
}

/// The same in as few parts as possible, none of them empty.
fn joined(parts: impl IntoIterator<Item = Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.slots.is_empty()) {
        match joined.last_mut() {
            Some(last) if last.goes_on_with(&part) => last.slots.until = part.slots.until,
            _ => joined.push(part),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;
    use crate::domain::analytics::slots::QUARTERS_PER_DAY;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    /// How many sums of each length, less than none where they are taken away.
    fn sums(parts: &[Part]) -> Vec<(Length, i32)> {
        let sum = |part: &Part| {
            let slots = match part.length {
                Length::Quarter => 1,
                Length::Day => QUARTERS_PER_DAY,
                Length::Fortnight => QUARTERS_PER_FORTNIGHT,
            };
            (part.length, part.slots.slots() / slots * if part.taken_away { -1 } else { 1 })
        };
        parts.iter().map(sum).collect()
    }

    #[test]
    fn few_slots_beside_whole_days_make_up_a_range() {
        use Length::{Day, Quarter};
        let now = "2026-03-05T10:07:00Z";
        for (from, until, expected) in [
            ("2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z", vec![(Day, 1)]),
            ("2026-03-01T00:15:00Z", "2026-03-02T00:00:00Z", vec![(Quarter, -1), (Day, 1)]),
            ("2026-03-01T23:45:00Z", "2026-03-05T00:15:00Z", vec![(Quarter, 1), (Day, 3), (Quarter, 1)]),
            ("2026-03-01T06:00:00Z", "2026-03-03T20:00:00Z", vec![(Quarter, -24), (Day, 3), (Quarter, -16)]),
            ("2026-03-01T12:00:00Z", "2026-03-03T11:45:00Z", vec![(Quarter, 48), (Day, 1), (Quarter, 47)]),
            ("1969-12-30T13:00:00Z", "1970-01-02T11:00:00Z", vec![(Quarter, 44), (Day, 2), (Quarter, 44)]),
            // Nothing has happened today that is not wanted.
            ("2026-03-01T01:00:00Z", now, vec![(Quarter, -4), (Day, 5), (Quarter, -55)]),
            ("2026-03-01T01:00:00Z", "2026-03-06T00:00:00Z", vec![(Quarter, -4), (Day, 5)]),
            // Hardly a day.
            ("2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", vec![(Quarter, 4)]),
            ("2026-03-05T08:00:00Z", now, vec![(Quarter, 9)]),
            ("2026-03-01T20:00:00Z", "2026-03-02T04:00:00Z", vec![(Quarter, 32)]),
        ] {
            let parts = Covered::of(at(from), at(until)).parts(Slot::of(at(now)), &[]);
            assert_eq!(sums(&parts), expected, "{from}");
        }
    }

    #[test]
    fn few_days_beside_whole_fortnights_make_up_a_range() {
        use Length::{Day, Fortnight, Quarter};
        // These 14 days begin on 2026-01-01, 2026-01-15, …
        let begins = |days: &[&str]| -> Vec<Slot> {
            days.iter().map(|day| Slot::of(at(&format!("2026-{day}T00:00:00Z")))).collect()
        };
        let whole = begins(&["01-01", "01-15", "01-29", "02-26"]);
        assert!(whole.iter().all(|begin| begin.fortnight() == *begin));
        for (from, until, expected) in [
            ("2026-01-01T00:00:00Z", "2026-02-12T00:00:00Z", vec![(Fortnight, 3)]),
            ("2026-01-03T00:00:00Z", "2026-02-14T00:00:00Z", vec![(Day, -2), (Fortnight, 3), (Day, 2)]),
            ("2026-01-10T00:00:00Z", "2026-02-08T00:00:00Z", vec![(Day, 5), (Fortnight, 2), (Day, -4)]),
            ("2025-12-20T00:00:00Z", "2026-01-29T00:15:00Z", vec![(Day, 12), (Fortnight, 2), (Quarter, 1)]),
            // One of them is not whole.
            ("2026-01-29T00:00:00Z", "2026-03-12T00:00:00Z", vec![(Fortnight, 1), (Day, 14), (Fortnight, 1)]),
            ("2026-02-01T12:00:00Z", "2026-02-05T11:00:00Z", vec![(Quarter, 48), (Day, 3), (Quarter, 44)]),
            (
                "2026-01-02T01:00:00Z",
                "2026-01-14T23:00:00Z",
                vec![(Quarter, -4), (Day, -1), (Fortnight, 1), (Quarter, -4)],
            ),
            ("2026-01-08T00:00:00Z", "2026-01-22T00:00:00Z", vec![(Day, 14)]),
        ] {
            let parts = Covered::of(at(from), at(until)).parts(Slot::of(at("2026-04-01T00:00:00Z")), &whole);
            assert_eq!(sums(&parts), expected, "{from}");
        }
    }

    #[test]
    fn what_is_left_without_fortnights_is_in_none_of_them() {
        let first = Slot(2_000_000).fortnight();
        let slot = |fortnights: i32, slots: i32| Slot(first.0 + fortnights * QUARTERS_PER_FORTNIGHT + slots);
        let whole = [slot(0, 0), slot(1, 0), slot(3, 0)];
        for (from, until, expected) in [
            (
                slot(-1, 5),
                slot(5, -7),
                vec![(slot(-1, 5), slot(0, 0)), (slot(2, 0), slot(3, 0)), (slot(4, 0), slot(5, -7))],
            ),
            (slot(0, 0), slot(2, 0), vec![]),
            (slot(1, 9), slot(1, 10), vec![]),
            (slot(1, 9), slot(2, 10), vec![(slot(2, 0), slot(2, 10))]),
            (slot(-2, 0), slot(-1, 0), vec![(slot(-2, 0), slot(-1, 0))]),
            (slot(5, 0), slot(6, 0), vec![(slot(5, 0), slot(6, 0))]),
        ] {
            let left = Covered { from, until }.without(&whole);
            let left: Vec<(Slot, Slot)> = left.into_iter().map(|covered| (covered.from, covered.until)).collect();
            assert_eq!(left, expected, "{from:?} to {until:?}");
        }
    }

    /// How often a part has a slot.
    fn times(parts: &[Part], slot: i32) -> i32 {
        let within = |part: &&Part| (part.slots.from.0..part.slots.until.0).contains(&slot);
        parts.iter().filter(within).map(|part| if part.taken_away { -1 } else { 1 }).sum()
    }

    #[track_caller]
    fn check(covered: Covered, now: Slot, fortnights: &[Slot]) {
        let parts = covered.parts(now, fortnights);
        for Part { length, slots, .. } in &parts {
            for bound in [slots.from, slots.until] {
                match length {
                    Length::Quarter => {}
                    Length::Day => assert_eq!(bound, bound.day()),
                    Length::Fortnight => assert_eq!(bound, bound.fortnight()),
                }
            }
            assert!(*length != Length::Fortnight || fortnights.contains(&slots.from), "{slots:?}");
        }
        let bounds = parts.iter().flat_map(|part| [part.slots.from.0, part.slots.until.0]);
        for slot in bounds.chain([now.0, now.day().0]).flat_map(|at| at - 2..at + 2) {
            let expected = i32::from((covered.from.0..covered.until.0).contains(&slot));
            assert_eq!(times(&parts, slot), expected, "{slot} of {covered:?}");
        }
    }

    #[test]
    fn parts_cover_each_slot_of_a_range_once() {
        let now = Slot(40_000 * QUARTERS_PER_DAY + 30);
        for from in (-QUARTERS_PER_DAY..QUARTERS_PER_DAY).map(|slot| now.0 + slot) {
            for length in 1..3 * QUARTERS_PER_DAY {
                check(Covered { from: Slot(from), until: Slot(from + length) }, now, &[]);
            }
        }
    }

    #[test]
    fn parts_with_fortnights_cover_each_slot_once() {
        let first = Slot(2_000_000).fortnight();
        let whole: Vec<Slot> = [0, 1, 3].map(|number| Slot(first.0 + number * QUARTERS_PER_FORTNIGHT)).into();
        let now = Slot(first.0 + 4 * QUARTERS_PER_FORTNIGHT + 30);
        for from in (-300..QUARTERS_PER_FORTNIGHT + 300).step_by(13).map(|slot| first.0 + slot) {
            for length in (1..4 * QUARTERS_PER_FORTNIGHT).step_by(41) {
                check(Covered { from: Slot(from), until: Slot(from + length) }, now, &whole);
            }
        }
    }
}
