//! The log as a file, and what the command line makes of it and of the database.

use std::process::Output;

use chrono::{SecondsFormat, TimeDelta};
use countersign::{config::DatabaseUrl, domain::role::Role};
use rstest::rstest;
use sea_orm::ConnectionTrait;
use tempfile::TempDir;

use super::sound;
use crate::support::{Database, TestApp, command};
use countersign::domain::audit::Line;

/// The command line beside a server, on the same database.
struct Beside {
    app: TestApp,
    folder: TempDir,
}

impl Beside {
    async fn start(database: Database) -> Self {
        Self { app: TestApp::start(database).await, folder: tempfile::tempdir().expect("a folder") }
    }

    async fn audit(&self, arguments: &[&str]) -> Output {
        let url = match &self.app.database.url {
            DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
            DatabaseUrl::Postgres(url) => url.clone(),
        };
        let mut command = command(self.folder.path());
        let command = command.env("COUNTERSIGN_DATABASE_URL", url).arg("audit").args(arguments);
        command.output().await.expect("the binary runs")
    }

    /// The exit code and what was printed.
    async fn said(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.audit(arguments).await;
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }

    async fn download(&self, token: Option<&str>, query: &str) -> (u16, String) {
        let request = self.app.http.get(self.app.url(&format!("/audit.jsonl{query}")));
        let request = match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        let response = request.send().await.expect("an answer");
        (response.status().as_u16(), response.text().await.expect("a body"))
    }
}

fn parse(file: &str) -> Vec<Line> {
    file.lines().map(|line| Line::parse(line).expect("a line")).collect()
}

#[rstest]
#[tokio::test]
async fn the_database_and_its_export_are_verified_while_the_server_runs(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let beside = Beside::start(database).await;
    let app = &beside.app;
    app.person("ada@example.com", &[Role::Admin]).await;
    // More than a page.
    app.write_audit_entries(0..1200).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    let (code, said) = beside.said(&["verify"]).await;
    assert_eq!(code, Some(0), "{said}");
    let head = said.lines().find_map(|line| line.trim().strip_prefix("head ")).expect("a head").to_owned();
    let exported = beside.audit(&["export"]).await;
    let file = beside.folder.path().join("audit.jsonl");
    std::fs::write(&file, &exported.stdout).expect("a file");
    let report = sound(&parse(&String::from_utf8_lossy(&exported.stdout)));
    assert_eq!(head, format!("{}:{}", report.last, report.hash));
    let keys = beside.said(&["keys"]).await.1;
    let key = keys.split_whitespace().next().expect("a key").to_owned();
    assert_eq!(key, app.engine.audit_key().to_string());
    let trusted = beside.folder.path().join("key.txt");
    std::fs::write(&trusted, &keys).expect("a file");
    let (file, trusted) = (file.display().to_string(), trusted.display().to_string());
    for arguments in [
        vec!["verify", "--workspace", "default", "--key", &key, "--expect", &head],
        vec!["verify", &file, "--key", &trusted, "--expect", &head],
    ] {
        let (code, said) = beside.said(&arguments).await;
        assert_eq!(code, Some(0), "{arguments:?}: {said}");
        assert!(said.contains("by a key that you trust"), "{said}");
    }
    // Another key, an entry that was changed, and what cannot be checked at all.
    let other = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29";
    let (code, said) = beside.said(&["verify", &file, "--key", other]).await;
    assert!(code == Some(1) && said.contains("which is not trusted"), "{said}");
    let statement = "UPDATE audit_entry SET action = 'x' WHERE sequence = 700";
    app.database.connect().await.execute_unprepared(statement).await.expect("changed");
    let (code, said) = beside.said(&["verify"]).await;
    assert!(
        code == Some(1) && said.contains("default: BROKEN: entry 700 (audit_") && said.contains("changed"),
        "{said}"
    );
    for arguments in [
        vec!["verify", "/nonexistent"],
        vec!["verify", "--workspace", "nobodys"],
        vec!["verify", &trusted],
        vec!["verify", "--key", "zz"],
        vec!["verify", "--expect", "12"],
    ] {
        let (code, said) = beside.said(&arguments).await;
        assert_eq!(code, Some(2), "{arguments:?}: {said}");
    }
}

#[rstest]
#[tokio::test]
async fn admins_download_their_workspaces_log_and_nobody_elses(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let beside = Beside::start(database).await;
    let app = &beside.app;
    let other = app.create_workspace("zanzibar").await;
    app.person_in(countersign::domain::access::Scope::system(other.id), "eve@zanzibar.example", &[Role::Admin]).await;
    let admin = app.token(Role::Admin).await;
    app.write_audit_entries(0..1200).await;
    let (status, file) = beside.download(Some(&admin), "").await;
    assert_eq!(status, 200);
    assert_eq!(sound(&parse(&file)).entries, 1203);
    assert!(!file.contains("zanzibar"));
    assert_eq!(beside.download(None, "").await.0, 401);
    assert_eq!(beside.download(Some("cst_nonsense"), "").await.0, 401);
    for role in [Role::Viewer, Role::Operator, Role::Author, Role::Approver] {
        assert_eq!(beside.download(Some(&app.token(role).await), "").await.0, 403, "{role}");
    }
    let (status, said) = beside.download(Some(&admin), "?from=yesterday").await;
    assert!(status == 400 && said.contains("`from` is `yesterday`"), "{said}");
}

#[rstest]
#[tokio::test]
async fn a_part_of_the_log_proves_itself_too(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let beside = Beside::start(database).await;
    let app = &beside.app;
    let admin = app.token(Role::Admin).await;
    app.clock.advance(TimeDelta::hours(1));
    let from = app.clock.clock().now().to_rfc3339_opts(SecondsFormat::Micros, true);
    let person = app.person("ada@example.com", &[Role::Viewer]).await;
    app.clock.advance(TimeDelta::hours(1));
    let until = app.clock.clock().now().to_rfc3339_opts(SecondsFormat::Micros, true);
    app.token(Role::Viewer).await;
    let erase = "mutation($id: ID!) { erasePersonalData(input: {userId: $id}) { erasedValues } }";
    app.graphql(&admin, erase, serde_json::json!({"id": person.id})).await;
    let (_, file) = beside.download(Some(&admin), &format!("?from={from}&until={until}")).await;
    let lines = parse(&file);
    // That the person was erased is not in this part, and nobody is accused of it.
    let report = sound(&lines);
    assert_eq!((report.first, report.last, report.complete), (4, 7, false), "{file}");
    assert!(report.erased > 0);
    let (_, rest) = beside.download(Some(&admin), &format!("?from={until}")).await;
    assert_eq!(sound(&parse(&rest)).first, 8);
    let (_, nothing) = beside.download(Some(&admin), "?until=2020-01-01T00:00:00Z").await;
    assert_eq!(sound(&parse(&nothing)).entries, 0);
    let path = beside.folder.path().join("part.jsonl");
    std::fs::write(&path, &file).expect("a file");
    let expected = format!("1:{}", "0".repeat(64));
    let (code, said) = beside.said(&["verify", &path.display().to_string(), "--expect", &expected]).await;
    assert!(code == Some(2) && said.contains("not in this part of the log"), "{said}");
    let exported = beside.audit(&["export", "--from", &from, "--until", &until]).await;
    assert_eq!(parse(&String::from_utf8_lossy(&exported.stdout))[1..], lines[1..]);
}
