//! Hours, days, weeks and months by the clock on somebody's wall, which daylight saving moves.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, Offset, TimeDelta, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

use super::slots::{Covered, Slot};
use crate::domain::{refusal::Refusal, words::words};

/// More than this nobody looks at: 41 days of hours, or 2 years of days.
pub const MOST_BUCKETS: usize = 1_000;

words! {
    /// How long a bucket is.
    Span {
        Hour = "HOUR",
        Day = "DAY",
        Week = "WEEK",
        Month = "MONTH",
    }
}

/// One bucket of a series. The first and the last end where the range does.
pub type Bucket = Covered;

/// The buckets that a range is made of.
pub fn buckets(range: Covered, span: Span, zone: Tz) -> Result<Vec<Bucket>, Refusal> {
    let mut buckets = Vec::new();
    let mut from = range.from;
    while from < range.until {
        if buckets.len() == MOST_BUCKETS {
            let message = format!(
                "`bucket` is {span}, and the range has more than {MOST_BUCKETS} of these: give a shorter range or longer buckets"
            );
            return Err(Refusal::invalid("bucket", message));
        }
        let until = next_after(from, span, zone).min(range.until);
        buckets.push(Bucket { from, until });
        from = until;
    }
    Ok(buckets)
}

/// Where the bucket ends that a slot is in. Always later, whatever a zone's past was like.
fn next_after(slot: Slot, span: Span, zone: Tz) -> Slot {
    let local = slot.begin().with_timezone(&zone);
    let today = local.date_naive();
    let next_day = match span {
        Span::Hour => return next_hour(slot, zone),
        Span::Day => today.checked_add_days(Days::new(1)),
        Span::Week => today.checked_add_days(Days::new(7 - u64::from(today.weekday().num_days_from_monday()))),
        Span::Month => today.with_day(1).and_then(|first| first.checked_add_months(Months::new(1))),
    };
    let next = next_day.map_or(Slot(i32::MAX), |day| Slot::of(midnight(day, zone)));
    next.max(Slot(slot.0.saturating_add(1)))
}

/// When a day begins. Where the clocks are put forward at midnight, that is later than 0:00.
fn midnight(day: NaiveDate, zone: Tz) -> DateTime<Utc> {
    let midnight = day.and_time(NaiveTime::MIN);
    match zone.from_local_datetime(&midnight).earliest() {
        Some(begin) => begin.to_utc(),
        None => {
            let evening = zone.offset_from_utc_datetime(&(midnight - TimeDelta::days(1)));
            (midnight - evening.fix()).and_utc()
        }
    }
}

/// An hour ends where the next one begins on the wall. Clocks that go back make the same hour come twice, or one
/// longer where they go back by half an hour.
fn next_hour(slot: Slot, zone: Tz) -> Slot {
    let hour = slot.begin().with_timezone(&zone).hour();
    let mut next = Slot(slot.0.saturating_add(1));
    while next.0 < i32::MAX {
        let local = next.begin().with_timezone(&zone);
        if local.minute() < 15 || local.hour() != hour {
            break;
        }
        next = Slot(next.0.saturating_add(1));
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: &str, until: &str) -> Covered {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        Covered::of(at(from), at(until))
    }

    /// How many minutes each bucket has.
    fn minutes(from: &str, until: &str, span: Span, zone: &str) -> Vec<i32> {
        let zone = zone.parse().expect("a zone");
        let buckets = buckets(range(from, until), span, zone).expect("buckets");
        buckets.iter().map(|bucket| (bucket.until.0 - bucket.from.0) * 15).collect()
    }

    #[test]
    fn days_have_23_or_25_hours_where_the_clocks_change() {
        let days = |from, until, zone| minutes(from, until, Span::Day, zone);
        let new_york = days("2026-03-07T05:00:00Z", "2026-03-10T04:00:00Z", "America/New_York");
        assert_eq!(new_york, [24 * 60, 23 * 60, 24 * 60]);
        let new_york = days("2026-10-31T04:00:00Z", "2026-11-03T05:00:00Z", "America/New_York");
        assert_eq!(new_york, [24 * 60, 25 * 60, 24 * 60]);
        // Clocks on Lord Howe Island move by half an hour.
        let lord_howe = days("2026-04-03T13:00:00Z", "2026-04-06T13:30:00Z", "Australia/Lord_Howe");
        assert_eq!(lord_howe, [24 * 60, 24 * 60 + 30, 24 * 60]);
        let lord_howe = days("2026-10-02T13:30:00Z", "2026-10-05T13:00:00Z", "Australia/Lord_Howe");
        assert_eq!(lord_howe, [24 * 60, 23 * 60 + 30, 24 * 60]);
        let kathmandu = days("2026-01-01T18:15:00Z", "2026-01-03T18:15:00Z", "Asia/Kathmandu");
        assert_eq!(kathmandu, [24 * 60, 24 * 60]);
        // In Cairo the clocks go forward at midnight: the day begins at one.
        let cairo = days("2026-04-22T22:00:00Z", "2026-04-24T21:00:00Z", "Africa/Cairo");
        assert_eq!(cairo, [24 * 60, 23 * 60]);
    }

    #[test]
    fn hours_follow_the_wall() {
        let hours = |from, until, zone| minutes(from, until, Span::Hour, zone);
        // 1:00 comes twice in New York, and 2:00 not at all in spring.
        assert_eq!(hours("2026-11-01T04:00:00Z", "2026-11-01T08:00:00Z", "America/New_York"), [60; 4]);
        assert_eq!(hours("2026-03-08T06:00:00Z", "2026-03-08T08:00:00Z", "America/New_York"), [60; 2]);
        let lord_howe = hours("2026-04-04T14:00:00Z", "2026-04-04T16:30:00Z", "Australia/Lord_Howe");
        assert_eq!(lord_howe, [90, 60], "from 1:00 to 2:00 with half an hour twice, then from 2:00");
        let lord_howe = hours("2026-10-03T14:30:00Z", "2026-10-03T16:30:00Z", "Australia/Lord_Howe");
        assert_eq!(lord_howe, [60, 30, 30], "from 2:30, and the range ends within the last");
        assert_eq!(hours("2026-01-01T00:00:00Z", "2026-01-01T02:15:00Z", "Asia/Kathmandu"), [15, 60, 60]);
    }

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        let day = 24 * 60;
        assert_eq!(minutes("2026-01-07T00:00:00Z", "2026-01-20T00:00:00Z", Span::Week, "UTC"), [5 * day, 7 * day, day]);
        assert_eq!(
            minutes("2026-01-31T00:00:00Z", "2026-04-01T00:00:00Z", Span::Month, "UTC"),
            [day, 28 * day, 31 * day]
        );
        let berlin = minutes("2026-02-28T23:00:00Z", "2026-04-30T22:00:00Z", Span::Month, "Europe/Berlin");
        assert_eq!(berlin, [31 * day - 60, 30 * day]);
    }

    #[test]
    fn there_is_an_end_in_every_zone_and_year() {
        for zone in chrono_tz::TZ_VARIANTS {
            for year in [1800, 1943, 1972, 2026] {
                for span in Span::ALL {
                    let range = range(&format!("{year}-01-01T00:00:00Z"), &format!("{year}-01-08T00:00:00Z"));
                    let found = buckets(range, *span, zone).expect("buckets");
                    assert_eq!(found.first().map(|first| first.from), Some(range.from), "{zone} {year}");
                    assert_eq!(found.last().map(|last| last.until), Some(range.until), "{zone} {year}");
                    assert!(found.windows(2).all(|pair| pair[0].until == pair[1].from), "{zone} {year}");
                    let odd = found.iter().filter(|bucket| bucket.until.0 - bucket.from.0 != 4).count();
                    assert!(*span != Span::Hour || odd < 4, "{zone} {year}: {odd} odd hours");
                }
            }
        }
    }

    #[test]
    fn too_many_are_refused() {
        let range = range("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z");
        let refused = buckets(range, Span::Hour, Tz::UTC).expect_err("too many");
        assert!(refused.message.contains("is HOUR, and the range has more than 1000"), "{}", refused.message);
        assert!(buckets(range, Span::Day, Tz::UTC).is_ok());
    }
}
