//! All figures of a range against a computation by hand.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Utc};
use chrono_tz::Tz;
use countersign::domain::role::Role;
use serde_json::{Value, json};

use super::{
    analytics,
    naive::{Happened, happened},
    range,
};
use crate::support::{TestApp, at, text};

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

/// Somebody who asks, and who knows what has happened.
pub struct Examiner<'a> {
    app: &'a TestApp,
    token: String,
    zone: Tz,
    pub all: Vec<Happened>,
    /// Of each person, by id.
    groups_of: BTreeMap<String, Vec<String>>,
}

impl<'a> Examiner<'a> {
    pub async fn new(app: &'a TestApp, zone: Tz) -> Self {
        let token = app.token(Role::Approver).await;
        let (all, groups_of) = (happened(app).await, groups_of(app, &token).await);
        Self { app, token, zone, all, groups_of }
    }

    /// A workflow of which there are checkpoints, and an agent that has worked.
    pub fn to_filter_by(&self) -> (String, String) {
        let first = |what: &str| {
            self.all.iter().find(|event| event.what.starts_with(what) && event.agent.is_some()).expect("some")
        };
        (first("checkpoint").workflow.clone(), first("attempt").agent.clone().expect("an agent"))
    }

    /// Nothing, a workflow, an agent, and a workflow with one of its agents.
    pub fn filters(&self) -> [Value; 4] {
        let (workflow, agent) = self.to_filter_by();
        let of_both = |event: &&Happened| event.workflow == workflow && event.agent.is_some();
        let of_workflow = self.all.iter().find(of_both).and_then(|event| event.agent.clone()).expect("some");
        [
            json!({}),
            json!({"workflowId": workflow}),
            json!({"agentId": agent}),
            json!({"workflowId": workflow, "agentId": of_workflow}),
        ]
    }

    /// Asks for everything and compares it.
    pub async fn check(&self, from: DateTime<Utc>, until: DateTime<Utc>, bucket: &str, filter: &Value) {
        let zone = self.zone;
        let mut variables = range(from, until);
        (variables["zone"], variables["bucket"], variables["filter"]) =
            (json!(zone.name()), json!(bucket), filter.clone());
        let found = analytics(self.app, &self.token, variables).await;
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
        let events: Events = self.all.iter().filter(wanted).collect();
        check_checkpoints(at(&found, "/checkpoints"), &events, &self.groups_of);
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
