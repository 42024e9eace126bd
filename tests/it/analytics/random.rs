//! All figures against a computation by hand, over journals in which all kinds of things happened.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use chrono_tz::Tz;
use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    analytics,
    life::Life,
    naive::{Happened, happened},
    range,
};
use crate::support::{Database, TestApp, at, text};

type Events<'a> = Vec<&'a Happened>;

fn matching<'a>(events: &Events<'a>, what: &str) -> Events<'a> {
    events.iter().copied().filter(|event| event.what == what).collect()
}

fn starting<'a>(events: &Events<'a>, what: &str) -> Events<'a> {
    events.iter().copied().filter(|event| event.what.starts_with(what)).collect()
}

fn groups<'a, K: Ord>(events: &Events<'a>, keys: impl Fn(&Happened) -> Vec<K>) -> BTreeMap<K, Events<'a>> {
    let mut groups: BTreeMap<K, Events<'a>> = BTreeMap::new();
    for event in events {
        for key in keys(event) {
            groups.entry(key).or_default().push(event);
        }
    }
    groups
}

fn number(value: &Value, pointer: &str) -> usize {
    usize::try_from(at(value, pointer).as_u64().unwrap_or_else(|| panic!("{pointer} in {value:#}"))).expect("small")
}

#[track_caller]
fn check_took(found: &Value, events: &Events<'_>) {
    let mut took: Vec<i64> = events.iter().filter_map(|event| event.took).collect();
    took.sort_unstable();
    assert_eq!(number(found, "/count"), took.len(), "{found}");
    if took.is_empty() {
        assert_eq!(found, &json!({"count": 0, "mean": null, "p50": null, "p95": null, "p99": null}));
        return;
    }
    let seconds = |name: &str| found[name].as_f64().expect("a number");
    let mean = took.iter().sum::<i64>() as f64 / took.len() as f64 / 1e6;
    assert!((seconds("mean") - mean).abs() < 1e-6 * mean.max(1.0), "mean {mean}: {found}");
    for (name, part) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
        let exact = took[(took.len() as f64 * part).ceil() as usize - 1] as f64 / 1e6;
        // Below a millisecond there is nothing.
        let near = (seconds(name) - exact).abs() <= exact * 0.01 + 1e-6 || (exact < 0.001 && seconds(name) == 0.0);
        assert!(near, "{name} is {exact} in {found}");
    }
}

#[track_caller]
fn check_outcomes(found: &Value, events: &Events<'_>) {
    let count = |word: &str| matching(events, &format!("checkpoint {word}")).len();
    let (modified, approved) = (count("MODIFIED"), count("APPROVED") + count("MODIFIED"));
    let (rejected, timed_out, asked, auto) =
        (count("REJECTED"), count("TIMED_OUT"), count("ASKED"), count("AUTO_APPROVED"));
    let rate = |part: usize, whole: usize| if whole == 0 { Value::Null } else { json!(part as f64 / whole as f64) };
    let judged = approved + rejected + timed_out;
    let expected = json!({
        "asked": asked, "approved": approved, "modified": modified, "rejected": rejected, "timedOut": timed_out,
        "answered": count("ANSWERED"), "cancelled": count("CANCELLED"), "autoApproved": auto, "overridden": 0,
        "approvalRate": rate(approved, judged), "modificationRate": rate(modified, judged),
        "rejectionRate": rate(rejected, judged), "timeoutRate": rate(timed_out, judged),
        "autoApprovalRate": rate(auto, auto + asked), "overrideRate": rate(0, auto),
    });
    assert_eq!(found, &expected);
}

#[track_caller]
fn check_figures(found: &Value, events: &Events<'_>) {
    check_outcomes(at(found, "/outcomes"), events);
    check_took(at(found, "/timeToDecision"), &starting(events, "decision "));
    check_took(at(found, "/timeWaited"), &starting(events, "checkpoint "));
}

#[track_caller]
fn check_decisions(found: &Value, events: &Events<'_>) {
    let decisions = starting(events, "decision ");
    let count = |word: &str| matching(&decisions, &format!("decision {word}")).len();
    assert_eq!(number(found, "/decided"), decisions.len());
    assert_eq!(number(found, "/approved"), count("APPROVED") + count("MODIFIED"));
    assert_eq!(number(found, "/modified"), count("MODIFIED"));
    assert_eq!(number(found, "/rejected"), count("REJECTED"));
    assert_eq!(number(found, "/answered"), count("ANSWERED"));
    check_took(at(found, "/timeToDecision"), &decisions);
    check_took(at(found, "/timeWaited"), &starting(events, "checkpoint "));
}

#[track_caller]
fn check_usage(found: &Value, events: &Events<'_>) {
    let sum = |field: usize| events.iter().map(|event| event.usage[field]).sum::<u64>();
    assert_eq!(at(found, "/llmCalls"), &json!(sum(0)));
    assert_eq!(at(found, "/tokens").as_f64(), Some(sum(1) as f64));
    assert_eq!(at(found, "/costMicros").as_f64(), Some(sum(2) as f64));
}

/// The lines of a list by their keys.
#[track_caller]
fn lines<'a, K: Ord>(found: &'a Value, pointer: &str, key: impl Fn(&Value) -> K) -> BTreeMap<K, &'a Value> {
    let list = at(found, pointer).as_array().expect("a list");
    let lines: BTreeMap<K, &Value> = list.iter().map(|line| (key(line), line)).collect();
    assert_eq!(lines.len(), list.len(), "each once in {pointer}");
    lines
}

#[track_caller]
fn check_groups<K: Ord + std::fmt::Debug + Clone>(
    found: BTreeMap<K, &Value>,
    expected: BTreeMap<K, Events<'_>>,
    check: impl Fn(&Value, &Events<'_>),
) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (key, events) in expected {
        check(found[&key], &events);
    }
}

fn check_checkpoints(found: &Value, events: &Events<'_>, groups_of: &BTreeMap<String, Vec<String>>) {
    let own = [starting(events, "checkpoint "), starting(events, "decision ")].concat();
    check_figures(at(found, "/totals"), &own);
    check_groups(
        lines(found, "/byWorkflow", |line| text(line, "/workflow/id").to_owned()),
        groups(&own, |event| vec![event.workflow.clone()]),
        |line, events| check_figures(at(line, "/figures"), events),
    );
    check_groups(
        lines(found, "/byRule", |line| line["rule"].as_str().map(ToOwned::to_owned)),
        groups(&own, |event| vec![event.rule.clone()]),
        |line, events| check_figures(at(line, "/figures"), events),
    );
    check_groups(
        lines(found, "/byPerson", |line| text(line, "/user/id").to_owned()),
        groups(&own, |event| event.people.clone()),
        |line, events| check_decisions(at(line, "/figures"), events),
    );
    let of_members = |event: &Happened| event.people.iter().flat_map(|person| groups_of[person].clone()).collect();
    check_groups(
        lines(found, "/byGroup", |line| text(line, "/group/name").to_owned()),
        groups(&own, of_members),
        |line, events| check_decisions(at(line, "/figures"), events),
    );
}

fn check_agents(found: &Value, events: &Events<'_>) {
    let own = [starting(events, "attempt "), starting(events, "error ")].concat();
    check_groups(
        lines(found, "/agents", |line| text(line, "/agent/id").to_owned()),
        groups(&own, |event| event.agent.clone().into_iter().collect()),
        |line, events| {
            let count = |word: &str| matching(events, &format!("attempt {word}")).len();
            let errors = count("retried") + count("failed");
            assert_eq!(number(line, "/attempts"), starting(events, "attempt ").len());
            assert_eq!(number(line, "/completed"), count("completed"));
            assert_eq!(number(line, "/errors"), errors);
            assert_eq!(number(line, "/retried"), count("retried"));
            assert_eq!(number(line, "/cancelled"), count("cancelled"));
            let whole = errors + count("completed");
            assert_eq!(line["errorRate"].as_f64(), (whole > 0).then(|| errors as f64 / whole as f64));
            let codes = lines(line, "/errorsByCode", |line| format!("error {}", text(line, "/code")));
            let expected = groups(&starting(events, "error "), |event| vec![event.what.clone()]);
            check_groups(codes, expected, |line, events| assert_eq!(number(line, "/count"), events.len()));
            check_took(at(line, "/duration"), &starting(events, "attempt "));
            check_usage(at(line, "/usage"), events);
        },
    );
}

fn check_executions(found: &Value, events: &Events<'_>) {
    let own = starting(events, "execution ");
    assert_eq!(number(found, "/ended"), own.len());
    let found = lines(found, "/byOutcome", |line| format!("execution {}", text(line, "/reason")));
    check_groups(found, groups(&own, |event| vec![event.what.clone()]), |line, events| {
        assert_eq!(number(line, "/count"), events.len());
    });
}

fn micros(value: &Value, pointer: &str) -> i64 {
    text(value, pointer).parse::<DateTime<Utc>>().expect("a time").timestamp_micros()
}

/// Buckets that follow each other from one end of the range to the other, each within one day, week or month.
fn check_buckets<'a>(
    found: &'a Value,
    pointer: &str,
    whole: &Value,
    zone: Tz,
    bucket: &str,
) -> Vec<(&'a Value, i64, i64)> {
    let list = at(found, pointer).as_array().expect("a list");
    let buckets: Vec<_> = list.iter().map(|line| (line, micros(line, "/from"), micros(line, "/until"))).collect();
    assert_eq!(buckets.first().map(|bucket| bucket.1), Some(micros(whole, "/from")));
    assert_eq!(buckets.last().map(|bucket| bucket.2), Some(micros(whole, "/until")));
    assert!(buckets.windows(2).all(|pair| pair[0].2 == pair[1].1), "{buckets:?}");
    let label = |at: i64| {
        let local = DateTime::from_timestamp_micros(at).expect("a time").with_timezone(&zone);
        match bucket {
            "MONTH" => format!("{}", local.format("%Y-%m")),
            "WEEK" => format!("{:?}", local.date_naive().iso_week()),
            "DAY" => format!("{}", local.date_naive().num_days_from_ce()),
            _ => format!("{}", local.format("%Y-%m-%d %H")),
        }
    };
    for (_, from, until) in &buckets {
        assert_eq!(label(*from), label(until - 1), "{bucket} in {zone}");
    }
    buckets
}

fn check_series(found: &Value, events: &Events<'_>, zone: Tz, bucket: &str) {
    let within = |from: i64, until: i64| -> Events<'_> {
        events.iter().copied().filter(|event| (from..until).contains(&event.at)).collect()
    };
    for (line, from, until) in check_buckets(found, "/checkpoints/series", found, zone, bucket) {
        check_outcomes(at(line, "/outcomes"), &within(from, until));
    }
    for (line, from, until) in check_buckets(found, "/executions/series", found, zone, bucket) {
        check_executions(line, &within(from, until));
    }
    for (line, from, until) in check_buckets(found, "/usage/series", found, zone, bucket) {
        check_usage(at(line, "/usage"), &within(from, until));
    }
}

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
    let token = app.token(Role::Approver).await;
    let all = happened(&app).await;
    assert_eq!(missing(&all), [""; 0], "life was too quiet");
    let groups_of = groups_of(&app, &token).await;
    let first =
        |what: &str| all.iter().find(|event| event.what.starts_with(what) && event.agent.is_some()).expect("some");
    let (workflow, agent) = (first("checkpoint").workflow.clone(), first("attempt").agent.clone());
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
        let mut variables = range(from, until);
        (variables["zone"], variables["bucket"], variables["filter"]) =
            (json!(zone.name()), json!(bucket), filter.clone());
        let found = analytics(&app, &token, variables).await;
        assert_eq!((text(&found, "/timeZone"), text(&found, "/bucket")), (zone.name(), bucket));
        assert_eq!(found["complete"], true);
        let (from, until) = (micros(&found, "/from"), micros(&found, "/until"));
        let wanted = |event: &&Happened| {
            let fits = |name: &str, value: &Option<String>| {
                filter[name].is_null() || filter[name].as_str() == value.as_deref()
            };
            let agents = event.agents.iter().any(|agent| filter["agentId"] == json!(agent));
            (from..until).contains(&event.at)
                && fits("workflowId", &Some(event.workflow.clone()))
                && (fits("agentId", &event.agent) || agents)
        };
        let events: Events = all.iter().filter(wanted).collect();
        check_checkpoints(at(&found, "/checkpoints"), &events, &groups_of);
        check_agents(&found, &events);
        check_executions(at(&found, "/executions"), &events);
        check_took(at(&found, "/executions/duration"), &starting(&events, "execution "));
        let attempts = starting(&events, "attempt ");
        check_usage(at(&found, "/usage/totals"), &attempts);
        check_groups(
            lines(&found, "/usage/byWorkflow", |line| text(line, "/workflow/id").to_owned()),
            groups(&attempts, |event| vec![event.workflow.clone()]),
            |line, events| check_usage(at(line, "/usage"), events),
        );
        check_series(&found, &events, zone, bucket);
    }
    app.assert_sound().await;
}

/// The groups of each person, by id.
async fn groups_of(app: &TestApp, token: &str) -> BTreeMap<String, Vec<String>> {
    let answer = app.graphql(token, "{ users { nodes { id groups { name } } } }", json!({})).await;
    let people = at(&answer, "/data/users/nodes").as_array().expect("people").clone();
    let groups = |person: &Value| -> Vec<String> {
        let groups = at(person, "/groups").as_array().expect("groups");
        groups.iter().map(|group| text(group, "/name").to_owned()).collect()
    };
    people.iter().map(|person| (text(person, "/id").to_owned(), groups(person))).collect()
}
