//! W6: eight workers that claim and complete tasks.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, future::try_join_all, stream};
use serde_json::{Value, json};

use super::{Figure, Options, Report, Result, report::percentile, rig::Rig};

const WORKERS: usize = 8;
const ASK_AGAIN: Duration = Duration::from_secs(1);

pub async fn measure(rig: &Rig, options: &Options, report: &mut Report) -> Result<()> {
    rig.agent("Work", "WORKER", json!({"queue": "bench"})).await?;
    let workflow = rig.workflow("Work", json!([{"key": "work", "agent": "Work"}])).await?;
    for (what, at_once) in [("each a request of its own", false), ("complete and claim next in one", true)] {
        let count = options.scaled(10_000);
        let one = |_| rig.start_execution(&workflow, json!({}));
        stream::iter(0..count).map(one).buffer_unordered(64).try_for_each(|_| async { Ok(()) }).await?;
        let left = AtomicUsize::new(count);
        let (began, cpu) = (Instant::now(), rig.server.cpu()?);
        if at_once {
            try_join_all((0..WORKERS).map(|number| work_on(rig, number, &left))).await?;
        } else {
            try_join_all((0..WORKERS).map(|number| work(rig, number, &left))).await?;
        }
        let rate = count as f64 / began.elapsed().as_secs_f64();
        let cpu = (rig.server.cpu()? - cpu) / count as f64 * 1_000.0;
        let cycles = format!("claim-complete, {WORKERS} workers, {what}");
        report.add(Figure::new("w6", cycles, rate, "/s").goal("above 2,000 /s"));
        report.add(Figure::new("w6", "CPU for 1,000 of these", cpu, "s"));
    }

    let mut available =
        rig.client.watch("subscription { taskAvailable(queue: \"bench\") { waiting } }", json!({})).await?;
    let mut times = Vec::new();
    for _ in 0..options.scaled(300).max(50) {
        let began = Instant::now();
        rig.start_execution(&workflow, json!({})).await?;
        let task = loop {
            if let Some(task) = claim(rig, "waiting", 1).await?.into_iter().next() {
                break task;
            }
            // Nobody is told when a subscription begins: what was there before it is found by asking once more.
            if let Ok(told) = tokio::time::timeout(ASK_AGAIN, available.next()).await {
                told?;
            }
        };
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
        complete(rig, &task).await?;
    }
    report.add(
        Figure::new("w6", "execution sent to task claimed, P50", percentile(&mut times, 0.5), "ms").goal("below 3 ms"),
    );
    Ok(())
}

/// Takes one of those that are left to do.
fn take(left: &AtomicUsize) -> bool {
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

async fn work(rig: &Rig, number: usize, left: &AtomicUsize) -> Result<()> {
    let worker = format!("worker {number}");
    while take(left) {
        let task = claim_one(rig, &worker).await?;
        complete(rig, &task).await?;
    }
    Ok(())
}

/// The same for a worker that says what it has done when it asks for more.
async fn work_on(rig: &Rig, number: usize, left: &AtomicUsize) -> Result<()> {
    if !take(left) {
        return Ok(());
    }
    let worker = format!("worker {number}");
    let mut task = claim_one(rig, &worker).await?;
    while take(left) {
        let mut done = completion(&task);
        done["claimNext"] = claiming(&worker, 1);
        let mut answer = rig.client.mutate("completeTask", done, "nextTasks { id leaseToken input }").await?;
        task = match answer.pointer_mut("/nextTasks/0") {
            Some(task) => task.take(),
            None => claim_one(rig, &worker).await?,
        };
    }
    complete(rig, &task).await
}

/// Asks until there is one: there are as many as are claimed.
async fn claim_one(rig: &Rig, worker: &str) -> Result<Value> {
    loop {
        if let Some(task) = claim(rig, worker, 1).await?.pop() {
            return Ok(task);
        }
    }
}

async fn claim(rig: &Rig, worker: &str, most: usize) -> Result<Vec<Value>> {
    let mut payload = rig.client.mutate("claimTasks", claiming(worker, most), "tasks { id leaseToken input }").await?;
    Ok(payload["tasks"].as_array_mut().map(std::mem::take).unwrap_or_default())
}

async fn complete(rig: &Rig, task: &Value) -> Result<()> {
    rig.client.mutate("completeTask", completion(task), "execution { id }").await?;
    Ok(())
}

fn claiming(worker: &str, most: usize) -> Value {
    json!({"queue": "bench", "workerId": worker, "max": most})
}

fn completion(task: &Value) -> Value {
    json!({"taskId": task["id"], "leaseToken": task["leaseToken"], "output": {"done": true}})
}
