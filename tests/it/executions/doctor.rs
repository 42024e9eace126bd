//! What is broken is named, and mended.

use countersign::domain::{agent::Kind, execution::CompletionReason};
use rstest::rstest;
use sea_orm::{EntityTrait, QueryOrder};
use serde_json::json;

use crate::support::{Database, TestApp};

/// An execution with a finished step, one in a worker's hands, and one that waits.
async fn half_done(app: &TestApp) -> countersign::engine::commands::ClaimedTask {
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    app.agent("Other", Kind::Worker, json!({"queue": "other"})).await;
    let workflow = app
        .workflow(json!({"name": "Half", "steps": [
            {"key": "done", "agent": "Nothing", "needs": []},
            {"key": "held", "agent": "Worker", "needs": ["done"]},
            {"key": "waits", "agent": "Other", "needs": ["done"]},
        ]}))
        .await;
    app.start_execution(workflow, json!({})).await;
    app.claim_next("q").await
}

async fn problems(app: &TestApp) -> Vec<String> {
    app.engine.examine(false).await.expect("an examination").problems
}

#[rstest]
#[case("UPDATE execution SET status = 'FAILED'", "execution.status is 'FAILED', the journal gives 'RUNNING'")]
#[case("UPDATE execution SET seq = 99", "execution.seq is 99, the journal gives ")]
#[case("UPDATE execution SET wake_at = NULL", "execution.wake_at is NULL, the journal gives ")]
#[case("UPDATE execution SET tokens = 7, steps_done = 3", "execution.steps_done is 3, the journal gives 1")]
#[case("UPDATE step_run SET status = 'RETRYING' WHERE step = 0", "step_run.status is 'RETRYING'")]
#[case("DELETE FROM step_run WHERE step = 1", "step_run has 2 rows, the journal gives 3")]
#[case("DELETE FROM task", "task has 0 rows, the journal gives 2")]
#[case("UPDATE task SET state = 'AVAILABLE', lease_id = NULL WHERE step = 1", "task.state is 'AVAILABLE'")]
#[case("UPDATE task SET queue = 'nowhere' WHERE step = 2", "task.queue is 'nowhere'")]
#[tokio::test]
async fn broken_rows_are_named_and_mended(
    #[case] breaking: &'static str,
    #[case] named: &str,
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let task = half_done(&app).await;
    let id = task.lease.execution;
    app.assert_sound().await;
    app.database.execute(breaking).await;
    let found = problems(&app).await;
    assert!(found.iter().all(|problem| problem.starts_with(&format!("{id}: "))), "{found:?}");
    assert!(found.iter().any(|problem| problem.contains(named)), "`{named}` in {found:?}");
    let report = app.engine.examine(true).await.expect("a repair");
    assert_eq!((report.executions, report.repaired), (1, 1));
    assert!(!report.problems.is_empty());
    app.assert_sound().await;
    app.complete(&task, "{}").await.expect("completed");
    let other = app.claim_next("other").await;
    app.complete(&other, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_repair_leaves_leases_as_they_are() {
    let app = TestApp::start(Database::Sqlite).await;
    let task = half_done(&app).await;
    app.database.execute("UPDATE execution SET steps_done = 7").await;
    let report = app.engine.examine(true).await.expect("a repair");
    assert_eq!(report.repaired, 1);
    let found = app.engine.store().task(app.scope(), task.lease.task).await.expect("a lookup").expect("a task");
    assert_eq!(found.lease_until, Some(task.lease_until));
    app.clock.advance(chrono::TimeDelta::seconds(31));
    app.wait_for_event(task.lease.execution, "step.released 1", 1).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_hole_in_the_journal_is_named_and_left_alone() {
    let app = TestApp::start(Database::Sqlite).await;
    let task = half_done(&app).await;
    app.complete(&task, "{}").await.expect("completed");
    let rows = entity::journal::Entity::find().order_by_asc(entity::journal::Column::Seq);
    let rows = rows.all(&app.database.connect().await).await.expect("the journal");
    // What came before the worker's claim is two rows.
    let [before, lost] = [&rows[1], &rows[2]].map(|row| row.seq.expect("a number"));
    let hole = entity::journal::Entity::delete_by_id(rows[2].position);
    hole.exec(&app.database.connect().await).await.expect("a hole");
    for repair in [false, true] {
        let report = app.engine.examine(repair).await.expect("an examination");
        assert_eq!(report.repaired, 0, "what is lost cannot be derived");
        assert_eq!(report.problems.len(), 2, "{:?}", report.problems);
        assert!(report.problems[0].starts_with("the journal has "), "{:?}", report.problems);
        let expected =
            format!("{}: the event after number {before} has the number Some({})", task.lease.execution, lost + 1);
        assert_eq!(report.problems[1], expected);
    }
}

#[rstest]
#[case("DELETE FROM payload", "is missing")]
#[case("UPDATE payload SET body = x'00'", "cannot be decompressed")]
#[tokio::test]
async fn stored_values_that_are_lost_are_named(#[case] breaking: &'static str, #[case] named: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let task = half_done(&app).await;
    let output = format!("\"{}\"", "x".repeat(100_000));
    app.complete(&task, &output).await.expect("completed");
    app.assert_sound().await;
    app.database.execute(breaking).await;
    let found = problems(&app).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with(&format!("{}: the stored value ", task.lease.execution)), "{found:?}");
    assert!(found[0].contains(named), "{found:?}");
}
