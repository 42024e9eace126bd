//! A full disk loses nothing that was acknowledged, and the server goes on once there is room.

use std::process::Stdio;

use countersign::domain::id::ExecutionId;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use super::rounds;
use crate::support::{PATIENCE, command};

const START: &str = "mutation($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } } }";
/// The largest file that the server may write, in blocks of 512 bytes: more than it needs to start.
const BLOCKS: usize = 6_000;
const MOST_STARTS: usize = 20_000;

/// A server whose files cannot grow beyond a size, which to it looks like a full disk.
fn serve(folder: &std::path::Path, blocks: Option<usize>) -> Child {
    let limit = blocks.map_or_else(String::new, |blocks| format!("trap '' XFSZ; ulimit -f {blocks}; "));
    let binary = env!("CARGO_BIN_EXE_countersign");
    let script = format!("{limit}exec {binary} serve --listen 127.0.0.1:0 --data-dir .");
    let mut shell = Command::new("/bin/sh");
    // Nothing of the test's own settings.
    shell.args(["-c", &script]).current_dir(folder).env_clear().env("COUNTERSIGN_LOG", "off").kill_on_drop(true);
    shell.stdout(Stdio::piped()).spawn().expect("the server starts")
}

async fn address(child: &mut Child) -> String {
    let lines: Lines<BufReader<ChildStdout>> = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut lines = lines;
    let found = async {
        while let Some(line) = lines.next_line().await.expect("a line") {
            if let Some(at) = line.find("http://") {
                let rest = &line[at..];
                let end = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
                return rest[..end].trim_end_matches('/').to_owned();
            }
        }
        panic!("the server ended");
    };
    tokio::time::timeout(PATIENCE, found).await.expect("the server says where it is")
}

async fn post(address: &str, token: &str, query: &str, variables: Value) -> Option<Value> {
    let request = reqwest::Client::new().post(format!("{address}/graphql")).bearer_auth(token);
    let response = request.json(&json!({"query": query, "variables": variables})).send().await.ok()?;
    response.json().await.ok()
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_full_disk() {
    countersign::telemetry::install_crypto();
    for _ in rounds() {
        let folder = tempfile::tempdir().expect("a folder");
        let cli = |arguments: &[&str]| {
            let mut command = command(folder.path());
            command.args(arguments).args(["--data-dir", "."]);
            command
        };
        let mut child = serve(folder.path(), Some(BLOCKS));
        let at = address(&mut child).await;
        let made = cli(&["token", "create", "--role", "admin", "--name", "t"]).output().await.expect("a token");
        let token = String::from_utf8(made.stdout).expect("text").trim().to_owned();
        let agent =
            r#"mutation { createAgent(input: {name: "W", kind: WORKER, config: {queue: "q"}}) { agent { id } } }"#;
        post(&at, &token, agent, json!({})).await.expect("an agent");
        let workflow = r#"mutation { createWorkflow(input: {definition: {name: "F", steps: [{key: "w", agent: "W"}]}}) {
            workflow { id } } }"#;
        let workflow = post(&at, &token, workflow, json!({})).await.expect("a workflow");
        let workflow = workflow["data"]["createWorkflow"]["workflow"]["id"].as_str().expect("an id").to_owned();
        let noise = "x".repeat(20_000);
        let mut acknowledged: Vec<ExecutionId> = Vec::new();
        for number in 0..MOST_STARTS {
            let input = json!({"workflowId": workflow, "input": {"noise": format!("{number}{noise}")}});
            let answer = post(&at, &token, START, json!({ "input": input })).await;
            let id = answer.as_ref().and_then(|answer| answer["data"]["startExecution"]["execution"]["id"].as_str());
            match id {
                Some(id) => acknowledged.push(id.parse().expect("an id")),
                None => break,
            }
        }
        assert!(!acknowledged.is_empty() && acknowledged.len() < MOST_STARTS, "{} were taken", acknowledged.len());
        child.kill().await.expect("killed");
        // There is room again.
        let mut child = serve(folder.path(), None);
        let at = address(&mut child).await;
        let count = "{ executions(first: 1) { totalCount } }";
        let found = post(&at, &token, count, json!({})).await.expect("a count");
        let found = found["data"]["executions"]["totalCount"].as_u64().expect("a number");
        assert!(found >= acknowledged.len() as u64, "{found} of {} are there", acknowledged.len());
        let last = acknowledged.last().expect("some");
        let one = post(&at, &token, "query($id: ID!) { node(id: $id) { id } }", json!({"id": last.to_string()})).await;
        assert_eq!(one.expect("an answer")["data"]["node"]["id"], last.to_string());
        child.kill().await.expect("killed");
        let doctor = cli(&["doctor"]).output().await.expect("the doctor runs");
        let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(doctor.status.success(), "{said}");
    }
}
