//! What an operator is warned of, and what is not shown.

use crate::support::command;

#[tokio::test]
async fn settings_are_shown_without_passwords_and_with_warnings() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = async |arguments: &[&str]| {
        let mut command = command(folder.path());
        let output = command.args(["config", "check"]).args(arguments).output().await.expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let shown = check(&["--otlp-endpoint", "https://ada:hunter2@collector.example:4318"]).await;
    assert!(!shown.contains("hunter2") && shown.contains("collector.example:4318"), "{shown}");
    assert!(!shown.contains("Warning"), "{shown}");
    let shown = check(&["--listen", "0.0.0.0:8080"]).await;
    for name in ["public-url", "trusted-proxies", "metrics-token"] {
        assert!(shown.lines().any(|line| line.starts_with("Warning: ") && line.contains(name)), "{name}: {shown}");
    }
}

#[tokio::test]
async fn the_log_of_sqlite_becomes_short_again_after_a_long_reader() {
    use countersign::config::DatabaseUrl;
    use sea_orm::sqlx::Executor;

    let app = crate::support::TestApp::start(crate::support::Database::Sqlite).await;
    let DatabaseUrl::Sqlite(path) = &app.database.url else { panic!("not an SQLite file") };
    let length = || std::fs::metadata(format!("{path}-wal")).expect("a log").len();
    let mut reader = app.database.connect_sqlite().await;
    reader.execute("BEGIN; SELECT count(*) FROM server").await.expect("a long look");
    // More than is kept, in the server's own transactions.
    let most = 17 * 1024 * 1024;
    while length() < most {
        app.write_audit_entries(0..500).await;
    }
    reader.execute("COMMIT").await.expect("the end of it");
    // Some copy what is in the log; the next one that no reader is in the way of begins it anew.
    let shortened = async {
        while length() >= most {
            app.write_audit_entries(0..1).await;
        }
    };
    tokio::time::timeout(crate::support::PATIENCE, shortened).await.expect("a short log");
}
