//! What operators rely on: starts, outages, backups, permissions.

mod backup;
mod cautions;
mod clock;
mod first_start;
mod lost_file;
mod outages;
mod permissions;

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdout, Command},
};

use crate::support::PATIENCE;

/// The real server, whose words a test follows.
pub struct Running {
    pub child: Child,
    pub log: Lines<BufReader<ChildStderr>>,
    pub words: Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub fn spawn(mut command: Command) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0"]).env("COUNTERSIGN_LOG", "info");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        let log = BufReader::new(child.stderr.take().expect("a log")).lines();
        let words = BufReader::new(child.stdout.take().expect("an output")).lines();
        Self { child, log, words }
    }

    /// Its address, once it has one.
    pub async fn address(&mut self) -> String {
        let line = wait_for_line(&mut self.words, "is listening on").await;
        line.rsplit(' ').next().expect("an address").to_owned()
    }

    pub async fn stop(mut self) {
        let id = self.child.id().expect("it runs").to_string();
        Command::new("kill").args(["-TERM", &id]).status().await.expect("a signal");
        self.child.wait().await.expect("it ends");
    }
}

/// Reads up to the line that has this text.
pub async fn wait_for_line<R: AsyncRead + Unpin>(lines: &mut Lines<BufReader<R>>, text: &str) -> String {
    let mut before = String::new();
    let found = tokio::time::timeout(PATIENCE, async {
        while let Some(line) = lines.next_line().await.expect("lines") {
            if line.contains(text) {
                return Some(line);
            }
            before.push_str(&line);
            before.push('\n');
        }
        None
    });
    found.await.ok().flatten().unwrap_or_else(|| panic!("no `{text}` in\n{before}"))
}
