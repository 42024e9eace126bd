//! Asking for figures: what is refused, who may see what, and what the answer covers.

use chrono::{NaiveTime, TimeDelta};
use countersign::domain::{agent::Kind, execution::CompletionReason, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{analytics, range};
use crate::support::{Database, TestApp, at, code, text};

#[rstest]
#[case(
    r#"timeZone: "Mars/Olympus""#,
    "`timeZone` is `Mars/Olympus`, which is no zone: give a name of the IANA database"
)]
#[case(
    r#"from: "2026-02-01T00:00:00Z", until: "2026-01-01T00:00:00Z""#,
    "`from` is 2026-02-01 00:00:00 UTC, which is not before"
)]
#[case(r#"from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z""#, "which is not before `until`")]
#[case(r#"until: "+12026-01-01T00:00:00Z""#, "`until` is in the year 12026")]
#[case(
    r#"from: "2020-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z", bucket: HOUR"#,
    "`bucket` is HOUR, and the range has more than 1000 of these: give a shorter range or longer buckets"
)]
#[case(r#"filter: {workflowId: "x"}"#, "`filter.workflowId`: `x` is not an id")]
#[case(r#"filter: {agentId: "x"}"#, "`filter.agentId`: `x` is not an id")]
#[tokio::test]
async fn what_makes_no_sense_is_refused(#[case] arguments: &str, #[case] message: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Viewer).await;
    let query = format!("{{ analytics({arguments}) {{ checkpoints {{ series {{ from }} }} }} }}");
    let answer = app.graphql(&token, &query, json!({})).await;
    assert_eq!(code(&answer), "BAD_USER_INPUT");
    assert!(text(&answer, "/errors/0/message").contains(message), "{answer}");
}

#[rstest]
#[tokio::test]
async fn a_range_is_widened_to_whole_quarters(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Approver).await;
    let variables = json!({"from": "2026-01-01T10:07:00Z", "until": "2026-01-01T11:00:01Z", "zone": "Asia/Kathmandu",
        "bucket": "HOUR"});
    let found = analytics(&app, &token, variables).await;
    assert_eq!(
        (text(&found, "/from"), text(&found, "/until")),
        ("2026-01-01T10:00:00+00:00", "2026-01-01T11:15:00+00:00")
    );
    let series = at(&found, "/executions/series").as_array().expect("a list");
    let begins: Vec<&str> = series.iter().map(|bucket| text(bucket, "/from")).collect();
    assert_eq!(begins, ["2026-01-01T10:00:00+00:00", "2026-01-01T10:15:00+00:00", "2026-01-01T11:15:00+00:00"][..2]);
    assert_eq!(at(&found, "/agents"), &json!([]));
    assert_eq!(at(&found, "/checkpoints/totals/outcomes/approvalRate"), &Value::Null);
}

#[tokio::test]
async fn figures_of_people_are_for_approvers() {
    let app = TestApp::start(Database::Sqlite).await;
    let query =
        "{ analytics { executions { ended } checkpoints { byPerson { displayName } byGroup { group { id } } } } }";
    for role in Role::ALL {
        let answer = app.graphql(&app.token(role).await, query, json!({})).await;
        assert_eq!(at(&answer, "/data/analytics/executions/ended"), &json!(0), "the rest is there");
        let people = at(&answer, "/data/analytics/checkpoints");
        if matches!(role, Role::Approver | Role::Admin) {
            assert_eq!(people, &json!({"byPerson": [], "byGroup": []}));
        } else {
            assert_eq!(people, &json!({"byPerson": null, "byGroup": null}));
            assert_eq!(code(&answer), "FORBIDDEN");
        }
    }
}

#[rstest]
#[tokio::test]
async fn another_workspace_is_not_counted(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    let other = app.create_workspace("other").await;
    let token = app.token_in(countersign::domain::access::Scope::system(other.id), Role::Admin).await;
    let filter = json!({"workflowId": workflow.to_string()});
    for variables in [json!({}), json!({ "filter": filter })] {
        let found = analytics(&app, &token, variables).await;
        assert_eq!(at(&found, "/executions/ended"), &json!(0));
        assert_eq!(at(&found, "/agents"), &json!([]));
    }
}

/// What a range covers of its first and of its last day, in the morning or in the evening.
#[rstest]
#[tokio::test]
async fn a_range_ends_where_it_says(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Approver).await;
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let now = || app.engine.clock().now();
    let midnight = (now() + TimeDelta::days(1)).date_naive().and_time(NaiveTime::MIN).and_utc();
    for hour in [3, 9, 15, 21, 27, 33, 39, 45] {
        app.clock.advance(midnight + TimeDelta::hours(hour) - now());
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
    }
    let mut filters = vec![json!({}), json!({"workflowId": workflow.to_string()})];
    // So many of one every six hours are between any two of these; the last one is yet to come.
    for (from, until, expected) in
        (0..9).flat_map(|from| (from + 1..=9).map(move |until| (from, until, (until.min(8) - from))))
    {
        let time = |hours: i64| midnight + TimeDelta::hours(hours * 6);
        let filter = filters.pop().unwrap_or_default();
        let mut variables = range(time(from), time(until));
        variables["filter"] = filter.clone();
        filters.insert(0, filter);
        let found = analytics(&app, &token, variables).await;
        assert_eq!(at(&found, "/executions/ended"), &json!(expected), "{from} {until}");
        let series = at(&found, "/executions/series").as_array().expect("a list");
        let ended: i64 = series.iter().filter_map(|bucket| bucket["ended"].as_i64()).sum();
        assert_eq!(ended, expected, "{from} {until}");
        let agents: Vec<&Value> = at(&found, "/agents").as_array().expect("a list").iter().collect();
        assert_eq!(agents.len(), usize::from(expected > 0), "who did nothing in the range is not in the list");
        assert_eq!(at(&found, "/executions/duration/count"), &json!(expected));
    }
}

#[tokio::test]
async fn figures_cost_the_same_few_statements_however_much_there_is() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Approver).await;
    analytics(&app, &token, json!({})).await;
    let before = app.engine.store().statements();
    analytics(&app, &token, json!({})).await;
    let empty = app.engine.store().statements() - before;
    for number in 0..20 {
        app.agent(&format!("A{number}"), Kind::Transform, json!({"output": {}})).await;
        let steps = json!([{"key": "a", "agent": format!("A{number}")}]);
        let workflow = app.workflow(json!({"name": format!("W{number}"), "steps": steps})).await;
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
    }
    let before = app.engine.store().statements();
    let found = analytics(&app, &token, json!({})).await;
    let full = app.engine.store().statements() - before;
    assert_eq!(at(&found, "/agents").as_array().map(Vec::len), Some(20));
    assert!(
        full <= empty + 4,
        "{empty} statements without figures, {full} with: one more for each kind of thing named"
    );
}
