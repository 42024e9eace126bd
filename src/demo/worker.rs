//! The simulated worker: serves the queues of the demo's agents as a program outside would, and takes its time.

use chrono::TimeDelta;
use futures_util::future::join_all;
use tokio::task::JoinSet;

use super::{
    cast::Cast,
    hands::{self, LEASE_SECONDS},
    producer::Start,
    work::{self, Task},
};
use crate::{
    domain::{access::Scope, checkpoint::Status, id::CheckpointId},
    engine::{
        Engine, Result,
        commands::{ClaimTasks, ClaimedTask, Lease},
    },
};

const NAME: &str = "simulated-worker-1";
/// Many of them may wait for people.
const MOST_AT_ONCE: usize = 20;
/// Well before the lease ends.
const SIGN_OF_LIFE: TimeDelta = TimeDelta::seconds(10);
/// What nobody told of, such as a lease that ran out, is found after this.
const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_secs(3);

pub async fn run(engine: Engine, cast: Cast) {
    let queues = Start::ALL.into_iter().filter_map(Start::queue);
    join_all(queues.map(|queue| serve(&engine, cast.worker, queue))).await;
}

async fn serve(engine: &Engine, scope: Scope, queue: &str) {
    let mut head = engine.store().journal_head();
    // Each is a task of its own: what waits while this one claims must not keep a connection from it.
    let mut running = JoinSet::new();
    loop {
        head.borrow_and_update();
        let room = MOST_AT_ONCE.saturating_sub(running.len());
        if room > 0 {
            let max = i32::try_from(room).unwrap_or(1);
            let (queue, worker_id) = (queue.to_owned(), NAME.to_owned());
            match engine.claim_tasks(scope, ClaimTasks { queue, max, lease_seconds: LEASE_SECONDS, worker_id }).await {
                Ok(tasks) => {
                    for task in tasks {
                        running.spawn(work(engine.clone(), scope, task));
                    }
                }
                Err(error) => tracing::warn!(error = error.explain(), "the demo's worker cannot claim tasks"),
            }
        }
        tokio::select! {
            Some(_) = running.join_next() => {}
            changed = head.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(LOOK_AGAIN) => {}
        }
    }
}

async fn work(engine: Engine, scope: Scope, task: ClaimedTask) {
    let execution = task.lease.execution;
    if let Err(error) = try_work(&engine, scope, task).await {
        // Somebody may have cancelled it meanwhile.
        tracing::debug!(%execution, error = error.explain(), "the demo's worker gave a task up");
    }
}

async fn try_work(engine: &Engine, scope: Scope, task: ClaimedTask) -> Result<()> {
    let job = work::job(&Task::of(&task));
    let lease = task.lease;
    let parts = i32::try_from(job.lines.len()).unwrap_or(1).max(1);
    for (line, number) in job.lines.iter().zip(1..) {
        if !hands::report(engine, scope, &lease, Some(f64::from(number - 1) / f64::from(parts)), Some(line)).await? {
            return Ok(());
        }
        pause(engine, TimeDelta::milliseconds(1_000 * i64::from(job.seconds)) / parts).await;
    }
    let answer = match &job.asks {
        Some(asks) => {
            let asked = hands::ask(engine, scope, &lease, asks).await?;
            if !decided(engine, scope, &lease, asked.id).await? {
                return Ok(());
            }
            Some(hands::answer(engine, scope, lease.execution, asked.id).await?)
        }
        None => None,
    };
    hands::hand_in(engine, scope, &lease, job.files).await?;
    hands::finish(engine, scope, lease, job.end, answer).await
}

/// Waits for people, giving signs of life. Tells whether anybody still wants the result.
async fn decided(engine: &Engine, scope: Scope, lease: &Lease, id: CheckpointId) -> Result<bool> {
    let mut head = engine.store().journal_head();
    loop {
        let alive = engine.clock().now() + SIGN_OF_LIFE;
        loop {
            head.borrow_and_update();
            let row = engine.store().checkpoint(scope, id).await?;
            if row.is_none_or(|row| row.status != Status::Pending) {
                return Ok(true);
            }
            tokio::select! {
                _ = head.changed() => {}
                () = engine.clock().sleep_until(alive) => break,
            }
        }
        if !hands::report(engine, scope, lease, None, None).await? {
            return Ok(false);
        }
    }
}

/// By the engine's clock, which tests move.
pub async fn pause(engine: &Engine, for_this_long: TimeDelta) {
    engine.clock().sleep_until(engine.clock().now() + for_this_long).await;
}
