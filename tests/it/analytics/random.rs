//! All figures against a computation by hand, over journals in which all kinds of things happened.

use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rstest::rstest;
use serde_json::json;

use super::{
    checks::Examiner,
    life::Life,
    naive::{Happened, happened},
};
use crate::support::{Database, TestApp};

/// After this time fortnights are added up.
const LATE: TimeDelta = TimeDelta::days(25);

/// What should have happened at least once and has not.
fn missing(all: &[Happened]) -> Vec<&'static str> {
    let wanted =
        ["checkpoint MODIFIED", "checkpoint TIMED_OUT", "checkpoint ANSWERED", "attempt retried", "attempt cancelled"];
    wanted.into_iter().filter(|what| !all.iter().any(|event| event.what == *what)).collect()
}

/// When the clocks of a zone change next; soon, where they never do.
fn next_change(zone: Tz, now: DateTime<Utc>) -> DateTime<Utc> {
    use chrono::{Offset, TimeZone};
    let offset = |at: DateTime<Utc>| zone.offset_from_utc_datetime(&at.naive_utc()).fix();
    let changed = (0..24 * 366).map(|hours| now + TimeDelta::hours(hours)).find(|at| offset(*at) != offset(now));
    changed.unwrap_or(now + TimeDelta::days(1))
}

#[rstest]
#[case::new_york("America/New_York", 1)]
#[case::lord_howe("Australia/Lord_Howe", 2)]
#[case::kathmandu("Asia/Kathmandu", 3)]
#[tokio::test]
async fn figures_are_those_of_the_journal(
    #[case] zone: Tz,
    #[case] seed: u64,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = TestApp::start(database).await;
    let mut life = Life::begin(&app, seed).await;
    life.go_on(60).await;
    // Over the night in which the clocks change, where they do.
    let now = app.engine.clock().now();
    app.clock.advance(next_change(zone, now) - now - TimeDelta::hours(12));
    let begin = app.engine.clock().now();
    life.go_on(350).await;
    // Who comes first is up to the server, so chance alone does not say what has happened by now.
    for _ in 0..20 {
        if missing(&happened(&app).await).is_empty() {
            break;
        }
        life.go_on(50).await;
    }
    // Nothing is on its way any more, and what happens from now on is after the quarter that the range ends with.
    app.stop().await;
    let end = app.engine.clock().now();
    app.clock.advance(TimeDelta::minutes(15));
    let app = TestApp::start_on(app.database.clone(), app.clock.clone(), |_| {}).await;
    let examiner = Examiner::new(&app, zone).await;
    assert_eq!(missing(&examiner.all), [""; 0], "life was too quiet");
    let (workflow, agent) = examiner.to_filter_by();
    let mut asked = vec![
        (begin, end, "DAY", json!({})),
        (begin, end, "HOUR", json!({})),
        (begin - TimeDelta::days(100), end, "MONTH", json!({})),
        (begin + TimeDelta::minutes(7), end, "WEEK", json!({"workflowId": workflow})),
        (begin, end, "HOUR", json!({"agentId": agent})),
        (begin, end, "DAY", json!({"workflowId": workflow, "agentId": agent})),
        (end - TimeDelta::minutes(40), end, "HOUR", json!({})),
    ];
    // Whatever the time of the day, a range begins and ends in each half of one.
    let middle = begin + (end - begin) / 2;
    for (hours, filter) in
        [(0, json!({})), (6, json!({"workflowId": workflow})), (12, json!({"agentId": agent})), (18, json!({}))]
    {
        asked.push((begin + TimeDelta::hours(hours), end, "DAY", filter.clone()));
        asked.push((begin, middle + TimeDelta::hours(hours - 9), "WEEK", filter));
    }
    for (from, until, bucket, filter) in asked {
        assert!(from < until, "life was too short");
        examiner.check(from, until, bucket, &filter).await;
    }
    app.assert_sound().await;
}

#[rstest]
#[case::new_york("America/New_York", 4)]
#[case::kathmandu("Asia/Kathmandu", 5)]
#[tokio::test]
async fn figures_of_many_months_are_those_of_the_journal(
    #[case] zone: Tz,
    #[case] seed: u64,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = TestApp::start(database).await;
    let mut random = StdRng::seed_from_u64(seed);
    let begin = app.engine.clock().now();
    let mut life = Life::begin(&app, seed).await;
    for number in 0..15 {
        life.go_on(30).await;
        app.clock.advance(TimeDelta::minutes(random.random_range(0..30 * 24 * 60)));
        if number % 5 == 4 {
            // Some of it comes late: a clock was wrong.
            app.wait_until_added_up().await;
            app.clock.advance(-LATE);
            life.go_on(30).await;
            app.clock.advance(LATE);
        }
    }
    life.go_on(60).await;
    app.stop().await;
    let end = app.engine.clock().now();
    app.clock.advance(TimeDelta::minutes(15));
    let app = TestApp::start_on(app.database.clone(), app.clock.clone(), |_| {}).await;
    app.wait_until_added_up().await;
    assert!(app.count_rollups("ADDED_UP").await > 5, "life was too short");
    let examiner = Examiner::new(&app, zone).await;
    let filters = examiner.filters();
    for filter in &filters {
        examiner.check(begin, end, "DAY", filter).await;
    }
    let minutes = (end - begin).num_minutes();
    for number in 0..24 {
        // Some begin long before there was anything, and some end now.
        let mut some = || begin + TimeDelta::minutes(random.random_range(-30_000..minutes + 30_000).min(minutes));
        let [one, other] = [some(), some()];
        let (from, until) = (one.min(other) - TimeDelta::minutes(1), one.max(other).min(end));
        let bucket = ["DAY", "WEEK", "MONTH"][number % 3];
        examiner.check(from, until, bucket, &filters[number / 3 % 4]).await;
    }
    app.assert_sound().await;
}
