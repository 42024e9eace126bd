//! Backups of a live database, and bringing one back.

use std::path::Path;

use countersign::domain::{agent::Kind, execution::CompletionReason, role::Role};
use serde_json::json;

use super::Running;
use crate::support::{Database, Fresh, TestApp, TestClock, at, command};

struct Ran {
    code: Option<i32>,
    said: String,
}

async fn run(folder: &Path, fresh: &Fresh, arguments: &[&str]) -> Ran {
    let url = match &fresh.url {
        countersign::config::DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
        countersign::config::DatabaseUrl::Postgres(url) => url.clone(),
    };
    let mut command = command(folder);
    let output = command.env("COUNTERSIGN_DATABASE_URL", url).args(arguments).output().await.expect("it runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Ran { code: output.status.code(), said }
}

#[tokio::test]
async fn a_backup_of_a_busy_server_is_whole_and_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    let workflow = app.workflow(json!({"name": "Echo", "steps": [{"key": "echo", "agent": "Echo"}]})).await;
    let first = app.start_execution(workflow, json!({})).await;
    app.ends(first, CompletionReason::Success).await;
    let busy = async {
        for _ in 0..30 {
            app.start_execution(workflow, json!({})).await;
        }
    };
    let (backed_up, ()) = tokio::join!(run(folder.path(), &app.database, &["backup", "b.db"]), busy);
    assert_eq!(backed_up.code, Some(0), "{}", backed_up.said);
    assert!(backed_up.said.contains("files"), "says what is not in it: {}", backed_up.said);
    let backup = folder.path().join("b.db");
    assert!(!folder.path().join("b.db-wal").exists());
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(std::fs::metadata(&backup).expect("a file").permissions().mode() & 0o777, 0o600);

    let again = run(folder.path(), &app.database, &["backup", "b.db"]).await;
    assert_eq!(again.code, Some(1), "{}", again.said);
    assert!(again.said.contains("exists"), "{}", again.said);

    // After the backup.
    app.graphql(&token, "mutation { createGroup(input: {name: \"late\"}) { group { id } } }", json!({})).await;
    let refused = run(folder.path(), &app.database, &["restore", "b.db"]).await;
    assert_eq!(refused.code, Some(1), "{}", refused.said);
    assert!(refused.said.contains("another server uses the database"), "{}", refused.said);
    app.stop().await;

    let refused = run(folder.path(), &app.database, &["restore", "b.db"]).await;
    assert_eq!(refused.code, Some(1), "{}", refused.said);
    assert!(refused.said.contains("--force"), "{}", refused.said);
    let restored = run(folder.path(), &app.database, &["restore", "b.db", "--force"]).await;
    assert_eq!(restored.code, Some(0), "{}", restored.said);

    let app = TestApp::start_on(app.database.clone(), TestClock::default(), |_| {}).await;
    let answer = app.graphql(&token, "{ groups { totalCount } executions { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/totalCount"), 0, "{answer}");
    assert!(at(&answer, "/data/executions/totalCount").as_u64() > Some(0), "{answer}");
    app.assert_sound().await;
    let kept = std::fs::read_dir(app.database.folder.path()).expect("a folder").filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().contains("before-restore")
    });
    assert!(kept.count() > 0, "the old database is kept");
}

#[tokio::test]
async fn what_is_no_sound_backup_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = TestApp::start(Database::Sqlite).await;
    let made = run(folder.path(), &app.database, &["backup", "good.db"]).await;
    assert_eq!(made.code, Some(0), "{}", made.said);
    app.stop().await;
    let mut bytes = std::fs::read(folder.path().join("good.db")).expect("a backup");
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 8192].fill(0);
    std::fs::write(folder.path().join("zeroed.db"), &bytes).expect("written");
    std::fs::write(folder.path().join("text.db"), "not a database").expect("written");
    for name in ["zeroed.db", "text.db", "nothing.db"] {
        let refused = run(folder.path(), &app.database, &["restore", name, "--force"]).await;
        assert_eq!(refused.code, Some(1), "{name}: {}", refused.said);
        assert!(refused.said.contains(name), "{}", refused.said);
    }
    TestApp::start_on(app.database.clone(), TestClock::default(), |_| {}).await;
}

#[tokio::test]
async fn postgres_has_its_own_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let fresh = Database::Postgres.fresh().await;
    for (command, tool) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let refused = run(folder.path(), &fresh, &[command, "x"]).await;
        assert_eq!(refused.code, Some(1), "{}", refused.said);
        assert!(refused.said.contains(tool), "{}", refused.said);
    }
}

#[tokio::test]
async fn a_database_with_zeroed_pages_does_not_start() {
    let mut app = TestApp::start(Database::Sqlite).await;
    app.stop().await;
    let database = app.database.clone();
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").await;
    drop(app);
    let countersign::config::DatabaseUrl::Sqlite(path) = &database.url else { panic!("not an SQLite file") };
    let mut bytes = std::fs::read(path).expect("a database");
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 8192].fill(0);
    std::fs::write(path, &bytes).expect("written");
    let ran = run(database.folder.path(), &database, &["serve", "--listen", "127.0.0.1:0"]);
    let ran = tokio::time::timeout(crate::support::PATIENCE, ran).await.expect("it does not start");
    assert_eq!(ran.code, Some(1), "{}", ran.said);
    assert!(ran.said.contains("damaged") && ran.said.contains("countersign restore"), "{}", ran.said);
}

#[tokio::test]
async fn a_server_runs_on_what_was_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let fresh = Database::Sqlite.fresh().await;
    let source = TestApp::start(Database::Sqlite).await;
    let made = run(folder.path(), &source.database, &["backup", "b.db"]).await;
    assert_eq!(made.code, Some(0), "{}", made.said);
    let restored = run(folder.path(), &fresh, &["restore", "b.db"]).await;
    assert_eq!(restored.code, Some(0), "{}", restored.said);
    let countersign::config::DatabaseUrl::Sqlite(path) = &fresh.url else { panic!("not an SQLite file") };
    let mut command = command(folder.path());
    command.env("COUNTERSIGN_DATABASE_URL", format!("sqlite://{path}"));
    let mut server = Running::spawn(command);
    server.address().await;
    server.stop().await;
}
