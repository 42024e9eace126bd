//! Whatever happens in whatever order: never two outcomes, and never an action that was not approved.

use std::collections::HashMap;

use countersign::{
    domain::{
        access::Scope,
        checkpoint::{self, Status},
        execution::{Data, Event},
        id::ExecutionId,
        json::Json,
        role::Role,
    },
    engine::{Engine, Error, Origin, commands::DecideCheckpoint},
};
use futures_util::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;

use super::payment;
use crate::support::{
    Database, Process, TestClock,
    policies::{approving, rejecting},
};

const POLICY: &str = "{version: '1.0', checkpoints: [{name: Two, trigger: {operation_type: pay}, \
                      action: {require_approval_count: 2, timeout_seconds: 60, on_timeout: reject}}]}";

#[derive(Debug, Clone, Copy)]
enum Move {
    Approve(usize),
    Modify(usize),
    Reject(usize),
    TimePasses,
    Cancel,
    Pause,
    Resume,
}

/// What somebody does. It may come too late, and is then refused; anything else is a fault.
async fn act(app: &Process, people: &[Scope], id: ExecutionId, what: Move, amount: u64) {
    let (engine, clock, scope, people) = (app.engine.clone(), app.clock.clone(), app.scope(), people.to_vec());
    let result = app.within(try_to(engine, clock, scope, people, id, what, amount)).await;
    match result {
        Ok(()) | Err(Error::Refused(_)) => {}
        Err(error) => panic!("{what:?}: {error:?}"),
    }
}

async fn try_to(
    engine: Engine,
    clock: TestClock,
    scope: Scope,
    people: Vec<Scope>,
    id: ExecutionId,
    what: Move,
    amount: u64,
) -> Result<(), Error> {
    let row = engine.store().checkpoints_of(scope, &[id]).await.expect("rows").remove(&id);
    let row = row.and_then(|rows| rows.into_iter().next());
    match (what, row) {
        (Move::Approve(who), Some(row)) => {
            engine.decide_checkpoint(people[who], approving(&row), &Origin::default()).await.map(drop)
        }
        (Move::Modify(who), Some(row)) => {
            let modified_parameters = Some(Json::parse(&format!(r#"{{"amount":{amount}}}"#)).expect("JSON"));
            let command = DecideCheckpoint { modified_parameters, ..approving(&row) };
            engine.decide_checkpoint(people[who], command, &Origin::default()).await.map(drop)
        }
        (Move::Reject(who), Some(row)) => {
            engine.decide_checkpoint(people[who], rejecting(&row, "no"), &Origin::default()).await.map(drop)
        }
        (Move::TimePasses, _) => {
            clock.advance(chrono::TimeDelta::seconds(7));
            Ok(())
        }
        (Move::Cancel, _) => engine.cancel_execution(scope, id, None).await.map(drop),
        (Move::Pause, _) => engine.pause_execution(scope, id).await.map(drop),
        (Move::Resume, _) => engine.resume_execution(scope, id).await.map(drop),
        (Move::Approve(_) | Move::Modify(_) | Move::Reject(_), None) => Ok(()),
    }
}

fn any_move(random: &mut StdRng) -> Move {
    let who = random.random_range(0..3);
    match random.random_range(0..20) {
        0..8 => Move::Approve(who),
        8..11 => Move::Modify(who),
        11 => Move::Reject(who),
        12..14 => Move::TimePasses,
        14 => Move::Cancel,
        15..17 => Move::Pause,
        _ => Move::Resume,
    }
}

/// What the journal says must hold, whatever was done.
fn check(events: &[Event]) {
    let mut resolved: HashMap<uuid::Uuid, Status> = HashMap::new();
    let mut approvals: HashMap<String, Vec<uuid::Uuid>> = HashMap::new();
    let mut proposed: HashMap<String, Data> = HashMap::new();
    let mut current = String::new();
    let mut paid = 0;
    for event in events {
        match event {
            Event::Checkpoint(checkpoint::Event::Requested(requested)) => {
                current.clone_from(&requested.digest);
                proposed.insert(current.clone(), requested.proposal.parameters.clone());
            }
            Event::Checkpoint(checkpoint::Event::Revised(revised)) => {
                current.clone_from(&revised.digest);
                proposed.insert(current.clone(), revised.proposal.parameters.clone());
                // Approvals of something else do not count, not even if it becomes that again.
                approvals.clear();
            }
            Event::Checkpoint(checkpoint::Event::Decided(decided)) => {
                assert_eq!(decided.digest, current, "a decision is about what is proposed now");
                let people = approvals.entry(decided.digest.clone()).or_default();
                if decided.verdict == checkpoint::Verdict::Approve {
                    assert!(!people.contains(&decided.person), "nobody counts twice");
                    people.push(decided.person);
                }
            }
            Event::Checkpoint(checkpoint::Event::Approved { checkpoint }) => {
                assert_eq!(resolved.insert(*checkpoint, Status::Approved), None, "one outcome");
                assert_eq!(approvals.get(&current).map(Vec::len), Some(2), "by two people, of the same thing");
            }
            Event::Checkpoint(checkpoint::Event::Rejected { checkpoint, .. }) => {
                assert_eq!(resolved.insert(*checkpoint, Status::Rejected), None, "one outcome");
            }
            Event::Checkpoint(checkpoint::Event::TimedOut { checkpoint, .. }) => {
                assert_eq!(resolved.insert(*checkpoint, Status::TimedOut), None, "one outcome");
            }
            Event::Checkpoint(checkpoint::Event::Cancelled { checkpoint, .. }) => {
                assert_eq!(resolved.insert(*checkpoint, Status::Cancelled), None, "one outcome");
            }
            Event::StepStarted { step: 1, .. } => {
                assert!(resolved.values().any(|status| *status == Status::Approved), "not before it was approved");
            }
            Event::StepCompleted { step: 1, output, .. } => {
                paid += 1;
                assert_eq!(proposed.get(&current), Some(output), "exactly what was approved");
            }
            _ => {}
        }
    }
    assert!(paid <= 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn never_two_outcomes_and_never_an_action_that_was_not_approved() {
    let mut random = StdRng::seed_from_u64(7);
    let (fresh, clock) = (Database::Sqlite.fresh().await, TestClock::default());
    let mut app = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    app.policy(POLICY).await;
    let workflow = payment(&app, json!({})).await;
    let mut people = Vec::new();
    for number in 0..3 {
        people.push(app.approver(&format!("p{number}@example.com"), &[Role::Approver], &[]).await);
    }
    let mut started = Vec::new();
    for round in 0..12_u64 {
        for number in 0..5_u64 {
            started.push(app.start_execution(workflow, json!({"amount": round * 5 + number})).await);
        }
        for _ in 0..6 {
            // Several at the same moment, most of them about the same executions.
            let moves: Vec<(ExecutionId, Move, u64)> = (0..8)
                .map(|_| {
                    let recent = started.len().saturating_sub(10)..started.len();
                    (started[random.random_range(recent)], any_move(&mut random), random.random_range(0..3))
                })
                .collect();
            join_all(moves.iter().map(|(id, what, amount)| act(&app, &people, *id, *what, *amount))).await;
        }
        if round % 3 == 2 {
            app.kill().await;
            app = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
        }
    }
    // Whatever still waits has its end by now.
    for id in &started {
        act(&app, &people, *id, Move::Resume, 0).await;
    }
    app.clock.advance(chrono::TimeDelta::seconds(120));
    let mut ends: HashMap<String, usize> = HashMap::new();
    for id in &started {
        let execution = app.wait_for_end(*id).await;
        *ends.entry(execution.completion_reason.expect("a reason").to_string()).or_default() += 1;
        check(&app.events(*id).await);
    }
    app.assert_sound().await;
    for reason in ["SUCCESS", "REJECTED", "CANCELLED"] {
        assert!(ends.contains_key(reason), "the moves must meet all ends: {ends:?}");
    }
}
