//! One chain, however many write it and however they end.

use std::process::Stdio;

use countersign::{
    config::Settings,
    domain::access::Scope,
    engine::{Origin, commands::CreateGroup},
    store::Store,
};
use futures_util::future::join_all;
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Child,
    sync::mpsc,
};

use super::{lines, lines_of, sound};
use crate::support::{Database, PATIENCE, TestApp, command};

fn group(name: String) -> CreateGroup {
    CreateGroup { name, description: String::new(), members: Vec::new(), idempotency_key: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn several_servers_write_one_chain() {
    let app = TestApp::start(Database::Postgres).await;
    let second = app.create_workspace("second").await;
    let scopes = [app.scope(), Scope::system(second.id)];
    let (one, other) = (app.another_process().await, app.another_process().await);
    let origin = Origin::default();
    let writes = (0..60).map(|number| {
        let engine = [&app.engine, &one, &other][number % 3];
        let scope = scopes[number % 2];
        let origin = &origin;
        async move {
            engine.create_group(scope, group(format!("group {number}")), origin).await.expect("a group");
            if number % 10 == 0 {
                engine.sign_audit_log(1).await.expect("signed");
            }
        }
    });
    tokio::time::timeout(PATIENCE, join_all(writes)).await.expect("nobody waits for ever");
    let first = sound(&lines(&app).await);
    let second = sound(&lines_of(app.engine.store(), &second).await);
    assert_eq!((first.entries, second.entries), (31, 31));
    assert!(first.signatures > 0, "{first:?}");
}

/// A server of its own process, and where it listens.
async fn serve(folder: &std::path::Path) -> (Child, String) {
    let mut server = command(folder);
    let server = server.args(["serve", "--listen", "127.0.0.1:0", "--audit-sign-entries", "5"]);
    let mut child = server.stdout(Stdio::piped()).spawn().expect("the server starts");
    let mut said = BufReader::new(child.stdout.take().expect("its output")).lines();
    loop {
        let line = said.next_line().await.expect("a line").expect("it says where it listens");
        if let Some((_, url)) = line.split_once("is listening on ") {
            // What it says later must have somewhere to go.
            tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
            return (child, url.trim().to_owned());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_leaves_a_chain_that_holds() {
    const KILLS: usize = 10;
    countersign::telemetry::install_crypto();
    let folder = tempfile::tempdir().expect("a folder");
    let made = command(folder.path()).args(["token", "create", "--role", "admin", "--name", "x"]).output().await;
    let token = String::from_utf8(made.expect("it runs").stdout).expect("a token").trim().to_owned();
    let http = reqwest::Client::new();
    let mut answered = 0;
    for kill in 0..KILLS {
        let (mut child, url) = serve(folder.path()).await;
        let (sender, mut answers) = mpsc::unbounded_channel();
        for writer in 0..8 {
            let (http, url, token, sender) = (http.clone(), url.clone(), token.clone(), sender.clone());
            tokio::spawn(async move {
                for number in 0.. {
                    let name = format!("{kill} {writer} {number}");
                    let query = "mutation($name: String!) { createGroup(input: {name: $name}) { group { id } } }";
                    let request = http.post(format!("{url}/graphql")).bearer_auth(&token);
                    let request = request.json(&json!({"query": query, "variables": {"name": name}}));
                    let Ok(response) = request.send().await else { return };
                    let made = response.text().await.is_ok_and(|text| text.contains("group_"));
                    if !made || sender.send(()).is_err() {
                        return;
                    }
                }
            });
        }
        // In the middle of the work of all.
        for _ in 0..20 + kill {
            tokio::time::timeout(PATIENCE, answers.recv()).await.expect("in time").expect("an answer");
            answered += 1;
        }
        child.kill().await.expect("killed");
        let output = command(folder.path()).args(["audit", "verify"]).output().await.expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let settings = Settings { data_dir: format!("{}/data", folder.path().display()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database");
    let workspace = store.workspace_by_slug("default").await.expect("a lookup").expect("a workspace");
    let report = sound(&lines_of(&store, &workspace).await);
    assert!(report.entries >= answered && report.signatures > 0, "{report:?}: what was answered is there");
}
