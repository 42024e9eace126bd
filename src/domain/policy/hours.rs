//! Business hours: when somebody is there who would notice what a rule approves.

use chrono::{DateTime, Datelike, Timelike, Utc, Weekday};
use chrono_tz::Tz;

const MINUTES_PER_DAY: u32 = 24 * 60;

/// Opening hours by the wall clock of one place, which daylight saving moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusinessHours {
    pub zone: Tz,
    pub weekdays: Option<Hours>,
    pub weekends: Option<Hours>,
}

/// From when to when, in minutes of the day. Who closes no later than they open closes on the next day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours {
    start: u32,
    end: u32,
}

impl Hours {
    /// Reads `09:00-17:00`. The end may be `24:00`, or on the next day.
    pub fn read(text: &str) -> Option<Self> {
        let (start, end) = text.split_once('-')?;
        let (start, end) = (minutes(start.trim())?, minutes(end.trim())?);
        (start < MINUTES_PER_DAY && start != end).then_some(Self { start, end })
    }

    fn over_midnight(self) -> bool {
        self.end <= self.start
    }

    fn has_opened(self, minute: u32) -> bool {
        self.start <= minute && (self.over_midnight() || minute < self.end)
    }

    fn still_open_from_yesterday(self, minute: u32) -> bool {
        self.over_midnight() && minute < self.end
    }
}

/// The minute of the day that `HH:MM` stands for, up to `24:00`.
fn minutes(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':')?;
    let two_digits = |part: &str| {
        let fits = part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_digit());
        fits.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    let minute = hours * 60 + minutes;
    (minutes < 60 && minute <= MINUTES_PER_DAY).then_some(minute)
}

impl BusinessHours {
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        let local = now.with_timezone(&self.zone);
        let minute = local.hour() * 60 + local.minute();
        let today = local.weekday();
        self.on(today).is_some_and(|hours| hours.has_opened(minute))
            || self.on(today.pred()).is_some_and(|hours| hours.still_open_from_yesterday(minute))
    }

    /// The time by the clock on the wall, as in `Sat 14:05`.
    pub fn clock(&self, now: DateTime<Utc>) -> String {
        now.with_timezone(&self.zone).format("%a %H:%M").to_string()
    }

    fn on(&self, day: Weekday) -> Option<Hours> {
        match day {
            Weekday::Mon | Weekday::Tue | Weekday::Wed | Weekday::Thu | Weekday::Fri => self.weekdays,
            Weekday::Sat | Weekday::Sun => self.weekends,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(zone: &str, weekdays: &str, weekends: &str) -> BusinessHours {
        let zone = zone.parse().expect("a zone");
        BusinessHours { zone, weekdays: Hours::read(weekdays), weekends: Hours::read(weekends) }
    }

    fn open(hours: &BusinessHours, at: &str) -> bool {
        hours.is_open(at.parse().expect("a time"))
    }

    #[test]
    fn the_start_is_in_and_the_end_is_out() {
        let berlin = hours("Europe/Berlin", "09:00-17:00", "disabled");
        for (at, expected) in [
            ("2024-01-15T07:59:59.999Z", false),
            ("2024-01-15T08:00:00Z", true),
            ("2024-01-15T15:59:59.999Z", true),
            ("2024-01-15T16:00:00Z", false),
            ("2024-01-13T12:00:00Z", false),
            ("2024-01-14T12:00:00Z", false),
        ] {
            assert_eq!(open(&berlin, at), expected, "{at}");
        }
        let all_day = hours("UTC", "00:00-24:00", "00:00-12:00");
        for (at, expected) in
            [("2024-01-15T00:00:00Z", true), ("2024-01-19T23:59:59Z", true), ("2024-01-20T12:00:00Z", false)]
        {
            assert_eq!(open(&all_day, at), expected, "{at}");
        }
    }

    #[test]
    fn daylight_saving_moves_the_hours() {
        let york = hours("America/New_York", "disabled", "01:30-03:30");
        // On 10 March 2024 the clock goes from 02:00 to 03:00: an hour is missing.
        for (at, expected) in [
            ("2024-03-10T06:29:59Z", false),
            ("2024-03-10T06:30:00Z", true),
            ("2024-03-10T07:29:59Z", true),
            ("2024-03-10T07:30:00Z", false),
        ] {
            assert_eq!(open(&york, at), expected, "{at}");
        }
        // On 3 November 2024 it goes from 02:00 back to 01:00: 01:30 comes twice, and between them it is closed.
        for (at, expected) in [
            ("2024-11-03T05:29:59Z", false),
            ("2024-11-03T05:30:00Z", true),
            ("2024-11-03T05:59:59Z", true),
            ("2024-11-03T06:00:00Z", false),
            ("2024-11-03T06:30:00Z", true),
            ("2024-11-03T08:29:59Z", true),
            ("2024-11-03T08:30:00Z", false),
        ] {
            assert_eq!(open(&york, at), expected, "{at}");
        }
        // The Mondays after: nine o'clock is at another hour of UTC than on the Fridays before.
        let office = hours("America/New_York", "09:00-17:00", "disabled");
        for (at, expected) in [
            ("2024-03-08T13:59:59Z", false),
            ("2024-03-08T14:00:00Z", true),
            ("2024-03-11T12:59:59Z", false),
            ("2024-03-11T13:00:00Z", true),
            ("2024-11-01T13:00:00Z", true),
            ("2024-11-04T13:00:00Z", false),
            ("2024-11-04T14:00:00Z", true),
        ] {
            assert_eq!(open(&office, at), expected, "{at}");
        }
    }

    #[test]
    fn a_night_belongs_to_the_day_on_which_it_begins() {
        let night = hours("UTC", "22:00-06:00", "disabled");
        for (at, expected) in [
            ("2024-01-15T05:00:00Z", false), // Monday morning: the night began on Sunday.
            ("2024-01-15T22:00:00Z", true),
            ("2024-01-16T05:59:59Z", true),
            ("2024-01-16T06:00:00Z", false),
            ("2024-01-20T05:00:00Z", true), // Saturday morning: the night began on Friday.
            ("2024-01-20T22:00:00Z", false),
        ] {
            assert_eq!(open(&night, at), expected, "{at}");
        }
    }

    #[test]
    fn hours_are_read_strictly() {
        for text in ["09:00-17:00", "00:00-24:00", "22:00-06:00", "22:00 - 00:00"] {
            assert!(Hours::read(text).is_some(), "{text}");
        }
        for text in [
            "",
            "9:00-17:00",
            "09:00",
            "09:00-09:00",
            "24:00-08:00",
            "09:60-17:00",
            "09:00-24:01",
            "09:00-25:00",
            "+9:00-17:00",
        ] {
            assert!(Hours::read(text).is_none(), "{text}");
        }
    }
}
