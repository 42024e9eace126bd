//! Two weeks that happened before anybody looked, as if they had happened then.

use chrono::TimeDelta;
use countersign::{
    domain::{
        agent,
        checkpoint::Kind,
        execution::{CompletionReason, Status},
    },
    store::{Range, executions, journal::JournalFilter},
};
use rstest::rstest;
use serde_json::json;

use super::{SCENES, demo, executions_of, listed, of_kind, pending, ready, scene};
use crate::{
    audit,
    support::{Database, Process, TestApp, TestClock, at},
};

/// Everything that a second start could make twice.
async fn made(app: &TestApp) -> Vec<u64> {
    let (store, scope) = (app.engine.store(), app.scope());
    let mut counts = vec![
        store.count_users(scope, &Default::default()).await.expect("a count"),
        store.count_groups(scope, &Default::default()).await.expect("a count"),
        store.count_api_tokens(scope).await.expect("a count"),
        store.count_agents(scope, &Default::default()).await.expect("a count"),
        store.count_workflows(scope, &Default::default()).await.expect("a count"),
        store.count_policy_versions(scope).await.expect("a count"),
        store.workspaces().await.expect("a list").len() as u64,
    ];
    for number in 1..=SCENES {
        // What continues another execution belongs to the same.
        let begun = executions_of(app, &scene(number)).await.into_iter().filter(|found| found.origin.is_none());
        counts.push(begun.count() as u64);
    }
    counts
}

/// Nothing is wrong with what was written.
async fn sound(app: &TestApp) {
    let beside = app.another_process().await;
    let report = beside.examine(false).await.expect("an examination");
    assert_eq!(report.problems, [""; 0]);
    audit::sound(&audit::lines_of(beside.store(), &app.workspace).await);
}

#[rstest]
#[tokio::test]
async fn an_empty_database_gets_a_past_and_only_once(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = TestApp::start_with(database, demo).await;
    ready(&app).await;

    // What waits for whoever looks: of each kind, with items, and one that another person has approved already.
    let waiting = pending(&app).await;
    assert!(of_kind(&waiting, Kind::Step).iter().any(|row| row.items == Some(25)), "{waiting:#?}");
    assert!(waiting.iter().any(|row| (row.approvals, row.approvals_needed) == (1, 2)), "{waiting:#?}");
    assert!(!of_kind(&waiting, Kind::External).is_empty());
    assert!(!of_kind(&waiting, Kind::Clarification).is_empty());
    assert!(waiting.iter().all(|row| row.requested_at < app.clock.clock().now()));

    // What has been: everything that people and rules can do, over two weeks.
    let token = app.token(countersign::domain::role::Role::Admin).await;
    let query = "{
      analytics { checkpoints { totals { outcomes { approved modified rejected timedOut autoApproved overridden } } } }
      learningCases { totalCount } deliverables { totalCount }
    }";
    let answer = app.graphql(&token, query, json!({})).await;
    let outcomes = at(&answer, "/data/analytics/checkpoints/totals/outcomes").as_object().expect("an object");
    assert!(outcomes.values().all(|count| count.as_i64() > Some(0)), "{outcomes:?}");
    assert!(at(&answer, "/data/learningCases/totalCount").as_i64() >= Some(15), "{answer}");
    assert!(at(&answer, "/data/deliverables/totalCount").as_i64() >= Some(20), "{answer}");
    let all = listed(&app, &executions::Filter::default()).await;
    let now = app.clock.clock().now();
    assert!(all.iter().any(|execution| execution.created_at < now - TimeDelta::days(13)));
    assert!(all.iter().any(|execution| execution.status == Status::Failed && execution.origin.is_none()));
    let resumed = all.iter().filter(|execution| execution.origin.is_some());
    assert!(resumed.clone().all(|execution| execution.completion_reason == Some(CompletionReason::Success)));
    assert_eq!(resumed.count(), 1);

    let before = made(&app).await;
    assert!(before[7..].iter().all(|count| *count == 1), "{before:?}");
    app.stop().await;
    sound(&app).await;

    let mut again = TestApp::start_on(app.database.clone(), app.clock.clone(), demo).await;
    assert_eq!(made(&again).await, before);
    again.stop().await;
    sound(&again).await;
}

#[tokio::test]
async fn what_was_cut_off_is_taken_up_again() {
    let database = Database::Sqlite.fresh().await;
    let process = Process::start(database.clone(), TestClock::default(), demo).await;
    let mut head = process.engine.store().journal_head();
    while executions_of(&process, &scene(20)).await.is_empty() {
        head.changed().await.expect("the store lives");
    }
    process.kill().await;

    let mut app = TestApp::start_on(database, TestClock::default(), demo).await;
    ready(&app).await;
    assert!(made(&app).await[7..].iter().all(|count| *count == 1));
    app.stop().await;
    sound(&app).await;
}

#[tokio::test]
async fn the_journal_is_in_the_order_of_time() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    ready(&app).await;
    let range = Range { above: None, below: None, newest_first: false, limit: 5_000 };
    let lines = app.engine.store().journal(app.scope(), &JournalFilter::default(), range).await.expect("a journal");
    assert!(lines.is_sorted_by_key(|line| line.at), "something was written later than it happened");
}

#[tokio::test]
async fn a_database_with_other_content_is_left_alone() {
    let mut app = TestApp::start(Database::Sqlite).await;
    app.agent("Nothing", agent::Kind::Transform, json!({"output": {}})).await;
    let workflow = app.workflow(json!({"name": "Ours", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    app.stop().await;

    let app = TestApp::start_on(app.database.clone(), app.clock.clone(), demo).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for_end(id).await;
    assert_eq!(app.engine.store().count_users(app.scope(), &Default::default()).await.expect("a count"), 0);
    let answer =
        app.anonymous("mutation { demoSignIn { session { accessToken } userErrors { code } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/demoSignIn/userErrors/0/code"), "NOT_ALLOWED");
}
