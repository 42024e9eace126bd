//! The script of the demo's last two weeks: what was started when, and what people made of it.

use chrono::{DateTime, TimeDelta, Utc};

use super::producer::Start;

/// One execution of the past.
#[derive(Debug, Clone)]
pub struct Scene {
    pub at: DateTime<Utc>,
    pub start: Start,
    pub number: usize,
    pub people: People,
}

/// What people do at its first checkpoint. They approve those that come after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum People {
    Approve,
    /// They approve less.
    Modify,
    Reject(&'static str),
    /// Nobody looks.
    TimeOut,
    /// They say that the rule should not have approved it.
    Override(&'static str),
    /// They mend what it failed at, and resume it.
    Resume,
    /// It still waits.
    Leave,
    /// The first of two has approved, and it still waits.
    LeaveToSecond,
}

const DAYS: i64 = 14;

pub fn scenes(present: DateTime<Utc>) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for day in (1..=DAYS).rev() {
        let midnight = (present - TimeDelta::days(day)).date_naive().and_hms_opt(0, 0, 0).unwrap_or_default().and_utc();
        let week_day = usize::try_from(DAYS - day).unwrap_or(0);
        let minutes = |hour: i64, minute: i64| midnight + TimeDelta::minutes(hour * 60 + minute + day % 5 * 7);
        let number = 2 * week_day;
        scenes.push(refund(minutes(8, 4), number));
        scenes.push(ticket(minutes(10, 21), week_day));
        scenes.push(refund(minutes(13, 2), number + 1));
        scenes.push(afternoon(minutes(15, 12), week_day));
    }
    scenes.extend(today(present));
    scenes
}

/// Of ten refunds, rules approve two. Of the others, people change the amount of about every second.
fn refund(at: DateTime<Utc>, number: usize) -> Scene {
    let people = match number {
        7 => People::TimeOut,
        5 | 22 => People::Reject("Please ask for photos first."),
        2 | 3 | 8 | 9 | 10 | 13 | 15 | 18 | 20 | 23 | 25 => People::Modify,
        _ => People::Approve,
    };
    Scene { at, start: Start::Refund, number, people }
}

fn ticket(at: DateTime<Utc>, number: usize) -> Scene {
    let people = match number {
        5 | 13 => People::Reject("The head of accounting has to ask for this."),
        9 => People::Modify,
        11 => People::Override("The release was moved: nobody needs the test system this month."),
        _ => People::Approve,
    };
    Scene { at, start: Start::Ticket, number, people }
}

fn afternoon(at: DateTime<Utc>, day: usize) -> Scene {
    let week = day / 7;
    let (start, number, people) = match day % 7 {
        0 => (Start::CleanUp, week, People::Modify),
        1 => (Start::Ticket, 17 + week, People::Modify),
        2 => (Start::Prices, if week == 0 { 2 } else { 0 }, if week == 0 { People::Resume } else { People::Approve }),
        3 => (Start::Approval, 1 + week, if week == 0 { People::Approve } else { People::Reject("Ten are enough.") }),
        4 => (Start::Ticket, 20 + week, People::Approve),
        5 => (Start::Questions, week, People::Approve),
        _ => (Start::Report, week, People::Approve),
    };
    Scene { at, start, number, people }
}

/// What somebody finds who comes now.
fn today(present: DateTime<Utc>) -> Vec<Scene> {
    let left = [
        (300, Start::Report, 2, People::Approve),
        (200, Start::Refund, 28, People::Approve),
        (75, Start::Approval, 0, People::Leave),
        (58, Start::Refund, 35, People::LeaveToSecond),
        (49, Start::CleanUp, 2, People::Leave),
        (42, Start::Prices, 2, People::Leave),
        (33, Start::Refund, 37, People::Leave),
        (24, Start::Ticket, 21, People::Leave),
        (15, Start::Questions, 0, People::Leave),
        (9, Start::Refund, 30, People::Leave),
    ];
    let scene = |(minutes, start, number, people)| {
        let at = present - TimeDelta::minutes(minutes);
        Scene { at, start, number, people }
    };
    left.map(scene).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_follow_each_other() {
        let present = "2026-01-15T04:00:00Z".parse().expect("a time");
        let scenes = scenes(present);
        assert!(scenes.is_sorted_by_key(|scene| scene.at));
        assert!(scenes.iter().all(|scene| scene.at < present));
        assert_eq!(scenes.len(), 66);
    }
}
