//! W3: what many executions cost that wait for people.

use std::time::Instant;

use serde_json::json;

use super::{Figure, Options, Report, Result, report::percentile, resume::start_many, rig::Rig};

pub async fn measure(rig: &mut Rig, options: &Options, report: &mut Report) -> Result<()> {
    rig.agent("Wait", "TRANSFORM", json!({"output": "/input"})).await?;
    let steps = json!([{"key": "act", "agent": "Wait", "gate": "ALWAYS"}]);
    let workflow = rig.workflow("Parked", steps).await?;
    start_many(rig, &workflow, 100).await?;
    rig.restart().await?;
    let (empty, bytes) = (rig.server.resident()?, rig.database_bytes().await?);
    let count = options.scaled(100_000);
    let began = Instant::now();
    start_many(rig, &workflow, count).await?;
    report.add(Figure::new(
        "w3",
        format!("parking {count} executions"),
        count as f64 / began.elapsed().as_secs_f64(),
        "/s",
    ));
    let began = rig.restart().await?;
    let resident = rig.server.resident()?;
    let query = "{ checkpoints(first: 1, filter: {workflowId: \"ID\"}) { nodes { id digest } } }";
    let found = rig.client.send(&query.replace("ID", &workflow), json!({})).await?;
    let found = &found["checkpoints"]["nodes"][0];
    let input = json!({"checkpointId": found["id"], "digest": found["digest"]});
    rig.client.mutate("approveCheckpoint", input, "checkpoint { status }").await?;
    report.add(
        Figure::new("w3", "process start to first approval answered", began.elapsed().as_secs_f64(), "s")
            .goal("below 0.5 s"),
    );
    let each = (rig.database_bytes().await? - bytes) / count as f64 / 1024.0;
    report.add(Figure::new("w3", "database for each", each, "KiB").goal("below 4 KiB"));
    let each = (resident - empty) / count as f64;
    report.add(Figure::new("w3", "memory for each after a restart", each, "bytes").goal("nothing measurable"));
    let mut times = Vec::new();
    for _ in 0..100 {
        let began = Instant::now();
        start_many(rig, &workflow, 1).await?;
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
    }
    let middle = percentile(&mut times, 0.5);
    report.add(Figure::new("w3", "execution sent to its checkpoint saved", middle, "ms").goal("below 5 ms"));
    for (what, query) in [
        ("inbox, first 50 of mine by risk", INBOX),
        ("counts for badges", "{ checkpointCounts { pending mine byRisk { count } } }"),
    ] {
        let mut times = Vec::new();
        for _ in 0..50 {
            let began = Instant::now();
            rig.client.send(query, json!({})).await?;
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        report.add(Figure::new("w3", what, percentile(&mut times, 0.5), "ms").goal("below 20 ms"));
    }
    Ok(())
}

const INBOX: &str = "{ checkpoints(first: 50, filter: {mine: true}, orderBy: {field: RISK, direction: DESC}) {
    totalCount nodes { id digest description riskLevel confidence estimatedCostMicros requestedAt deadline kind
    execution { id } workflow { name } agent { name } assignee { displayName } } pageInfo { hasNextPage endCursor } } }";
