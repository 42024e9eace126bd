//! What the real binary does by itself: settings, the schema, and the server from its first start to its end.

use std::{os::unix::fs::PermissionsExt, path::Path, process::Stdio};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
    time::timeout,
};

use super::cli::{printed, run};
use crate::support::{PASSWORD, PATIENCE, at, command, text};

/// A server in a process of its own.
struct Served {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    url: String,
    link: String,
    http: reqwest::Client,
}

impl Served {
    /// Starts a server with its data in a folder, and reads what it says.
    async fn start(folder: &Path) -> Self {
        let mut command = command(folder);
        command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let url = after(&mut lines, "is listening on ").await;
        let link = after(&mut lines, "Sign in").await;
        countersign::telemetry::install_crypto();
        Self { child, lines, url, link, http: reqwest::Client::new() }
    }

    async fn graphql(&self, token: Option<&str>, query: &str, variables: Value) -> Value {
        let request = self.http.post(format!("{}/graphql", self.url));
        let request = request.json(&json!({"query": query, "variables": variables}));
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().await.expect("an answer").json().await.expect("JSON")
    }

    /// Redeems the link that was printed; gives the access token, if the link was good.
    async fn redeem(&self) -> Option<String> {
        let (url, token) = self.link.split_once("#token=").expect("a one-time link");
        assert!(url.ends_with(&format!("{}/sign-in", self.url)), "{}", self.link);
        let query =
            "mutation($token: String!) { redeemSignInLink(input: {token: $token}) { session { accessToken } } }";
        let answer = self.graphql(None, query, json!({"token": token})).await;
        Some(at(&answer, "/data/redeemSignInLink/session").get("accessToken")?.as_str()?.to_owned())
    }

    /// Asks the server to stop, and makes sure that it does so well.
    async fn terminate(mut self) {
        terminate(&self.child).await;
        after(&mut self.lines, "Stopped.").await;
        ends_well(self.child).await;
    }
}

async fn terminate(child: &Child) {
    let id = child.id().expect("it runs").to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status().await.expect("a signal");
    assert!(sent.success());
}

async fn ends_well(mut child: Child) {
    let status = timeout(PATIENCE, child.wait()).await.expect("it stops").expect("a status");
    assert_eq!(status.code(), Some(0));
}

/// What follows a text in the next line that has it.
async fn after(lines: &mut Lines<BufReader<ChildStdout>>, text: &str) -> String {
    loop {
        let line = timeout(PATIENCE, lines.next_line()).await.expect("the server says something");
        let line = line.expect("text").unwrap_or_else(|| panic!("the server ended before it said `{text}`"));
        if let Some((_, rest)) = line.split_once(text) {
            return rest.to_owned();
        }
    }
}

#[tokio::test]
async fn the_first_start_lets_the_first_admin_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path()).await;
    let token = served.redeem().await.expect("a session");
    assert_eq!(served.redeem().await, None, "the link works once");
    let query = "{ viewer { roles user { email } workspace { slug } } }";
    let answer = served.graphql(Some(&token), query, json!({})).await;
    assert_eq!(
        at(&answer, "/data/viewer"),
        &json!({"roles": ["ADMIN"], "user": {"email": "admin@localhost"}, "workspace": {"slug": "default"}})
    );
    served.terminate().await;

    // Without a password the admin has no other way in.
    let served = Served::start(folder.path()).await;
    let answer = served.graphql(Some(&token), query, json!({})).await;
    assert_eq!(text(&answer, "/data/viewer/user/email"), "admin@localhost", "sessions outlive a restart");
    let token = served.redeem().await.expect("a new link");
    let set = "mutation($new: String!) { changePassword(input: {newPassword: $new}) { userErrors { message } } }";
    served.graphql(Some(&token), set, json!({"new": PASSWORD})).await;
    served.terminate().await;

    let served = Served::start(folder.path()).await;
    assert_eq!(served.link, format!(": {}/sign-in", served.url), "no link for who has a password");
    served.terminate().await;
}

#[tokio::test]
async fn a_server_to_whom_nobody_listens_stops_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let Served { child, lines, .. } = Served::start(folder.path()).await;
    drop(lines);
    terminate(&child).await;
    ends_well(child).await;
}

#[tokio::test]
async fn a_token_can_be_made_before_the_first_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = printed(&run(folder.path(), &["token", "create", "--role", "admin", "--name", "script"]).await);
    let data = std::fs::metadata(folder.path().join("data")).expect("the data's folder");
    assert_eq!(data.permissions().mode() & 0o777, 0o700, "nobody else may look inside");
    let served = Served::start(folder.path()).await;
    let answer = served.graphql(Some(token.trim()), "{ viewer { displayName } }", json!({})).await;
    assert_eq!(text(&answer, "/data/viewer/displayName"), "script");
    assert!(served.redeem().await.is_some(), "the first admin is invited all the same");
    served.terminate().await;
}

#[tokio::test]
async fn a_port_that_is_taken_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let output = run(folder.path(), &["serve", "--listen", &address]).await;
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains(&format!("cannot listen on {address}")), "{complaint}");
}

#[tokio::test]
async fn config_check_explains_and_masks() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut check = command(folder.path());
    check.args(["config", "check", "--max-depth", "7"]);
    check.env("COUNTERSIGN_METRICS_TOKEN", "hunter2").env("COUNTERSIGN_DATABASE_URL", "postgres://u:hunter3@db/x");
    let explained = printed(&check.output().await.expect("the binary runs"));
    assert!(explained.contains("max-depth = \"7\"  (flag --max-depth)"), "{explained}");
    assert!(explained.contains("metrics-token = •••  (variable COUNTERSIGN_METRICS_TOKEN)"), "{explained}");
    assert!(explained.contains("listen = \"127.0.0.1:8080\"  (default)"), "{explained}");
    assert!(!explained.contains("hunter"), "{explained}");
    assert!(explained.ends_with("The settings are valid.\n"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "it only looks");
}

#[tokio::test]
async fn settings_that_are_wrong_stop_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["config", "check"][..], &["serve"], &["token", "list"]] {
        let mut command = command(folder.path());
        command.args(arguments).env("COUNTERSIGN_LISTN", "x").env("COUNTERSIGN_DATABASE_URL", "mysql://u:hunter2@db/x");
        let output = command.output().await.expect("the binary runs");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(
            complaint.contains("variable `COUNTERSIGN_LISTN` is not a setting: did you mean `COUNTERSIGN_LISTEN`?")
        );
        assert!(complaint.contains("`database-url`") && !complaint.contains("hunter2"), "{complaint}");
    }
}

#[tokio::test]
async fn schema_prints_the_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = printed(&run(folder.path(), &["schema"]).await);
    assert_eq!(schema, include_str!("../../../schema.graphql"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "it needs no database");
}
