//! How long a worker holds what it took.

use chrono::{DateTime, TimeDelta, Utc};
use countersign::{
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, LogLevel, Released},
        id::{ExecutionId, TaskId, WorkflowId},
        refusal::Code,
    },
    engine::commands::{CompleteTask, HeartbeatTask, Lease},
    store::journal::{Append, Appended, Prolonged},
};
use rstest::rstest;
use serde_json::json;
use uuid::Uuid;

use crate::support::{
    Database, TestApp,
    flows::refusal,
    worker::{alive, completing},
};

async fn work(app: &TestApp) -> WorkflowId {
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await
}

/// An append of nothing, to be filled in.
fn nothing(app: &TestApp, execution: ExecutionId, at: DateTime<Utc>) -> Append {
    Append::comment(app.scope(), execution, at, Vec::new())
}

#[rstest]
#[tokio::test]
async fn a_lease_that_runs_out_gives_the_same_attempt_to_somebody_else(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = work(&app).await;
    let id = app.start_execution(workflow, json!({})).await;
    let lost = app.claim_next("q").await;
    app.clock.advance(TimeDelta::seconds(31));
    app.wait_for_event(id, "step.released 0", 1).await;
    for when in ["waits", "is held by somebody else"] {
        for refused in [
            refusal(app.complete(&lost, "{}").await),
            refusal(app.fail(&lost, false).await),
            refusal(app.heartbeat(&lost).await),
        ] {
            assert_eq!(refused.code, Code::Expired, "while the task {when}");
            assert!(refused.message.starts_with("the lease ran out"), "{}", refused.message);
        }
        if when == "waits" {
            app.assert_sound().await;
            let found = app.claim_next("q").await;
            assert_eq!(found.idempotency_key, lost.idempotency_key);
            assert_ne!(found.lease, lost.lease);
            app.clock.advance(TimeDelta::seconds(20));
            app.heartbeat(&found).await.expect("alive");
            if let Some(Event::StepStarted { attempt, .. }) = app.events(id).await.pop() {
                assert_eq!(attempt, 1);
            }
            app.assert_sound().await;
        }
    }
    app.clock.advance(TimeDelta::seconds(31));
    app.wait_for_event(id, "step.released 0", 2).await;
    let last = app.claim_next("q").await;
    app.complete(&last, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_heartbeat_prolongs_the_lease_and_keeps_what_it_says() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = work(&app).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    for (number, progress) in [0.0, 0.25, 1.0].into_iter().enumerate() {
        app.clock.advance(TimeDelta::seconds(20));
        let log = Some((LogLevel::Warn, format!("line {number}\n🚧")));
        let command = HeartbeatTask { progress: Some(progress), log, ..alive(&task) };
        let heartbeat = app.engine.heartbeat_task(app.scope(), command).await.expect("alive");
        assert!(!heartbeat.cancelled);
        let left = heartbeat.lease_until.expect("a new end") - app.engine.clock().now();
        assert!((25..=30).contains(&left.num_seconds()), "{left}");
        let found = app.engine.store().task(app.scope(), task.lease.task).await.expect("a lookup").expect("a task");
        assert_eq!((found.progress, found.lease_until), (Some(progress), heartbeat.lease_until));
    }
    app.assert_sound().await;
    app.complete(&task, "{}").await.expect("it is still held");
    app.ends(id, CompletionReason::Success).await;
    let comments: Vec<Event> = app
        .whole_journal(id)
        .await
        .into_iter()
        .filter(|entry| entry.seq.is_none())
        .map(|entry| entry.event.expect("known"))
        .collect();
    assert_eq!(comments.len(), 6);
    assert_eq!(comments[2], Event::StepProgressed { step: 0, progress: 0.25 });
    let line = Event::StepLogged { step: 0, level: LogLevel::Warn, message: "line 1\n🚧".to_owned() };
    assert_eq!(comments[3], line);
    assert!(!app.kinds(id).await.contains(&"step.released 0".to_owned()));
    app.assert_sound().await;
}

/// Whoever looked for leases that ran out may have looked just before the sign of life.
#[rstest]
#[tokio::test]
async fn a_sign_of_life_beats_whoever_takes_the_lease_for_run_out(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = work(&app).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let before = app.engine.store().execution(app.scope(), id).await.expect("a lookup").expect("an execution");
    let release = |at| Append {
        expected: Some(before.seq),
        events: vec![Event::StepReleased {
            step: 0,
            attempt: 1,
            reason: Released::LeaseExpired,
            task: task.lease.task.0,
            queue: Some("q".to_owned()),
        }],
        lapsed: Some((task.lease.task, task.lease.lease)),
        ..nothing(&app, id, at)
    };
    let in_time = task.lease_until - TimeDelta::seconds(1);
    let outcome = app.engine.store().append(&[release(in_time).into()]).await.expect("an answer");
    assert_eq!(outcome, [Appended::Alive]);
    app.complete(&task, "{}").await.expect("it is still held");
    app.assert_sound().await;
}

/// A sign of life may be on its way while the task goes to somebody else.
#[rstest]
#[tokio::test]
async fn a_sign_of_life_counts_for_its_own_lease_only(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let workflow = work(&app).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let before = app.engine.store().execution(app.scope(), id).await.expect("a lookup").expect("an execution");
    let now = app.engine.clock().now();
    let pause = || Append { expected: Some(before.seq), events: vec![Event::Paused {}], ..nothing(&app, id, now) };
    let alive = |lease| {
        let until = task.lease_until + TimeDelta::seconds(10);
        let lease = Some(Prolonged { task: task.lease.task, lease, until, progress: None });
        Append { lease, ..nothing(&app, id, now) }
    };
    let (right, wrong) = (task.lease.lease, Uuid::new_v4());
    let outcomes = app.engine.store().append(&[alive(wrong).into(), alive(right).into()]).await.expect("an answer");
    assert_eq!(outcomes, [Appended::Conflict, Appended::Done]);
    let outcomes = app.engine.store().append(&[pause().into(), alive(right).into()]).await.expect("an answer");
    assert_eq!(outcomes, [Appended::Done, Appended::Conflict], "what came first may have taken the task away");
}

#[tokio::test]
async fn heartbeats_that_make_no_sense_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = work(&app).await;
    app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let bad = [
        HeartbeatTask { lease_seconds: 0, ..alive(&task) },
        HeartbeatTask { lease_seconds: 3601, ..alive(&task) },
        HeartbeatTask { progress: Some(1.01), ..alive(&task) },
        HeartbeatTask { progress: Some(f64::NAN), ..alive(&task) },
        HeartbeatTask { log: Some((LogLevel::Info, "a\0".to_owned())), ..alive(&task) },
        HeartbeatTask { log: Some((LogLevel::Info, "x".repeat(10_001))), ..alive(&task) },
    ];
    for command in bad {
        assert_eq!(refusal(app.engine.heartbeat_task(app.scope(), command).await).code, Code::Invalid);
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn only_the_token_of_the_claim_counts() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = work(&app).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let right = &task.lease;
    assert_eq!(Lease::parse(&right.token()).as_ref(), Ok(right));
    let token = right.token();
    for garbled in ["", "x", "é", &token[1..], &token[..token.len() - 4], &format!("{token}="), &"A".repeat(100_000)] {
        let refused = Lease::parse(garbled).expect_err("garbled");
        assert_eq!(refused.message, "`leaseToken` is not one that `claimTasks` gave");
    }
    let other = Uuid::new_v4();
    let wrong = [
        (Lease { lease: other, ..right.clone() }, Code::Expired),
        (Lease { step: 7, ..right.clone() }, Code::Expired),
        (Lease { step: usize::MAX, ..right.clone() }, Code::Expired),
        (Lease { worker: "somebody".to_owned(), ..right.clone() }, Code::Expired),
        (Lease { execution: ExecutionId(other), ..right.clone() }, Code::NotFound),
        (Lease { task: TaskId(other), ..right.clone() }, Code::Expired),
    ];
    for (lease, code) in wrong {
        let command = CompleteTask { lease: lease.clone(), ..completing(&task, "{}") };
        assert_eq!(refusal(app.engine.complete_task(app.scope(), command).await).code, code, "{lease:?}");
        let command = HeartbeatTask { lease: lease.clone(), ..alive(&task) };
        assert_eq!(refusal(app.engine.heartbeat_task(app.scope(), command).await).code, code, "{lease:?}");
    }
    app.complete(&task, "{}").await.expect("completed");
    app.ends(id, CompletionReason::Success).await;
    assert_eq!(refusal(app.complete(&task, "{}").await).code, Code::Expired, "once is enough");
    app.assert_sound().await;
}
