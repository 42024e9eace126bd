//! W5: what pages cost with many executions in the database, beside what they cost with few.

use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

use super::{
    Figure, Options, Report, Result, client::text_at, multiply::multiply, report::percentile, resume::park, rig::Rig,
    sequence::Ends,
};

const FEW: usize = 1_000;
const MANY: usize = 1_000_000;

const INBOX: &str = "{ checkpoints(first: 50, filter: {mine: true}, orderBy: {field: RISK, direction: DESC}) {
    nodes { id digest description riskLevel confidence requestedAt deadline execution { id } workflow { name }
    agent { name } } pageInfo { hasNextPage endCursor } } }";
const EXECUTION: &str =
    "query($id: ID!) { execution(id: $id) { id status progress { percent } createdAt workflow { name }
    steps { key status startedAt finishedAt agent { name } } checkpoints { id status }
    events(first: 50) { nodes { __typename cursor at } } } }";
const EXECUTIONS: &str =
    "query($after: String) { executions(first: 50, after: $after) { nodes { id status progress { percent } createdAt
    workflow { name } steps { key status agent { name } } checkpoints { id status description } }
    pageInfo { hasNextPage endCursor } } }";

pub async fn measure(rig: &mut Rig, options: &Options, report: &mut Report) -> Result<()> {
    rig.agent("Read", "TRANSFORM", json!({"output": "/input"})).await?;
    let steps = json!([{"key": "one", "agent": "Read"}, {"key": "two", "agent": "Read", "needs": ["one"]}]);
    let workflow = rig.workflow("Read", steps).await?;
    let gated =
        json!([{"key": "one", "agent": "Read"}, {"key": "two", "agent": "Read", "gate": "ALWAYS", "needs": ["one"]}]);
    let waiting = rig.workflow("Read and wait", gated).await?;
    let ends = Ends::follow(rig, &workflow).await?;
    let few = options.scaled(FEW).max(100);
    let one = |number: usize| {
        let (rig, ends, workflow) = (&*rig, &ends, &workflow);
        async move { ends.wait(rig.start_execution(workflow, json!({"number": number})).await?).await }
    };
    // One has been started.
    stream::iter(1..few * 9 / 10).map(one).buffer_unordered(50).try_for_each(|()| async { Ok(()) }).await?;
    park(rig, &waiting, few / 10).await?;
    pages(rig, options, report, &format!("{few} executions")).await?;
    let copies = options.scaled(MANY) / few - 1;
    let place = rig.place.clone();
    rig.server.stop().await?;
    multiply(&place, copies).await?;
    rig.start_again().await?;
    pages(rig, options, report, &format!("{} executions", few * (copies + 1))).await
}

async fn pages(rig: &Rig, options: &Options, report: &mut Report, with: &str) -> Result<()> {
    let newest = rig.client.send("{ executions(first: 1) { nodes { id } } }", json!({})).await?;
    let id = text_at(&newest, "/executions/nodes/0/id")?.to_owned();
    let deep = rig.client.send("{ executions(first: 50) { pageInfo { endCursor } } }", json!({})).await?;
    let after = deep.pointer("/executions/pageInfo/endCursor").cloned().unwrap_or(Value::Null);
    for (what, query, variables) in [
        ("inbox page", INBOX, json!({})),
        ("execution page", EXECUTION, json!({ "id": id })),
        ("executions page of 50", EXECUTIONS, json!({ "after": after })),
    ] {
        let mut times = Vec::new();
        for _ in 0..options.scaled(300) {
            let began = Instant::now();
            rig.client.send(query, variables.clone()).await?;
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
        }
        report.add(Figure::new("w5", format!("{what}, {with}, P50"), percentile(&mut times, 0.5), "ms"));
        report.add(
            Figure::new("w5", format!("{what}, {with}, P99"), percentile(&mut times, 0.99), "ms").goal("below 10 ms"),
        );
        let (began, count) = (Instant::now(), options.scaled(1_000));
        let one = |_| rig.client.send(query, variables.clone());
        stream::iter(0..count).map(one).buffer_unordered(16).try_for_each(|_| async { Ok(()) }).await?;
        report.add(Figure::new(
            "w5",
            format!("{what}, {with}, 16 clients"),
            count as f64 / began.elapsed().as_secs_f64(),
            "/s",
        ));
    }
    Ok(())
}
