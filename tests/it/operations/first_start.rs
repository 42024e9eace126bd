//! The first start on a database, with others or before it is there.

use std::net::SocketAddr;

use countersign::{
    app::App,
    clock::Clock,
    config::{DatabaseUrl, Settings},
    domain::access::Scope,
    store::{page::Page, users},
};
use futures_util::future::join_all;
use serde_json::json;

use super::{Running, wait_for_line};
use crate::support::{Forwarder, TestApp, command, unused_port};

fn text_of(url: &DatabaseUrl) -> &str {
    match url {
        DatabaseUrl::Sqlite(_) => panic!("not a PostgreSQL"),
        DatabaseUrl::Postgres(url) => url,
    }
}

#[tokio::test]
async fn servers_that_start_together_on_an_empty_database_all_start() {
    let fresh = crate::support::Fresh::empty_postgres(-1).await;
    countersign::telemetry::install_crypto();
    let start = || async {
        let settings = Settings {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database_url: Some(fresh.url.clone()),
            database_connections: 2,
            data_dir: fresh.folder.path().display().to_string(),
            ..Settings::default()
        };
        let app = App::start(settings, Clock::system()).await.map_err(|error| error.to_string())?;
        app.first_sign_in().await.map_err(|error| error.to_string())?;
        Ok::<_, String>(app)
    };
    let started = join_all((0..4).map(|_| start())).await;
    let apps: Vec<App> = started.into_iter().map(|app| app.expect("it starts")).collect();
    let store = apps[0].engine().store();
    let workspaces = store.workspaces().await.expect("workspaces");
    assert_eq!(workspaces.len(), 1, "{workspaces:?}");
    let (filter, page) = (users::Filter::default(), Page::first(10));
    let people = store.users(Scope::system(workspaces[0].id), &filter, users::Sort::Email, false, &page).await;
    assert_eq!(people.expect("people").rows.len(), 1);
    apps.iter().for_each(|app| app.tasks().stop());
    join_all(apps.into_iter().map(App::run)).await;
}

#[tokio::test]
async fn a_database_that_comes_later_is_waited_for() {
    let fresh = crate::support::Fresh::empty_postgres(-1).await;
    let port = unused_port().await;
    let mut url = url::Url::parse(text_of(&fresh.url)).expect("a URL");
    url.set_port(Some(port)).expect("a port");
    let mut command = command(fresh.folder.path());
    command.env("COUNTERSIGN_DATABASE_URL", url.as_str());
    let mut server = Running::spawn(command);
    let line = wait_for_line(&mut server.log, "waiting for the database").await;
    assert!(line.contains(&format!("127.0.0.1:{port}")), "{line}");
    assert!(!line.contains(url.password().expect("a password")), "{line}");
    let _way = Forwarder::start_on(port, &fresh.url).await;
    server.address().await;
    server.stop().await;
}

#[tokio::test]
async fn a_database_that_never_comes_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("postgres://somebody:hunter2@127.0.0.1:{}/somewhere", unused_port().await);
    let mut command = command(folder.path());
    let command = command.env("COUNTERSIGN_DATABASE_URL", url).args(["serve", "--listen", "127.0.0.1:0"]);
    let output = command.args(["--database-wait", "1s"]).output().await.expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("`database-wait`") && !said.contains("hunter2"), "{said}");
}

#[tokio::test]
async fn while_it_starts_a_server_is_alive_and_not_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    let (port, own) = (unused_port().await, unused_port().await);
    let mut command = command(folder.path());
    command.env("COUNTERSIGN_DATABASE_URL", format!("postgres://u:p@127.0.0.1:{port}/d"));
    let mut child = command
        .args(["serve", "--listen", &format!("127.0.0.1:{own}")])
        .env("COUNTERSIGN_LOG", "info")
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut log = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(child.stderr.take().expect("a log")));
    wait_for_line(&mut log, "waiting for the database").await;
    countersign::telemetry::install_crypto();
    let http = reqwest::Client::new();
    for (path, status) in [("/healthz", 200), ("/readyz", 503), ("/graphql", 503)] {
        let response = http.get(format!("http://127.0.0.1:{own}{path}")).send().await.expect("an answer");
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(response.headers().contains_key("retry-after"), status == 503, "{path}");
    }
    child.kill().await.expect("it ends");
}

#[tokio::test]
async fn few_connections_are_enough_for_much_work() {
    // The server's own, and one for the test's.
    let fresh = crate::support::Fresh::empty_postgres(9).await;
    let app = TestApp::start_on(fresh, Default::default(), |settings| settings.database_connections = 16).await;
    app.agent("Echo", countersign::domain::agent::Kind::Transform, json!({"output": "/input"})).await;
    let echo = json!({"name": "Echo", "steps": [{"key": "echo", "agent": "Echo"}]});
    let workflow = app.workflow(echo).await;
    let token = app.token(countersign::domain::role::Role::Admin).await;
    let reads = join_all((0..100).map(|_| app.graphql(&token, "{ executions { totalCount } }", json!({}))));
    let starts = join_all((0..50).map(|_| app.start_execution(workflow, json!({}))));
    let (reads, starts) = tokio::join!(reads, starts);
    for answer in reads {
        assert!(answer.get("errors").is_none(), "{answer}");
    }
    for id in starts {
        app.ends(id, countersign::domain::execution::CompletionReason::Success).await;
    }
}
