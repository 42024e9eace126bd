//! Several servers on one PostgreSQL.

use std::collections::HashSet;

use chrono::TimeDelta;
use countersign::{
    config::Settings,
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, Work},
        id::ExecutionId,
        refusal::Code,
    },
};
use futures_util::future::join_all;
use serde_json::json;

use crate::support::{
    Database, Process, Service, TestApp, TestClock,
    flows::{allow_loopback, refusal, with_places},
};

async fn pair(change: impl Fn(&mut Settings) + Copy + Send + 'static) -> (Process, Process) {
    let (fresh, clock) = (Database::Postgres.fresh().await, TestClock::default());
    let one = Process::start(fresh.clone(), clock.clone(), change).await;
    let other = Process::start(fresh, clock, change).await;
    (one, other)
}

/// Which servers began the steps of an execution.
async fn servers(app: &TestApp, id: ExecutionId) -> Vec<uuid::Uuid> {
    let started = |event: Event| match event {
        Event::StepStarted { work: Work::Server(server), .. } => Some(server),
        _ => None,
    };
    app.events(id).await.into_iter().filter_map(started).collect()
}

#[tokio::test]
async fn servers_share_the_work_and_take_over_from_each_other() {
    let (one, other) = pair(with_places(1)).await;
    let (service, gate) = Service::gated().await;
    one.agent("Caller", Kind::Http, service.config()).await;
    let steps = json!([{"key": "one", "agent": "Caller"}, {"key": "two", "agent": "Caller"}]);
    let workflow = one.workflow(json!({"name": "Twice", "steps": steps})).await;
    let first = one.start_execution(workflow, json!({})).await;
    let second = one.start_execution(workflow, json!({})).await;
    service.wait_for_calls(2).await;
    let mut busy: HashSet<uuid::Uuid> = HashSet::new();
    for id in [first, second] {
        busy.extend(servers(&other, id).await);
    }
    assert_eq!(busy.len(), 2, "each has one place, so both are at work");
    one.kill().await;
    service.wait_for_abandoned(1).await;
    gate.add_permits(100);
    for id in [first, second] {
        other.ends(id, CompletionReason::Success).await;
    }
    let mut keys: Vec<String> = service.calls().into_iter().map(|call| call.idempotency_key).collect();
    assert_eq!(keys.len(), 5, "what the lost server did is done again, and nothing else");
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 4, "under the same key");
    other.assert_sound().await;
    other.stop().await;
}

#[tokio::test]
async fn each_task_is_claimed_at_one_server_only() {
    let (one, other) = pair(|_| {}).await;
    one.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = one.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let ids = join_all((0..60).map(|_| one.start_execution(workflow, json!({})))).await;
    for id in &ids {
        one.wait_for_event(*id, "step.scheduled 0", 1).await;
    }
    let claim_all = async |app: &TestApp| {
        let mut taken = Vec::new();
        loop {
            let claimed = app.claim("q", 3).await;
            if claimed.is_empty()
                && app.engine.store().waiting_tasks(app.scope(), "q", None, &[], 1).await.expect("tasks").is_empty()
            {
                return taken;
            }
            for task in &claimed {
                app.complete(task, "{}").await.expect("its own task");
            }
            taken.extend(claimed.into_iter().map(|task| task.lease.execution));
        }
    };
    let taken = join_all([&one, &other, &one, &other].map(|app| claim_all(app))).await;
    let taken: Vec<ExecutionId> = taken.into_iter().flatten().collect();
    assert_eq!(taken.len(), 60);
    assert_eq!(taken.into_iter().collect::<HashSet<_>>().len(), 60);
    one.assert_sound().await;
    one.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_worker_learns_from_any_server_what_happened_at_another() {
    let (one, other) = pair(|_| {}).await;
    one.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = one.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = one.start_execution(workflow, json!({})).await;
    let task = one.claim_next("q").await;
    assert!(!one.heartbeat(&task).await.expect("alive").cancelled);
    other.engine.cancel_execution(other.scope(), id, None).await.expect("cancelled");
    assert!(one.heartbeat(&task).await.expect("an answer").cancelled);
    assert_eq!(one.whole_journal(id).await.pop().expect("an event").kind(), "execution.cancelled");
    let next = one.start_execution(workflow, json!({})).await;
    let task = one.claim_next("q").await;
    one.heartbeat(&task).await.expect("alive");
    other.clock.advance(TimeDelta::seconds(31));
    other.wait_for_event(next, "step.released 0", 1).await;
    let taken = other.claim_next("q").await;
    assert_eq!(refusal(one.heartbeat(&task).await).code, Code::Expired);
    assert_eq!(refusal(one.complete(&task, "{}").await).code, Code::Expired);
    one.complete(&taken, "{}").await.expect("whoever claimed it, at whichever server");
    other.ends(next, CompletionReason::Success).await;
    one.assert_sound().await;
    one.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn cancelling_at_one_server_stops_the_call_of_another() {
    let (one, other) = pair(allow_loopback).await;
    let service = Service::silent().await;
    one.agent("Caller", Kind::Http, service.config()).await;
    let workflow = one.workflow(json!({"name": "Call", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let id = one.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    other.engine.cancel_execution(other.scope(), id, None).await.expect("cancelled");
    service.wait_for_abandoned(1).await;
    one.assert_sound().await;
    one.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn what_a_server_remembers_refuses_nothing() {
    let (one, other) = pair(|_| {}).await;
    one.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = one.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = one.start_execution(workflow, json!({})).await;
    one.wait_for_event(id, "step.scheduled 0", 1).await;
    for _ in 0..5 {
        // To the first one it is still paused, or runs, as it left it.
        one.engine.pause_execution(one.scope(), id).await.expect("paused");
        other.engine.resume_execution(other.scope(), id).await.expect("resumed");
    }
    one.assert_sound().await;
    one.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn what_a_server_remembers_keeps_nothing_from_being_done() {
    let (one, other) = pair(|_| {}).await;
    one.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let retry = json!({"initialDelaySeconds": 60, "jitter": 0});
    let steps = json!([{"key": "work", "agent": "Worker", "retry": retry}]);
    let workflow = one.workflow(json!({"name": "Work", "steps": steps})).await;
    let id = one.start_execution(workflow, json!({})).await;
    let task = one.claim_next("q").await;
    other.fail(&task, true).await.expect("taken");
    other.stop().await;
    // Who is left remembers the step in a worker's hands, where nothing is due.
    one.clock.advance(TimeDelta::seconds(61));
    let again = one.claim_next("q").await;
    one.complete(&again, "{}").await.expect("completed");
    one.ends(id, CompletionReason::Success).await;
    one.assert_sound().await;
    one.stop().await;
}
