//! The reference clients of the protocols, which run in Node: `tests/conformance`.

use std::{path::Path, process::Stdio};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};

use super::PATIENCE;

/// A running script that prints a line of JSON for each thing that it has to tell.
pub struct Node {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Node {
    pub fn start(script: &str, arguments: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
        assert!(
            folder.join("node_modules").is_dir(),
            "the packages of tests/conformance are not installed: run the tests with `make test`"
        );
        let mut command = Command::new("node");
        command.arg(script).args(arguments).current_dir(folder).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn().expect("node starts: run the tests with `make test`");
        let lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        Self { process, lines }
    }

    /// The next line, or nothing when the script has ended well.
    pub async fn line(&mut self) -> Option<Value> {
        match timeout(PATIENCE, self.lines.next_line()).await.expect("a line in time").expect("text") {
            Some(line) => Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))),
            None => {
                let status = timeout(PATIENCE, self.process.wait()).await.expect("the script ends").expect("a status");
                assert!(status.success(), "the script failed: {status}");
                None
            }
        }
    }

    /// A line that must come.
    pub async fn next(&mut self) -> Value {
        self.line().await.expect("another line")
    }
}
