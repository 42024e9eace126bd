//! What a step and an approval cost, counted: times say more about the machine.

use countersign::{
    domain::{agent::Kind, execution::CompletionReason, id::WorkflowId, role::Role},
    store::journal::Committed,
};
use rstest::rstest;
use sea_orm::{EntityTrait, PaginatorTrait};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;

use crate::support::{Database, TestApp};

/// What one thing cost.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    commits: usize,
    /// Of the journal.
    lines: usize,
    statements: u64,
}

fn drain(commits: &mut Receiver<Arc<Committed>>) -> Vec<Arc<Committed>> {
    std::iter::from_fn(|| commits.try_recv().ok()).collect()
}

/// The least of some tries: what the server looks after by itself now and then is not part of it.
async fn cheapest(app: &TestApp, tries: usize, one: impl AsyncFn() -> u64) -> Cost {
    let mut costs = Vec::new();
    for _ in 0..tries {
        let mut commits = app.engine.store().committed();
        let before = one().await;
        let statements = app.engine.store().statements() - before;
        let commits = drain(&mut commits);
        let lines = commits.iter().map(|commit| commit.entries.len()).sum();
        costs.push(Cost { commits: commits.len(), lines, statements });
    }
    costs.into_iter().min().expect("a try")
}

async fn steps_of(app: &TestApp, count: usize, last: Value) -> WorkflowId {
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    let mut steps: Vec<Value> =
        (0..count).map(|number| json!({"key": format!("s{number}"), "agent": "Echo"})).collect();
    steps.extend(last.as_object().map(|_| last.clone()));
    app.workflow(json!({"name": "Counted", "steps": steps})).await
}

#[rstest]
#[tokio::test]
async fn five_steps_that_compute_are_one_commit(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let workflow = steps_of(&app, 5, Value::Null).await;
    let cost = cheapest(&app, 10, async || {
        let before = app.engine.store().statements();
        let id = app.start_execution(workflow, json!({"text": "x".repeat(1_000)})).await;
        let entries = app.whole_journal(id).await;
        assert_eq!(entries.len(), 13, "queued, started, five steps with their ends, completed");
        // Looking at it is not part of the cost.
        before + 1
    })
    .await;
    assert_eq!((cost.commits, cost.lines), (1, 13), "{cost:?}");
    assert!(cost.statements <= 16, "{cost:?}");
    let rows = entity::journal::Entity::find().count(&app.database.connect().await).await.expect("rows");
    assert_eq!(rows, 2 * 10, "what somebody asked for, and what the server made of it, of each of ten");
}

#[rstest]
#[tokio::test]
async fn an_approval_is_one_commit_with_all_that_follows(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = steps_of(&app, 2, json!({"key": "act", "agent": "Echo", "gate": "ALWAYS"})).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let cost = cheapest(&app, 10, async || {
        let id = app.start_execution(workflow, json!({"text": "x".repeat(1_000)})).await;
        let row = app.waiting(id).await;
        let before = app.engine.store().statements();
        app.approve(ada, &row).await.expect("it is approved");
        let statements = app.engine.store().statements();
        app.ends(id, CompletionReason::Success).await;
        before + (app.engine.store().statements() - statements)
    })
    .await;
    // One commit up to the gate, and one from there to the end.
    assert_eq!(cost.commits, 2, "{cost:?}");
    assert!(cost.lines <= 14, "{cost:?}");
    assert!(cost.statements <= 40, "{cost:?}");
}
