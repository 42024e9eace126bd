//! A server that is killed in the middle of an upload leaves nothing.

use std::process::Stdio;

use countersign::{config::DatabaseUrl, engine::janitor};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    net::TcpStream,
    process::{Child, ChildStdout},
};

use super::{Rig, noise};
use crate::support::{Database, PATIENCE, Raw, TestApp, TestClock, command, text};

/// The real binary on the same database and files, where it listens, and what it has yet to say.
async fn serve(rig: &Rig) -> (Child, String, Lines<BufReader<ChildStdout>>) {
    let folder = rig.app.database.folder.path();
    let DatabaseUrl::Sqlite(path) = &rig.app.database.url else { panic!("not SQLite") };
    let mut child = command(folder)
        .env("COUNTERSIGN_DATABASE_URL", format!("sqlite://{path}"))
        .env("COUNTERSIGN_DATA_DIR", folder)
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let find = async {
        loop {
            let line = lines.next_line().await.expect("output").expect("a line");
            if let Some((_, address)) = line.split_once("listening on http://") {
                return address.trim().to_owned();
            }
        }
    };
    let address = tokio::time::timeout(PATIENCE, find).await.expect("it listens");
    (child, address, lines)
}

#[tokio::test]
async fn a_killed_server_leaves_no_half_deliverable_and_no_file_for_long() {
    let mut rig = Rig::new(Database::Sqlite).await;
    let mut upload = rig.begin(json!({"name": "x.bin", "content": {"upload": {}}})).await;
    let id = text(&upload, "/deliverableId").to_owned();
    let content = noise(40 * 1024 * 1024);
    rig.app.stop().await;
    let (mut child, address, _lines) = serve(&rig).await;
    let mut raw = Raw(TcpStream::connect(&address).await.expect("a connection"));
    raw.send(format!(
        "PUT /deliverables/{id}/content HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {}\r\ncontent-length: {}\r\n\r\n",
        text(&upload, "/token"),
        content.len()
    ))
    .await;
    raw.send(&content[..30 * 1024 * 1024]).await;
    rig.until_files(1).await;
    child.kill().await.expect("killed");
    rig.app = TestApp::start_on(rig.app.database.clone(), TestClock::default(), |_| {}).await;
    upload["url"] = json!(rig.app.url(&format!("/deliverables/{id}/content")));
    assert_eq!(rig.files().len(), 1, "a half file is left");
    assert_eq!(rig.find(&id).await, Value::Null, "and nobody sees it");
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
    assert_eq!(rig.files().len(), 1, "somebody might still be at it");
    rig.app.clock.advance(chrono::Duration::minutes(50));
    assert_eq!(rig.put(&upload, content).await.status(), 201, "it can be sent again");
    rig.app.clock.advance(chrono::Duration::hours(2));
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
    assert_eq!(rig.files().len(), 1, "the half one is gone, and the whole one is not");
    assert_eq!(rig.content(&id).await.len(), 40 * 1024 * 1024);
    rig.app.assert_sound().await;
}
