//! Content that is sent afterwards, of any size.

use countersign::{domain::role::Role, engine::janitor};
use futures_util::stream;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rig, noise, sha256};
use crate::support::{Database, Raw, at, text};

#[rstest]
#[tokio::test]
async fn large_content_goes_to_a_file_and_comes_back(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let content = noise(20 * 1024 * 1024 + 7);
    let input = json!({"name": "large.bin", "content":
        {"upload": {"size": content.len(), "sha256": sha256(&content).to_uppercase()}}});
    let upload = rig.begin(input).await;
    let id = text(&upload, "/deliverableId");
    assert_eq!(rig.find(id).await, Value::Null, "nothing is there before its content is");
    let response = rig.put(&upload, content.clone()).await;
    assert_eq!(response.status(), 201);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!((&answer["id"], &answer["storage"]), (&json!(id), &json!("FILE")));
    let made = rig.find(id).await;
    assert_eq!(made["version"]["sha256"], sha256(&content));
    assert_eq!(made["version"]["size"], content.len() as f64);
    assert_eq!(made["type"], "OTHER");
    assert_eq!(rig.content(id).await, content);
    assert_eq!(rig.files().len(), 1, "one file, and nothing beside it");
    let again = rig.put(&upload, content).await;
    assert_eq!(again.status(), 410, "a token is good for one upload");
    assert_eq!(rig.files().len(), 1);
}

#[rstest]
#[tokio::test]
async fn content_of_unknown_length_is_taken_as_it_comes(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    for pieces in [1, 40] {
        let upload = rig.begin(json!({"name": "log.txt", "content": {"upload": {}}})).await;
        let piece = "a line of a log\n".repeat(4_096);
        let all = stream::iter((0..pieces).map(move |_| Ok::<_, std::io::Error>(piece.clone())));
        let response = rig.put(&upload, reqwest::Body::wrap_stream(all)).await;
        assert_eq!(response.status(), 201);
        let made = rig.find(text(&upload, "/deliverableId")).await;
        let storage = if pieces == 1 { "INLINE" } else { "FILE" };
        assert_eq!((&made["version"]["storage"], &made["type"]), (&json!(storage), &json!("DOCUMENT")));
        assert_eq!(made["version"]["size"], (pieces * 65_536) as f64);
    }
}

#[rstest]
#[tokio::test]
async fn what_is_not_as_announced_leaves_nothing(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let content = noise(2 * 1024 * 1024);
    for (announced, expected) in [
        (json!({"size": content.len() + 1}), "was asked for with"),
        (json!({"size": content.len() - 1}), "was asked for with"),
        (json!({"sha256": sha256(b"other")}), "SHA-256"),
    ] {
        let upload = rig.begin(json!({"name": "x.bin", "content": {"upload": announced}})).await;
        let response = rig.put(&upload, content.clone()).await;
        assert_eq!(response.status(), 400);
        let answer: Value = response.json().await.expect("JSON");
        let message = text(&answer, "/errors/0/message");
        assert!(message.contains(expected), "{message}");
        assert_eq!(at(&answer, "/errors/0/extensions/code"), "BAD_USER_INPUT");
        assert_eq!(rig.find(text(&upload, "/deliverableId")).await, Value::Null);
        assert_eq!(rig.files(), [""; 0].map(std::path::PathBuf::from));
        // Without a length in the header it is noticed on the way.
        let pieces: Vec<Vec<u8>> = content.chunks(300_000).map(<[u8]>::to_vec).collect();
        let all = stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
        assert_eq!(rig.put(&upload, reqwest::Body::wrap_stream(all)).await.status(), 400);
        assert_eq!(rig.files(), [""; 0].map(std::path::PathBuf::from));
    }
}

#[rstest]
#[tokio::test]
async fn there_is_a_largest_size(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = crate::support::TestApp::start_with(database, |settings| settings.max_upload_bytes = 3_000_000).await;
    let rig = Rig { token: app.token(Role::Operator).await, app };
    let input = json!({"name": "x", "content": {"upload": {"size": 3_000_001}}});
    let (code, message, path) = rig.refused("createDeliverable", input).await;
    assert_eq!((code.as_str(), path.as_str()), ("INVALID", "input.size"));
    assert!(message.contains("3000000"), "{message}");
    let upload = rig.begin(json!({"name": "x", "content": {"upload": {}}})).await;
    assert_eq!(rig.put(&upload, noise(3_000_001)).await.status(), 413);
    let all = stream::iter((0..40).map(|_| Ok::<_, std::io::Error>(vec![7_u8; 100_000])));
    assert_eq!(rig.put(&upload, reqwest::Body::wrap_stream(all)).await.status(), 413);
    assert_eq!(rig.files(), [""; 0].map(std::path::PathBuf::from));
    assert_eq!(rig.put(&upload, noise(3_000_000)).await.status(), 201, "it can be sent again");
}

#[rstest]
#[tokio::test]
async fn a_connection_that_breaks_leaves_nothing(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let upload = rig.begin(json!({"name": "x.bin", "content": {"upload": {}}})).await;
    let id = text(&upload, "/deliverableId").to_owned();
    let content = noise(4 * 1024 * 1024);
    let mut raw = Raw::connect(&rig.app).await;
    raw.send(format!(
        "PUT /deliverables/{id}/content HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {}\r\ncontent-length: {}\r\n\r\n",
        text(&upload, "/token"),
        content.len()
    ))
    .await;
    raw.send(&content[..3 * 1024 * 1024]).await;
    rig.until_files(1).await;
    drop(raw);
    rig.until_files(0).await;
    assert_eq!(rig.find(&id).await, Value::Null);
    assert_eq!(rig.put(&upload, content).await.status(), 201, "it can be sent again");
}

#[rstest]
#[tokio::test]
async fn a_token_is_for_one_upload_and_a_while(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let upload = rig.begin(json!({"name": "x", "content": {"upload": {}}})).await;
    let other = rig.begin(json!({"name": "y", "content": {"upload": {}}})).await;
    let made = rig.text("z", "z").await;
    let url = text(&upload, "/url");
    let put = async |token: &str| {
        rig.app.http.put(url).bearer_auth(token).body("x").send().await.expect("an answer").status()
    };
    assert_eq!(put(text(&other, "/token")).await, 401, "that of another upload");
    assert_eq!(put(&rig.token).await, 401, "that of a caller");
    assert_eq!(put("nonsense").await, 401);
    let link = "query($id: ID!) { deliverable(id: $id) { version { contentUrl } } }";
    let link = rig.graphql(link, json!({"id": made["id"]})).await;
    let link = text(&link, "/data/deliverable/version/contentUrl").split("token=").nth(1).expect("a token").to_owned();
    assert_eq!(put(&link).await, 401, "that of a link for reading");
    assert_eq!(rig.app.http.put(url).body("x").send().await.expect("an answer").status(), 401);
    rig.app.clock.advance(chrono::Duration::hours(2));
    assert_eq!(put(text(&upload, "/token")).await, 401, "it has expired");
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
}

#[rstest]
#[tokio::test]
async fn what_was_made_during_a_task_is_kept_after_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let execution = rig.execution().await;
    let task = rig.app.claim_next("q").await;
    let upload = rig.begin(json!({"name": "x", "leaseToken": task.lease.token(), "content": {"upload": {}}})).await;
    rig.app.complete(&task, "{}").await.expect("completed");
    rig.app.wait_for_end(execution).await;
    assert_eq!(rig.put(&upload, "late, but made in time").await.status(), 201);
    let made = rig.find(text(&upload, "/deliverableId")).await;
    assert_eq!((&made["stepKey"], &made["execution"]["id"]), (&json!("write"), &json!(execution.to_string())));
}
