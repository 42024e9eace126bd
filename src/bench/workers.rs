//! W6: eight workers that claim and complete tasks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use futures_util::{StreamExt, TryStreamExt, future::try_join_all, stream};
use serde_json::{Value, json};

use super::{Figure, Options, Report, Result, report::percentile, rig::Rig};

const WORKERS: usize = 8;

pub async fn measure(rig: &Rig, options: &Options, report: &mut Report) -> Result<()> {
    rig.agent("Work", "WORKER", json!({"queue": "bench"})).await?;
    let workflow = rig.workflow("Work", json!([{"key": "work", "agent": "Work"}])).await?;
    let count = options.scaled(10_000);
    let one = |_| rig.start_execution(&workflow, json!({}));
    stream::iter(0..count).map(one).buffer_unordered(64).try_for_each(|_| async { Ok(()) }).await?;
    let done = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    try_join_all((0..WORKERS).map(|number| work(rig, number, &done, count))).await?;
    let rate = count as f64 / began.elapsed().as_secs_f64();
    report.add(
        Figure::new("w6", format!("claim-complete cycles of {WORKERS} workers"), rate, "/s").goal("above 2,000 /s"),
    );

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
            available.next().await?;
        };
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
        complete(rig, &task).await?;
    }
    report.add(
        Figure::new("w6", "execution sent to task claimed, P50", percentile(&mut times, 0.5), "ms").goal("below 3 ms"),
    );
    Ok(())
}

async fn work(rig: &Rig, number: usize, done: &AtomicUsize, count: usize) -> Result<()> {
    while done.load(Ordering::Relaxed) < count {
        for task in claim(rig, &format!("worker {number}"), 1).await? {
            complete(rig, &task).await?;
            done.fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

async fn claim(rig: &Rig, worker: &str, most: usize) -> Result<Vec<Value>> {
    let input = json!({"queue": "bench", "workerId": worker, "max": most});
    let mut payload = rig.client.mutate("claimTasks", input, "tasks { id leaseToken input }").await?;
    Ok(payload["tasks"].as_array_mut().map(std::mem::take).unwrap_or_default())
}

async fn complete(rig: &Rig, task: &Value) -> Result<()> {
    let input = json!({"taskId": task["id"], "leaseToken": task["leaseToken"], "output": {"done": true}});
    rig.client.mutate("completeTask", input, "execution { id }").await?;
    Ok(())
}
