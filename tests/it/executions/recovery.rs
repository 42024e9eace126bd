//! One broken execution does not keep the others from going on.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Status},
};
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Process, Service, TestApp, TestClock, flows::with_places};

#[rstest]
#[tokio::test]
async fn a_server_starts_beside_a_step_that_nobody_can_take_over(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (fresh, clock) = (database.fresh().await, TestClock::default());
    let first = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    first.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let workflow = first.workflow(json!({"name": "Any", "steps": [{"key": "a", "agent": "Nothing"}]})).await;
    let id = first.start_execution(workflow, json!({})).await;
    first.ends(id, CompletionReason::Success).await;
    // As if a server that is gone still had the step.
    first.database.execute("UPDATE step_run SET server_id = agent_id").await;
    first.kill().await;
    let app = TestApp::start_on(fresh, clock, |_| {}).await;
    let next = app.start_execution(workflow, json!({})).await;
    app.ends(next, CompletionReason::Success).await;
    let report = app.engine.examine(true).await.expect("a repair");
    assert_eq!((report.problems.len(), report.repaired), (1, 1), "{report:?}");
    app.assert_sound().await;
}

#[tokio::test]
async fn an_execution_that_cannot_be_read_waits_and_the_others_run() {
    let (fresh, clock) = (Database::Sqlite.fresh().await, TestClock::default());
    let (service, gate) = Service::gated().await;
    let first = Process::start(fresh.clone(), clock.clone(), with_places(2)).await;
    first.agent("Caller", Kind::Http, service.config()).await;
    let workflow = first.workflow(json!({"name": "Call", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let running = [first.start_execution(workflow, json!({})).await, first.start_execution(workflow, json!({})).await];
    service.wait_for_calls(2).await;
    let broken = first.start_execution(workflow, json!({"text": "x".repeat(100_000)})).await;
    let queued = first.start_execution(workflow, json!({})).await;
    first.database.execute("DELETE FROM payload").await;
    first.kill().await;
    gate.add_permits(100);
    let app = TestApp::start_on(fresh, clock, with_places(2)).await;
    for id in running.into_iter().chain([queued]) {
        app.ends(id, CompletionReason::Success).await;
    }
    app.wait_for(broken, Status::Queued).await;
    assert!(service.calls().iter().all(|call| call.execution != broken.to_string()));
    let problems = app.engine.examine(false).await.expect("an examination").problems;
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with(&format!("{broken}: the stored value ")), "{problems:?}");
}

#[tokio::test]
async fn an_execution_that_cannot_be_written_leaves_the_others_alone() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let mut ids = Vec::new();
    for _ in 0..10 {
        let id = app.start_execution(workflow, json!({})).await;
        app.wait_for_event(id, "step.scheduled 0", 1).await;
        ids.push(id);
    }
    app.database
        .execute(
            "CREATE TRIGGER broken BEFORE INSERT ON journal
             WHEN NEW.execution_id = (SELECT max(id) FROM execution)
             BEGIN SELECT RAISE(ABORT, 'broken'); END",
        )
        .await;
    // At the same moment, so that they share a commit.
    let mut paused = join_all(ids.iter().map(|id| app.engine.pause_execution(app.scope(), *id))).await;
    let error = paused.pop().expect("the last one").expect_err("it cannot be written");
    assert!(error.explain().contains("broken"), "{}", error.explain());
    for (id, paused) in ids.iter().zip(paused) {
        paused.unwrap_or_else(|error| panic!("{id}: {}", error.explain()));
    }
    app.assert_sound().await;
}
