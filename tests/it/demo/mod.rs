//! The demo: what is there at the beginning, that it moves, and who gets in.

mod alive;
mod past;
mod sign_in;

use std::time::Duration;

use countersign::{
    config::Settings,
    domain::{
        access::Scope,
        checkpoint::{Kind, Status},
        email::Email,
    },
    store::{
        checkpoints::{self, CheckpointRow},
        executions::{self, Execution},
        page::Page,
    },
};
use tokio::time::timeout;

use crate::support::TestApp;

/// Two weeks are played first, on a machine that runs other tests as well.
const PATIENCE: Duration = Duration::from_secs(150);
/// How many executions the past has.
const SCENES: usize = 66;

fn demo(settings: &mut Settings) {
    settings.demo = true;
}

/// Waits until something is there, moving the clock whenever something happened: pauses of the demo end sooner.
async fn until<T>(app: &TestApp, what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    let mut head = app.engine.store().journal_head();
    let wait = async {
        loop {
            head.borrow_and_update();
            if let Some(found) = look().await {
                return found;
            }
            app.clock.advance(chrono::Duration::seconds(1));
            head.changed().await.expect("the store lives");
        }
    };
    timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

/// Waits until the past has been played.
async fn ready(app: &TestApp) {
    let last = scene(SCENES);
    let mut head = app.engine.store().journal_head();
    let wait = async {
        loop {
            head.borrow_and_update();
            for found in executions_of(app, &last).await {
                if !pending_of(app, &found).await.is_empty() {
                    return;
                }
            }
            head.changed().await.expect("the store lives");
        }
    };
    timeout(PATIENCE, wait).await.expect("the past is played");
}

fn scene(number: usize) -> String {
    format!("Demo {number:02}")
}

async fn executions_of(app: &TestApp, correlation: &str) -> Vec<Execution> {
    let filter = executions::Filter { correlation_id: Some(correlation.to_owned()), ..Default::default() };
    listed(app, &filter).await
}

async fn listed(app: &TestApp, filter: &executions::Filter) -> Vec<Execution> {
    let page = app.engine.store().executions(app.scope(), filter, false, &Page::first(200)).await;
    page.expect("a page").rows.into_iter().map(|(_, row)| row).collect()
}

async fn pending(app: &TestApp) -> Vec<CheckpointRow> {
    let filter = checkpoints::Filter { statuses: vec![Status::Pending], ..Default::default() };
    let page = Page::first(100);
    let rows = app.engine.store().checkpoints(app.scope(), &filter, checkpoints::Sort::Age, false, &page).await;
    rows.expect("a page").rows.into_iter().map(|(_, row)| row).collect()
}

async fn pending_of(app: &TestApp, execution: &Execution) -> Vec<CheckpointRow> {
    pending(app).await.into_iter().filter(|row| row.execution == execution.id).collect()
}

fn of_kind(rows: &[CheckpointRow], kind: Kind) -> Vec<&CheckpointRow> {
    rows.iter().filter(|row| row.kind == kind).collect()
}

/// Whoever looks around.
async fn robin(app: &TestApp) -> Scope {
    let email = Email::parse("robin@example.com").expect("an address");
    let robin = app.engine.store().user_by_email(app.scope(), &email).await.expect("a lookup").expect("Robin");
    Scope::as_user(app.workspace.id, robin.id)
}
