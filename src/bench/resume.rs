//! W2: from sending an approval over HTTP to the start of the step that it lets through, as the step sees it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use axum::{Router, extract::State, http::HeaderMap, routing::post};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Notify};

use super::{
    Figure, Options, Report, Result,
    client::text_at,
    report::percentile,
    rig::{Rig, some_text},
    sequence::beginning,
};

const CLIENTS: usize = 16;

/// When each execution's step was called.
#[derive(Clone, Default)]
struct Calls(Arc<(Mutex<HashMap<String, Instant>>, Notify)>);

impl Calls {
    fn note(&self, execution: String) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).insert(execution, Instant::now());
        self.0.1.notify_waiters();
    }

    async fn wait(&self, execution: &str) -> Instant {
        loop {
            let notified = self.0.1.notified();
            if let Some(at) = self.0.0.lock().unwrap_or_else(PoisonError::into_inner).get(execution) {
                return *at;
            }
            notified.await;
        }
    }
}

async fn called(State(calls): State<Calls>, headers: HeaderMap) -> &'static str {
    let execution = headers.get("x-countersign-execution").and_then(|id| id.to_str().ok());
    calls.note(execution.unwrap_or_default().to_owned());
    "{}"
}

pub async fn measure(rig: &Rig, workload: &str, options: &Options, report: &mut Report) -> Result<()> {
    let calls = Calls::default();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let router = Router::new().route("/", post(called)).with_state(calls.clone());
    crate::tasks::spawn_detached(async move {
        // It ends with the process.
        let _ = axum::serve(listener, router).await;
    });
    let (prepare, act) = (format!("Prepare {workload}"), format!("Act {workload}"));
    rig.agent(&prepare, "TRANSFORM", json!({"output": "/input"})).await?;
    rig.agent(&act, "HTTP", json!({ "url": url })).await?;
    let steps = json!([{"key": "one", "agent": prepare}, {"key": "two", "agent": prepare, "needs": ["one"]},
        {"key": "act", "agent": act, "gate": "ALWAYS", "needs": ["two"]}]);
    let workflow = rig.workflow(&format!("Resume {workload}"), steps).await?;

    let count = options.scaled(500).max(100);
    let waiting = park(rig, &workflow, count).await?;
    let mut times = Vec::with_capacity(count);
    for checkpoint in &waiting {
        let began = Instant::now();
        approve(rig, checkpoint).await?;
        let at = calls.wait(text_at(checkpoint, "/execution/id")?).await;
        times.push(at.duration_since(began).as_secs_f64() * 1_000.0);
    }
    report.add(
        Figure::new(workload, "approval sent to step started, P50", percentile(&mut times, 0.5), "ms")
            .goal("below 3 ms"),
    );
    report.add(Figure::new(workload, "the same, P99", percentile(&mut times, 0.99), "ms").goal("below 15 ms"));

    let waiting = park(rig, &workflow, options.scaled(4_000).max(200)).await?;
    let began = Instant::now();
    stream::iter(&waiting)
        .map(|checkpoint| approve(rig, checkpoint))
        .buffer_unordered(CLIENTS)
        .try_for_each(|()| async { Ok(()) })
        .await?;
    let rate = waiting.len() as f64 / began.elapsed().as_secs_f64();
    report.add(Figure::new(workload, format!("approvals of {CLIENTS} clients"), rate, "/s").goal("above 1,000 /s"));
    Ok(())
}

/// Starts so many executions and gives the checkpoints at which they wait.
pub async fn park(rig: &Rig, workflow: &str, count: usize) -> Result<Vec<Value>> {
    let query = "subscription($workflow: ID!, $after: String) { checkpointEvents(after: $after, pending: false,
        filter: {workflowId: $workflow, types: [CHECKPOINT_REQUESTED]}) { checkpoint { id digest execution { id } } } }";
    // This is the first of them.
    let after = beginning(rig, workflow).await?;
    let mut requested = rig.client.watch(query, json!({ "workflow": workflow, "after": after })).await?;
    let start = start_many(rig, workflow, count.saturating_sub(1));
    let collect = async {
        let mut found = Vec::with_capacity(count);
        while found.len() < count {
            found.push(requested.next().await?["checkpointEvents"]["checkpoint"].take());
        }
        Ok(found)
    };
    let ((), found) = tokio::try_join!(start, collect)?;
    Ok(found)
}

/// Starts so many executions, many at a time.
pub async fn start_many(rig: &Rig, workflow: &str, count: usize) -> Result<()> {
    let one = |number| rig.start_execution(workflow, json!({"text": some_text(), "number": number}));
    stream::iter(0..count).map(one).buffer_unordered(64).try_for_each(|_| async { Ok(()) }).await
}

async fn approve(rig: &Rig, checkpoint: &Value) -> Result<()> {
    let input = json!({"checkpointId": checkpoint["id"], "digest": checkpoint["digest"]});
    rig.client.mutate("approveCheckpoint", input, "checkpoint { status }").await?;
    Ok(())
}
