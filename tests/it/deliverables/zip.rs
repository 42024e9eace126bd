//! All that an execution made, as one ZIP.

use std::io::{Cursor, Read};

use rstest::rstest;
use serde_json::json;
use zip::ZipArchive;

use super::{Rig, noise};
use crate::support::{Database, text};

async fn archive(rig: &Rig, execution: &str) -> ZipArchive<Cursor<Vec<u8>>> {
    let response = rig.get(&format!("/executions/{execution}/deliverables.zip")).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/zip");
    let length: usize = response.headers()["content-length"].to_str().expect("text").parse().expect("a number");
    let bytes = response.bytes().await.expect("a body").to_vec();
    assert_eq!(bytes.len(), length, "its length is known beforehand");
    ZipArchive::new(Cursor::new(bytes)).expect("a ZIP")
}

fn read(archive: &mut ZipArchive<Cursor<Vec<u8>>>, name: &str) -> Vec<u8> {
    let mut file = archive.by_name(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut content = Vec::new();
    // The checksum is checked on the way.
    file.read_to_end(&mut content).expect("content");
    content
}

#[rstest]
#[tokio::test]
async fn names_are_safe_and_differ(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let execution = rig.execution().await.to_string();
    let make = async |name: &str, content: serde_json::Value| {
        rig.change("createDeliverable", json!({"name": name, "executionId": execution, "content": content})).await
    };
    for (name, content) in
        [("report.md", "1"), ("REPORT.md", "2"), ("CON", "3"), ("a:b?.txt", "4"), ("ünïcode.txt", "5"), ("x...", "6")]
    {
        make(name, json!({"text": content})).await;
    }
    make("PR", json!({"external": {"url": "https://example.com/7"}})).await;
    let large = noise(3 * 1024 * 1024);
    let input = json!({"name": "large.bin", "executionId": execution, "content": {"upload": {}}});
    let upload = rig.begin(input).await;
    assert_eq!(rig.put(&upload, large.clone()).await.status(), 201);
    make("empty", json!({"text": ""})).await;
    let second = make("versions.txt", json!({"text": "old"})).await;
    rig.change("addDeliverableVersion", json!({"deliverableId": second["id"], "content": {"text": "new"}})).await;
    let archived = make("archived.txt", json!({"text": "not here"})).await;
    rig.change("archiveDeliverable", json!({"deliverableId": archived["id"]})).await;
    let mut found = archive(&rig, &execution).await;
    let names: Vec<String> = found.file_names().map(|name| name.expect("a name").into_owned()).collect();
    for (name, content) in [
        ("report.md", "1"),
        ("REPORT (2).md", "2"),
        ("_CON", "3"),
        ("a_b_.txt", "4"),
        ("ünïcode.txt", "5"),
        ("x", "6"),
        ("PR.url", "[InternetShortcut]\r\nURL=https://example.com/7\r\n"),
        ("empty", ""),
        ("versions.txt", "new"),
    ] {
        assert_eq!(String::from_utf8(read(&mut found, name)).expect("text"), content, "{names:?}");
    }
    assert_eq!(read(&mut found, "large.bin"), large);
    assert_eq!(names.len(), 10, "{names:?}");
    let alone = rig.text("alone.txt", "x").await;
    assert_eq!(archive(&rig, text(&alone, "/execution/id")).await.len(), 1);
    let empty = rig
        .app
        .start_execution(
            rig.app.workflow(json!({"name": "E", "steps": [{"key": "a", "agent": "Writer"}]})).await,
            json!({}),
        )
        .await;
    assert_eq!(archive(&rig, &empty.to_string()).await.len(), 0);
}

#[tokio::test]
async fn ten_thousand_files_are_one_zip() {
    let rig = Rig::new(Database::Sqlite).await;
    let execution = rig.execution().await.to_string();
    let first = json!({"name": "same.txt", "executionId": execution, "content": {"text": "content"}});
    rig.change("createDeliverable", first).await;
    rig.app.database.execute(MANY).await;
    rig.app.database.execute(MANY_VERSIONS).await;
    rig.app.database.execute(MANY_BODIES).await;
    let mut found = archive(&rig, &execution).await;
    assert_eq!(found.len(), 10_000);
    assert_eq!(read(&mut found, "same (10000).txt"), b"content");
}

const MANY: &str = "INSERT INTO deliverable
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9999)
    SELECT randomblob(16), workspace_id, execution_id, step, agent_id, checkpoint_id, name, folded_name, description, type,
        status, status_before, version, created_at, updated_at, archived_at, content_deleted_at, actor_kind, actor_id
    FROM deliverable, n";
const MANY_VERSIONS: &str = "INSERT INTO deliverable_version
    SELECT d.id, v.number, v.storage, v.mime_type, v.size, v.sha256, v.crc32, v.object_key, v.url, v.metadata, v.created_at,
        v.actor_kind, v.actor_id
    FROM deliverable d, deliverable_version v WHERE d.id NOT IN (SELECT deliverable_id FROM deliverable_version)";
const MANY_BODIES: &str = "INSERT INTO deliverable_body
    SELECT d.id, b.number, b.body FROM deliverable d, deliverable_body b
    WHERE d.id NOT IN (SELECT deliverable_id FROM deliverable_body)";
