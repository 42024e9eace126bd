//! W4: many who watch, each on a socket of their own.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{
    Options, Report, Result,
    client::{Socket, text_at},
    report::percentile,
    resume::park,
    rig::Rig,
};

const EXECUTIONS: usize = 100;
const WATCH: &str = "subscription($id: ID!) { executionEvents(executionId: $id) { __typename cursor at } }";

/// What those who watch have seen, together.
#[derive(Default)]
struct Seen {
    events: AtomicUsize,
    late: Mutex<Vec<f64>>,
    more: Notify,
}

pub async fn measure(rig: &Rig, options: &Options, report: &mut Report) -> Result<()> {
    rig.agent("Stream", "TRANSFORM", json!({"output": "/input"})).await?;
    let steps = json!([{"key": "act", "agent": "Stream", "gate": "ALWAYS"}]);
    let workflow = rig.workflow("Streams", steps).await?;
    let waiting = park(rig, &workflow, EXECUTIONS).await?;
    for sockets in [1_000, 10_000] {
        let sockets = options.scaled(sockets).max(EXECUTIONS);
        watched(rig, &waiting, sockets, report).await?;
    }
    replay(rig, options, report).await
}

async fn watched(rig: &Rig, waiting: &[Value], sockets: usize, report: &mut Report) -> Result<()> {
    let before = rig.server.resident()?;
    let seen = Arc::new(Seen::default());
    let open = |number: usize| async move {
        let id = waiting.get(number % waiting.len()).map(|one| one["execution"]["id"].clone());
        rig.client.watch(WATCH, json!({ "id": id })).await
    };
    let opened: Vec<Socket> = stream::iter(0..sockets).map(open).buffer_unordered(64).try_collect().await?;
    let followers: Vec<_> = opened.into_iter().map(|socket| spawn(socket, &seen)).collect();
    // Everybody has subscribed once everybody has heard a first word.
    comment_all(rig, waiting, 1).await?;
    until(&seen, sockets).await?;
    let each = (rig.server.resident()? - before) / sockets as f64 / 1024.0;
    report.add("w4", format!("memory for each of {sockets} sockets"), each, "KiB");
    report.add("w4", "memory of the server", rig.server.resident()? / 1_048_576.0, "MiB").goal("below 300 MiB");
    seen.late.lock().unwrap_or_else(PoisonError::into_inner).clear();
    seen.events.store(0, Ordering::Relaxed);
    let (began, rounds) = (Instant::now(), 20);
    comment_all(rig, waiting, rounds).await?;
    until(&seen, sockets * rounds).await?;
    let took = began.elapsed().as_secs_f64();
    report.add("w4", format!("events to {sockets} sockets"), (sockets * rounds) as f64 / took, "/s");
    let mut late = std::mem::take(&mut *seen.late.lock().unwrap_or_else(PoisonError::into_inner));
    let rate = (waiting.len() * rounds) as f64 / took;
    report.add("w4", format!("decided to client at {rate:.0} events/s, P50"), percentile(&mut late, 0.5), "ms");
    report.add("w4", "the same, P99", percentile(&mut late, 0.99), "ms").goal("below 50 ms with a fan-out of 10");
    followers.iter().for_each(tokio::task::AbortHandle::abort);
    Ok(())
}

fn spawn(mut socket: Socket, seen: &Arc<Seen>) -> tokio::task::AbortHandle {
    let seen = Arc::clone(seen);
    let follow = async move {
        while let Ok(event) = socket.next().await {
            let at = text_at(&event, "/executionEvents/at").unwrap_or_default();
            if let Ok(at) = at.parse::<DateTime<Utc>>() {
                let late = (Utc::now() - at).num_microseconds().unwrap_or_default() as f64 / 1_000.0;
                seen.late.lock().unwrap_or_else(PoisonError::into_inner).push(late);
            }
            seen.events.fetch_add(1, Ordering::Relaxed);
            seen.more.notify_one();
        }
    };
    tokio::spawn(follow).abort_handle()
}

/// One event for each execution, so many times.
async fn comment_all(rig: &Rig, waiting: &[Value], rounds: usize) -> Result<()> {
    let comment = |number: usize| async move {
        let id = waiting.get(number % waiting.len()).map(|one| one["id"].clone());
        rig.client.mutate("commentOnCheckpoint", json!({"checkpointId": id, "comment": "seen"}), "").await
    };
    let all = stream::iter(0..waiting.len() * rounds).map(comment).buffer_unordered(32);
    all.try_for_each(|_| async { Ok(()) }).await
}

async fn until(seen: &Seen, events: usize) -> Result<()> {
    let all = async {
        while seen.events.load(Ordering::Relaxed) < events {
            seen.more.notified().await;
        }
    };
    Ok(tokio::time::timeout(Duration::from_secs(120), all).await?)
}

/// Everything that the journal has, from its beginning.
async fn replay(rig: &Rig, options: &Options, report: &mut Report) -> Result<()> {
    let first = "{ executions(last: 1) { nodes { events(first: 1) { nodes { cursor } } } } }";
    let first = rig.client.send(first, json!({})).await?;
    let after = first.pointer("/executions/nodes/0/events/nodes/0/cursor").cloned();
    let query = "subscription($after: String) { workspaceEvents(after: $after) { cursor } }";
    let mut socket = rig.client.watch(query, json!({ "after": after })).await?;
    let began = Instant::now();
    let mut events = 0;
    while events < options.scaled(1_000_000) {
        match tokio::time::timeout(Duration::from_secs(5), socket.next_text()).await {
            Ok(text) => drop(text?),
            // There are no more.
            Err(_) => break,
        }
        events += 1;
    }
    let rate = events as f64 / began.elapsed().as_secs_f64();
    report.add("w4", format!("replay of {events} events"), rate, "/s").goal("above 100,000 /s");
    Ok(())
}
