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
    Figure, Options, Report, Result,
    client::{Socket, text_at},
    multiply::multiply,
    report::percentile,
    resume::park,
    rig::Rig,
    sequence,
};

const EXECUTIONS: usize = 100;
const EVENTS_A_SECOND: u32 = 1_000;
/// How many executions are run before they are multiplied.
const SOME: usize = 100;
const WATCH: &str = "subscription($id: ID!, $after: String) {
    executionEvents(executionId: $id, after: $after) { __typename cursor at } }";

/// How much happens while somebody watches.
#[derive(Clone, Copy)]
struct Load {
    /// Events of each execution.
    rounds: usize,
    /// Events of all of them in a second; absent: as fast as they can be.
    pace: Option<u32>,
}

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
    let few = options.scaled(1_000).max(EXECUTIONS);
    // Ten seconds: one bad moment of the machine is not to be taken for the server's.
    let paced = Load { rounds: options.scaled(100), pace: Some(EVENTS_A_SECOND) };
    watched(rig, &waiting, few, paced, report).await?;
    let at_once = Load { rounds: 20, pace: None };
    watched(rig, &waiting, options.scaled(10_000).max(EXECUTIONS), at_once, report).await
}

/// Sockets that watch while events happen.
async fn watched(rig: &Rig, waiting: &[Value], sockets: usize, load: Load, report: &mut Report) -> Result<()> {
    let before = rig.server.resident()?;
    let seen = Arc::new(Seen::default());
    // From what there is now on: whoever is late misses nothing.
    let mut beginnings = Vec::with_capacity(waiting.len());
    for checkpoint in waiting {
        beginnings.push(now(rig, &checkpoint["execution"]["id"]).await?);
    }
    let beginnings = &beginnings;
    let open = |number: usize| async move {
        let beginning = beginnings.get(number % beginnings.len()).cloned().unwrap_or_default();
        rig.client.watch(WATCH, beginning).await
    };
    let opened: Vec<Socket> = stream::iter(0..sockets).map(open).buffer_unordered(64).try_collect().await?;
    let followers: Vec<_> = opened.into_iter().map(|socket| spawn(socket, &seen)).collect();
    // Everybody has subscribed once everybody has heard a first word.
    comment_all(rig, waiting, Load { rounds: 1, pace: None }).await?;
    until(&seen, sockets).await?;
    let each = (rig.server.resident()? - before) / sockets as f64 / 1024.0;
    report.add(Figure::new("w4", format!("memory for each of {sockets} sockets"), each, "KiB"));
    let all = rig.server.resident()? / 1_048_576.0;
    report.add(Figure::new("w4", "memory of the server", all, "MiB").goal("below 300 MiB"));
    seen.late.lock().unwrap_or_else(PoisonError::into_inner).clear();
    seen.events.store(0, Ordering::Relaxed);
    let Load { rounds, pace } = load;
    let began = Instant::now();
    comment_all(rig, waiting, load).await?;
    until(&seen, sockets * rounds).await?;
    let took = began.elapsed().as_secs_f64();
    let delivered = (sockets * rounds) as f64 / took;
    report.add(Figure::new("w4", format!("events to {sockets} sockets"), delivered, "/s").of_sockets());
    let mut late = std::mem::take(&mut *seen.late.lock().unwrap_or_else(PoisonError::into_inner));
    let rate = (waiting.len() * rounds) as f64 / took;
    let what = format!("decided to client at {rate:.0} events/s, P50");
    report.add(Figure::new("w4", what, percentile(&mut late, 0.5), "ms"));
    let last = Figure::new("w4", "the same, P99", percentile(&mut late, 0.99), "ms");
    report.add(if pace.is_some() { last.goal("below 50 ms") } else { last });
    followers.iter().for_each(tokio::task::AbortHandle::abort);
    Ok(())
}

/// What one watches an execution with from now on.
async fn now(rig: &Rig, execution: &Value) -> Result<Value> {
    let query = "query($id: ID!) { execution(id: $id) { events(last: 1) { nodes { cursor } } } }";
    let last = rig.client.send(query, json!({ "id": execution })).await?;
    Ok(json!({"id": execution, "after": last.pointer("/execution/events/nodes/0/cursor")}))
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

/// So many events of each execution.
async fn comment_all(rig: &Rig, waiting: &[Value], load: Load) -> Result<()> {
    let began = tokio::time::Instant::now();
    let comment = |number: usize| async move {
        if let Some(events) = load.pace {
            tokio::time::sleep_until(began + Duration::from_secs(1) / events * u32::try_from(number)?).await;
        }
        let id = waiting.get(number % waiting.len()).map(|one| one["id"].clone());
        rig.client.mutate("commentOnCheckpoint", json!({"checkpointId": id, "comment": "seen"}), "").await
    };
    let all = stream::iter(0..waiting.len() * load.rounds).map(comment).buffer_unordered(32);
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

/// Everything that the journal has, from its beginning. The database must be fresh.
pub async fn replay(rig: &mut Rig, options: &Options, report: &mut Report) -> Result<()> {
    let workflow = sequence::workflow(rig).await?;
    sequence::run(rig, &workflow, SOME).await?;
    let events = options.scaled(1_000_000);
    let place = rig.place.clone();
    rig.server.stop().await?;
    multiply(&place, events.div_ceil(SOME * sequence::EVENTS)).await?;
    rig.start_again().await?;
    let first = "{ executions(last: 1) { nodes { events(first: 1) { nodes { cursor } } } } }";
    let first = rig.client.send(first, json!({})).await?;
    let after = first.pointer("/executions/nodes/0/events/nodes/0/cursor").cloned();
    let query = "subscription($after: String) { workspaceEvents(after: $after) { cursor } }";
    let began = Instant::now();
    let mut socket = rig.client.watch(query, json!({ "after": after })).await?;
    for _ in 0..events {
        socket.next_text().await?;
    }
    let rate = events as f64 / began.elapsed().as_secs_f64();
    let figure = Figure::new("w4", format!("replay of {events} events"), rate, "/s").of_sockets();
    report.add(figure.goal("above 100,000 /s"));
    Ok(())
}
