//! W1: executions of five steps that do nothing, 50 at a time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{
    Figure, Options, Report, Result,
    client::text_at,
    rig::{Place, Rig, some_text},
};

const STEPS: usize = 5;
const IN_FLIGHT: usize = 50;

/// How many events an execution has: queued, started, begin and end of each step, completed.
pub const EVENTS: usize = STEPS * 2 + 3;

pub async fn workflow(rig: &Rig) -> Result<String> {
    rig.agent("Echo", "TRANSFORM", json!({"output": "/input"})).await?;
    let steps: Vec<Value> = (0..STEPS).map(|number| json!({"key": format!("s{number}"), "agent": "Echo"})).collect();
    rig.workflow("Sequence", steps.into()).await
}

pub async fn measure(rig: &Rig, options: &Options, report: &mut Report) -> Result<()> {
    let workflow = workflow(rig).await?;
    // The first ones fill caches.
    run(rig, &workflow, IN_FLIGHT * 2).await?;
    let executions = options.scaled(20_000);
    let (began, cpu) = (Instant::now(), rig.server.cpu()?);
    run(rig, &workflow, executions).await?;
    let (took, cpu) = (began.elapsed().as_secs_f64(), rig.server.cpu()? - cpu);
    let steps = (executions * STEPS) as f64;
    let goal = match rig.place {
        Place::Sqlite(_) => "2 x floor",
        Place::Postgres { .. } => "1 x floor",
    };
    report.add(Figure::new("w1", "steps, 50 executions of 5 at once", steps / took, "/s").goal(goal));
    report.add(Figure::new("w1", "CPU for 1,000 steps", cpu / steps * 1_000.0, "s").goal("below 0.15 s"));
    report.add(Figure::new("w1", "memory of the server", rig.server.resident()? / 1_048_576.0, "MiB"));
    Ok(())
}

pub async fn run(rig: &Rig, workflow: &str, count: usize) -> Result<()> {
    let one = |_| async {
        let input = json!({"workflowId": workflow, "input": {"text": some_text()}});
        let payload = rig.client.mutate("startExecution", input, "execution { id status }").await?;
        match text_at(&payload, "/execution/status")? {
            "COMPLETED" => Ok(()),
            _ => end(rig, text_at(&payload, "/execution/id")?).await,
        }
    };
    stream::iter(0..count).map(one).buffer_unordered(IN_FLIGHT).try_for_each(|()| async { Ok(()) }).await
}

/// Waits for an execution that was not over when its start was answered.
async fn end(rig: &Rig, id: &str) -> Result<()> {
    let look = "query($id: ID!) { execution(id: $id) { status events(first: 1) { nodes { cursor } } } }";
    let first = rig.client.send(look, json!({ "id": id })).await?;
    let after = &first["execution"]["events"]["nodes"][0]["cursor"];
    let watch =
        "subscription($id: ID!, $after: String) { executionEvents(executionId: $id, after: $after) { cursor } }";
    let mut events = rig.client.watch(watch, json!({ "id": id, "after": after })).await?;
    while rig.client.send(look, json!({ "id": id })).await?["execution"]["status"] != "COMPLETED" {
        events.next().await?;
    }
    Ok(())
}

/// Starts an execution, and gives the place in the journal after which everything else happens. A subscription without such
/// a place begins at some moment after it was asked for, and nobody is told when.
pub async fn beginning(rig: &Rig, workflow: &str) -> Result<Value> {
    let input = json!({"workflowId": workflow, "input": {"text": some_text(), "number": 0}});
    let first = "execution { events(first: 1) { nodes { cursor } } }";
    let payload = rig.client.mutate("startExecution", input, first).await?;
    Ok(payload.pointer("/execution/events/nodes/0/cursor").cloned().ok_or("an execution has no event")?)
}

/// Hears of every execution's end on one socket: nothing is polled.
pub struct Ends(Arc<Mutex<HashMap<String, Waiting>>>);

enum Waiting {
    Over,
    For(oneshot::Sender<()>),
}

impl Ends {
    /// From the start of an execution of this workflow on.
    pub async fn follow(rig: &Rig, workflow: &str) -> Result<Self> {
        let query =
            "subscription($after: String) { workspaceEvents(after: $after, filter: {types: [EXECUTION_COMPLETED,
            EXECUTION_FAILED]}) { __typename execution { id } } }";
        let mut socket = rig.client.watch(query, json!({ "after": beginning(rig, workflow).await? })).await?;
        let ends = Self(Arc::default());
        let shared = Arc::clone(&ends.0);
        crate::tasks::spawn_detached(async move {
            while let Ok(event) = socket.next().await {
                let Ok(id) = text_at(&event, "/workspaceEvents/execution/id") else { continue };
                let mut known = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(Waiting::For(sender)) = known.remove(id) {
                    let _ = sender.send(());
                } else {
                    known.insert(id.to_owned(), Waiting::Over);
                }
            }
        });
        Ok(ends)
    }

    pub async fn wait(&self, id: String) -> Result<()> {
        let receiver = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(Waiting::Over) = known.remove(&id) {
                return Ok(());
            }
            let (sender, receiver) = oneshot::channel();
            known.insert(id, Waiting::For(sender));
            receiver
        };
        Ok(receiver.await?)
    }
}
