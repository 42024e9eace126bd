//! W7: an output of 10 MiB through three steps.

use std::time::Instant;

use axum::{Router, extract::State, routing::post};
use serde_json::json;
use tokio::net::TcpListener;

use super::{Figure, Options, Report, Result, rig::Rig, sequence::Ends};

/// A row and its comma.
const ROW: usize = 96;
const BYTES: usize = 10 * 1024 * 1024 - 1024;

async fn answer(State(body): State<axum::body::Bytes>) -> axum::body::Bytes {
    body
}

pub async fn measure(rig: &mut Rig, options: &Options, report: &mut Report) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    let row = |number: usize| format!("{{\"id\":\"{number:010}\",\"text\":\"{:064}\"}}", number * 7);
    let rows: Vec<String> = (0..BYTES / ROW).map(row).collect();
    let body = axum::body::Bytes::from(format!("{{\"rows\":[{}]}}", rows.join(",")));
    let router = Router::new().route("/", post(answer)).with_state(body);
    crate::tasks::spawn_detached(async move {
        // It ends with the process.
        let _ = axum::serve(listener, router).await;
    });
    rig.agent("Large", "HTTP", json!({ "url": url })).await?;
    rig.agent("Pass", "TRANSFORM", json!({"output": "/input"})).await?;
    let pass = |key: &str, from: &str| json!({"key": key, "agent": "Pass", "needs": [from], "input": {"rows": format!("/steps/{from}/rows")}});
    let steps = json!([{"key": "first", "agent": "Large"}, pass("second", "first"), pass("third", "second")]);
    let workflow = rig.workflow("Large", steps).await?;
    let small = rig.workflow("Small", json!([{"key": "only", "agent": "Pass"}])).await?;
    let ends = Ends::follow(rig, &small).await?;
    let mut times = Vec::new();
    let before = rig.server.resident()?;
    rig.server.forget_peak()?;
    for _ in 0..if options.quick { 1 } else { 5 } {
        let began = Instant::now();
        let id = rig.start_execution(&workflow, json!({})).await?;
        ends.wait(id).await?;
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    let middle = super::report::percentile(&mut times, 0.5);
    report.add(Figure::new("w7", "10 MiB through three steps", middle, "ms").goal("below 150 ms"));
    let more = (rig.server.peak()? - before) / 1_048_576.0;
    report.add(Figure::new("w7", "memory beyond what it had before, at most", more, "MiB").goal("below 100 MiB"));
    Ok(())
}
