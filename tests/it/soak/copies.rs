//! Backups of a live database are whole at any moment.

use countersign::{
    config::DatabaseUrl,
    domain::{agent::Kind, role::Role},
};
use serde_json::json;

use super::rounds;
use crate::support::{Database, TestApp, command, policies::approving};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_a_busy_database_matches_its_journal_and_its_audit_log() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    let steps = json!([{"key": "a", "agent": "Echo"}, {"key": "b", "agent": "Echo", "gate": "ALWAYS"}]);
    let workflow = app.workflow(json!({"name": "Echo", "steps": steps})).await;
    let DatabaseUrl::Sqlite(path) = &app.database.url else { panic!("not SQLite") };
    let folder = tempfile::tempdir().expect("a folder");
    let run = async |database: &str, arguments: &[&str]| {
        let mut command = command(folder.path());
        command.env("COUNTERSIGN_DATABASE_URL", format!("sqlite://{database}"));
        let output = command.args(arguments).output().await.expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
    };
    for round in rounds() {
        let copy = folder.path().join(format!("{round}.db")).display().to_string();
        let busy = async {
            for number in 0..20 {
                let id = app.start_execution(workflow, json!({"n": number})).await;
                let row = app.waiting(id).await;
                let origin = countersign::engine::Origin::default();
                app.engine.decide_checkpoint(ada, approving(&row), &origin).await.expect("approved");
            }
        };
        let arguments = ["backup", copy.as_str()];
        tokio::join!(run(path, &arguments), busy);
        run(&copy, &["doctor"]).await;
        std::fs::remove_file(&copy).expect("removed");
    }
    app.assert_sound().await;
}
