//! New content, and what becomes of the old.

use countersign::{domain::role::Role, engine::janitor};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rig, noise};
use crate::support::{Database, at, text};

#[rstest]
#[tokio::test]
async fn new_content_is_a_new_version_and_the_old_stays(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let made = rig.text("plan.md", "# Plan\n\none\ntwo\n").await;
    let id = text(&made, "/id");
    let input = json!({"deliverableId": id, "baseVersion": 1, "content": {"text": "# Plan\n\none\nthree\n"}});
    let second = rig.change("addDeliverableVersion", input.clone()).await;
    assert_eq!((&second["versionNumber"], &second["version"]["number"]), (&json!(2), &json!(2)));
    let (code, message, path) = rig.refused("addDeliverableVersion", input).await;
    assert_eq!((code.as_str(), path.as_str()), ("CONFLICT", "input.baseVersion"), "{message}");
    let large = noise(2 * 1024 * 1024);
    let upload = json!({"deliverableId": id, "content": {"upload": {}}});
    let upload = rig.mutate("addDeliverableVersion", upload).await["upload"].clone();
    assert_eq!(upload["deliverableId"], id);
    assert_eq!(rig.find(id).await["versionNumber"], 2, "not before its content is there");
    assert_eq!(rig.put(&upload, large.clone()).await.status(), 201);
    assert_eq!(rig.content(id).await, large);
    let old = rig.get(&format!("/deliverables/{id}/content?version=1")).await;
    assert_eq!(old.text().await.expect("a body"), "# Plan\n\none\ntwo\n");
    assert_eq!(rig.get(&format!("/deliverables/{id}/content?version=4")).await.status(), 404);
    assert_eq!(rig.get(&format!("/deliverables/{id}/content?version=x")).await.status(), 400);
    let query = "query($id: ID!, $after: String) { deliverable(id: $id) { versions(first: 2, after: $after) {
        totalCount nodes { number storage } pageInfo { endCursor hasNextPage } } } }";
    let page = rig.graphql(query, json!({"id": id})).await;
    let page = at(&page, "/data/deliverable/versions");
    assert_eq!(page["nodes"], json!([{"number": 3, "storage": "FILE"}, {"number": 2, "storage": "INLINE"}]));
    assert_eq!((&page["totalCount"], &page["pageInfo"]["hasNextPage"]), (&json!(3), &json!(true)));
    let rest = rig.graphql(query, json!({"id": id, "after": page["pageInfo"]["endCursor"]})).await;
    assert_eq!(at(&rest, "/data/deliverable/versions/nodes"), &json!([{"number": 1, "storage": "INLINE"}]));
}

#[rstest]
#[tokio::test]
async fn versions_are_compared_line_by_line(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let made = rig.text("a.txt", "one\ntwo\nthree\n").await;
    let id = text(&made, "/id");
    rig.change("addDeliverableVersion", json!({"deliverableId": id, "content": {"text": "one\n2\nthree\n"}})).await;
    let compare = async |from: i32, to: i32| {
        let query =
            "query($id: ID!, $from: Int!, $to: Int!) { compareDeliverableVersions(deliverableId: $id, from: $from,
            to: $to) { from { number } to { number } identical diff addedLines removedLines reason } }";
        rig.graphql(query, json!({"id": id, "from": from, "to": to})).await
    };
    let found = compare(1, 2).await;
    let expected = "--- a.txt (version 1)\n+++ a.txt (version 2)\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
    assert_eq!(
        at(&found, "/data/compareDeliverableVersions"),
        &json!({"from": {"number": 1}, "to": {"number": 2}, "identical": false, "diff": expected,
            "addedLines": 1, "removedLines": 1, "reason": null})
    );
    assert_eq!(at(&compare(2, 2).await, "/data/compareDeliverableVersions/identical"), true);
    assert!(text(&compare(1, 3).await, "/errors/0/message").contains("versions 1 to 2"));
    let binary = json!({"deliverableId": id, "content": {"base64": "AAEC/w=="}});
    rig.change("addDeliverableVersion", binary).await;
    let found = compare(1, 3).await;
    assert_eq!(at(&found, "/data/compareDeliverableVersions/diff"), &Value::Null);
    assert_eq!(text(&found, "/data/compareDeliverableVersions/reason"), "version 3 is not text");
}

#[rstest]
#[tokio::test]
async fn what_is_final_is_frozen(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let made = rig.text("a.txt", "one").await;
    let id = text(&made, "/id");
    let renamed = rig.change("updateDeliverable", json!({"deliverableId": id, "name": "b.txt", "type": "DATA"})).await;
    assert_eq!(
        (&renamed["name"], &renamed["type"], &renamed["description"]),
        (&json!("b.txt"), &json!("DATA"), &json!(""))
    );
    let (code, _, path) = rig.refused("finalizeDeliverable", json!({"deliverableId": id, "version": 2})).await;
    assert_eq!((code.as_str(), path.as_str()), ("STALE", "input.version"));
    let done = rig.change("finalizeDeliverable", json!({"deliverableId": id, "version": 1})).await;
    assert_eq!(done["status"], "FINAL");
    assert_eq!(rig.change("finalizeDeliverable", json!({"deliverableId": id})).await, done, "twice is once");
    let (code, message, _) = rig.refused("updateDeliverable", json!({"deliverableId": id, "name": "c"})).await;
    assert_eq!(code, "CONFLICT");
    assert!(message.contains("FINAL"), "{message}");
    let next = rig.change("addDeliverableVersion", json!({"deliverableId": id, "content": {"text": "two"}})).await;
    assert_eq!((&next["status"], &next["versionNumber"]), (&json!("DRAFT"), &json!(2)));
    // Archived and back, as it was before.
    rig.change("finalizeDeliverable", json!({"deliverableId": id})).await;
    let archived = rig.change("archiveDeliverable", json!({"deliverableId": id})).await;
    assert_eq!(archived["status"], "ARCHIVED");
    assert_ne!(archived["archivedAt"], Value::Null);
    assert_eq!(rig.content(id).await, b"two", "it can still be read");
    for (mutation, input) in [
        ("finalizeDeliverable", json!({"deliverableId": id})),
        ("updateDeliverable", json!({"deliverableId": id, "name": "c"})),
        ("addDeliverableVersion", json!({"deliverableId": id, "content": {"text": "three"}})),
    ] {
        assert_eq!(rig.refused(mutation, input).await.0, "CONFLICT", "{mutation}");
    }
    let restored = rig.change("restoreDeliverable", json!({"deliverableId": id})).await;
    assert_eq!((&restored["status"], &restored["archivedAt"]), (&json!("FINAL"), &Value::Null));
    let admin = rig.app.token(Role::Admin).await;
    let query = "{ auditEntries(first: 10, filter: {actions: [DELIVERABLE_FINALIZED, DELIVERABLE_ARCHIVED,
        DELIVERABLE_RESTORED]}) { nodes { action subjectId actor { kind } } } }";
    let log = rig.app.graphql(&admin, query, json!({})).await;
    let actions: Vec<&str> = at(&log, "/data/auditEntries/nodes")
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| text(node, "/action"))
        .collect();
    assert_eq!(
        actions,
        ["DELIVERABLE_RESTORED", "DELIVERABLE_ARCHIVED", "DELIVERABLE_FINALIZED", "DELIVERABLE_FINALIZED"]
    );
    assert_eq!(at(&log, "/data/auditEntries/nodes/0/subjectId"), id);
}

#[rstest]
#[tokio::test]
async fn two_at_once_make_two_versions(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let made = rig.text("a.txt", "0").await;
    let id = text(&made, "/id");
    let add = async |n: usize| {
        let input = json!({"deliverableId": id, "content": {"text": n.to_string()}});
        rig.change("addDeliverableVersion", input).await
    };
    futures_util::future::join_all((1..=10).map(add)).await;
    let found = rig.find(id).await;
    assert_eq!(found["versionNumber"], 11);
    let mut contents = Vec::new();
    for number in 1..=11 {
        let response = rig.get(&format!("/deliverables/{id}/content?version={number}")).await;
        contents.push(response.text().await.expect("a body").parse::<usize>().expect("a number"));
    }
    contents.sort_unstable();
    assert_eq!(contents, (0..=10).collect::<Vec<_>>(), "each is there, once");
}

#[rstest]
#[tokio::test]
async fn retention_deletes_content_and_keeps_the_record(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let admin = rig.app.token(Role::Admin).await;
    let set = "mutation($days: Int) { setDeliverableRetention(input: {days: $days}) {
        workspace { deliverableRetentionDays } userErrors { message path } } }";
    let answer = rig.app.graphql(&admin, set, json!({"days": 0})).await;
    assert_eq!(at(&answer, "/data/setDeliverableRetention/userErrors/0/path"), &json!(["input", "days"]));
    let answer = rig.app.graphql(&admin, set, json!({"days": 30})).await;
    assert_eq!(at(&answer, "/data/setDeliverableRetention/workspace/deliverableRetentionDays"), 30);
    let small = text(&rig.text("small.txt", "small").await, "/id").to_owned();
    let large = rig.upload("large.bin", noise(2 * 1024 * 1024)).await;
    let kept = rig.upload("kept.bin", noise(2 * 1024 * 1024)).await;
    let before = rig.find(&large).await;
    for id in [&small, &large] {
        rig.change("archiveDeliverable", json!({"deliverableId": id})).await;
    }
    rig.app.clock.advance(chrono::Duration::days(29));
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
    assert_eq!((rig.files().len(), rig.content(&small).await), (2, b"small".to_vec()), "not yet");
    rig.app.clock.advance(chrono::Duration::days(2));
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
    assert_eq!(rig.files().len(), 1, "the file of what nobody archived");
    for id in [&small, &large] {
        let gone = rig.get(&format!("/deliverables/{id}/content")).await;
        assert_eq!(gone.status(), 410);
        assert_eq!(rig.refused("restoreDeliverable", json!({"deliverableId": id})).await.0, "CONFLICT");
    }
    let after = rig.find(&large).await;
    assert_eq!((&after["name"], &after["version"]), (&before["name"], &before["version"]), "hash and size stay");
    assert_eq!(rig.content(&kept).await.len(), 2 * 1024 * 1024);
    let query =
        "{ auditEntries(filter: {actions: [DELIVERABLE_CONTENT_DELETED]}) { nodes { actor { kind } details } } }";
    let log = rig.app.graphql(&admin, query, json!({})).await;
    assert_eq!(at(&log, "/data/auditEntries/nodes").as_array().expect("nodes").len(), 2);
    assert_eq!(at(&log, "/data/auditEntries/nodes/0/actor/kind"), "SYSTEM");
    assert_eq!(rig.app.graphql(&admin, set, json!({"days": null})).await["errors"], Value::Null);
}
