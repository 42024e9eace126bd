//! The command line beside a server, on the same database.

use countersign::config::DatabaseUrl;
use tokio::process::Command;

use crate::support::{TestApp, command};

pub fn on(app: &TestApp, arguments: &[&str]) -> Command {
    let url = match &app.database.url {
        DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
        DatabaseUrl::Postgres(url) => url.clone(),
    };
    let mut command = command(app.database.folder.path());
    command.env("COUNTERSIGN_DATABASE_URL", url).args(arguments);
    command
}

/// The exit code of a command, and what it said.
pub async fn said(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().await.expect("the binary runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

pub async fn verify_on(app: &TestApp, arguments: &[&str]) -> (Option<i32>, String) {
    said(on(app, &[&["audit", "verify"], arguments].concat())).await
}
