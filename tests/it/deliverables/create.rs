//! Handing in, and finding again.

use countersign::domain::{execution::CompletionReason, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rig, sha256};
use crate::support::{Database, at, text};

#[rstest]
#[tokio::test]
async fn a_text_is_kept_with_all_that_is_known_of_it(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let content = "# Résumé\n\n- one\n- two\n";
    let made = rig
        .change(
            "createDeliverable",
            json!({"name": "résumé.md", "description": "what it says", "content": {"text": content}}),
        )
        .await;
    assert_eq!(made["name"], "résumé.md");
    assert_eq!(
        (&made["type"], &made["status"], &made["versionNumber"]),
        (&json!("DOCUMENT"), &json!("DRAFT"), &json!(1))
    );
    let version = &made["version"];
    assert_eq!(version["mimeType"], "text/markdown; charset=utf-8", "told from the content");
    assert_eq!((&version["storage"], &version["size"]), (&json!("INLINE"), &json!(content.len() as f64)));
    assert_eq!(version["sha256"], sha256(content.as_bytes()));
    assert_eq!(made["createdBy"], json!({"kind": "API_TOKEN", "displayName": "test OPERATOR"}));
    assert_eq!(made["execution"]["status"], "COMPLETED", "what stands alone has an execution of its own");
    let id = text(&made, "/id");
    assert_eq!(rig.find(id).await, made);
    assert_eq!(rig.content(id).await, content.as_bytes());
    let node =
        rig.graphql("query($id: ID!) { node(id: $id) { id ... on Deliverable { name } } }", json!({"id": id})).await;
    assert_eq!(at(&node, "/data/node/name"), "résumé.md");
    rig.app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_worker_hands_in_while_it_holds_its_task(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let execution = rig.execution().await;
    let task = rig.app.claim_next("q").await;
    let input = |name: &str| json!({"name": name, "leaseToken": task.lease.token(), "content": {"text": "a,b\n1,2\n"}});
    let made = rig.change("createDeliverable", input("table.csv")).await;
    assert_eq!((&made["stepKey"], &made["agent"]["name"]), (&json!("write"), &json!("Writer")));
    assert_eq!((&made["type"], &made["execution"]["id"]), (&json!("DATA"), &json!(execution.to_string())));
    rig.app.complete(&task, "{}").await.expect("completed");
    rig.app.ends(execution, CompletionReason::Success).await;
    let (code, message, path) = rig.refused("createDeliverable", input("late.csv")).await;
    assert_eq!((code.as_str(), path.as_str()), ("EXPIRED", "input.leaseToken"));
    assert!(message.contains("COMPLETED"), "{message}");
    // Whoever looks at it afterwards may still add to it.
    let note = json!({"name": "note.txt", "executionId": execution.to_string(), "content": {"text": "checked"}});
    rig.change("createDeliverable", note).await;
    let query = "query($id: ID!) { execution(id: $id) { deliverables(first: 1) { totalCount nodes { name } pageInfo {
        hasNextPage endCursor } } } }";
    let answer = rig.graphql(query, json!({"id": execution.to_string()})).await;
    assert_eq!(at(&answer, "/data/execution/deliverables/nodes"), &json!([{"name": "table.csv"}]));
    assert_eq!(at(&answer, "/data/execution/deliverables/totalCount"), 2);
    assert_eq!(at(&answer, "/data/execution/deliverables/pageInfo/hasNextPage"), true);
    rig.app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn what_failed_and_was_cancelled_keeps_what_it_made(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let execution = rig.execution().await;
    let task = rig.app.claim_next("q").await;
    let input = json!({"name": "half.txt", "leaseToken": task.lease.token(), "content": {"text": "as far as it got"}});
    let made = rig.change("createDeliverable", input).await;
    let cancel = "mutation($id: ID!) { cancelExecution(input: {executionId: $id}) { execution { status } } }";
    rig.graphql(cancel, json!({"id": execution.to_string()})).await;
    rig.app.ends(execution, CompletionReason::Cancelled).await;
    let kept = rig.find(text(&made, "/id")).await;
    assert_eq!((&kept["status"], &kept["execution"]["status"]), (&json!("DRAFT"), &json!("CANCELLED")));
    assert_eq!(rig.content(text(&made, "/id")).await, b"as far as it got");
}

#[rstest]
#[tokio::test]
async fn the_same_key_hands_in_once(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let input = |text: &str| json!({"name": "a.txt", "idempotencyKey": "k", "content": {"text": text}});
    let (first, second) =
        tokio::join!(rig.change("createDeliverable", input("x")), rig.change("createDeliverable", input("x")));
    assert_eq!(first, second);
    let (code, _, path) = rig.refused("createDeliverable", input("y")).await;
    assert_eq!((code.as_str(), path.as_str()), ("IDEMPOTENCY_KEY_REUSED", "input.idempotencyKey"));
    let upload = json!({"name": "b.bin", "idempotencyKey": "u", "content": {"upload": {}}});
    let (first, second) = (rig.begin(upload.clone()).await, rig.begin(upload.clone()).await);
    assert_eq!(first["deliverableId"], second["deliverableId"], "the same upload");
    assert_eq!(rig.put(&second, "abc").await.status(), 201);
    let made = rig.mutate("createDeliverable", upload).await;
    assert_eq!(made["deliverable"]["id"], first["deliverableId"], "the key knows what came of it");
}

#[rstest]
#[tokio::test]
async fn lists_are_filtered_counted_and_paged(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let execution = rig.execution().await;
    let task = rig.app.claim_next("q").await;
    let names = ["Plan A.md", "plan b.md", "data.csv", "100%_sure.txt"];
    for name in names {
        let content = if name.ends_with("csv") { "a,b\n1,2\n" } else { "# A\n\n## B\n" };
        let input = json!({"name": name, "leaseToken": task.lease.token(), "content": {"text": content}});
        rig.change("createDeliverable", input).await;
    }
    let alone = rig.text("alone.txt", "x").await;
    rig.change("archiveDeliverable", json!({"deliverableId": alone["id"]})).await;
    let agent =
        at(&rig.graphql("{ agentByName(name: \"Writer\") { id } }", json!({})).await, "/data/agentByName/id").clone();
    let found = async |filter: Value| -> Vec<String> {
        let query = "query($filter: DeliverableFilter) { deliverables(filter: $filter, orderBy: {field: AGE,
            direction: ASC}) { totalCount nodes { name } } }";
        let answer = rig.graphql(query, json!({"filter": filter})).await;
        let nodes = at(&answer, "/data/deliverables/nodes").as_array().expect("nodes");
        assert_eq!(at(&answer, "/data/deliverables/totalCount"), nodes.len());
        nodes.iter().map(|node| text(node, "/name").to_owned()).collect()
    };
    assert_eq!(found(json!({})).await.len(), 5);
    assert_eq!(found(json!({"search": "PLAN"})).await, ["Plan A.md", "plan b.md"]);
    assert_eq!(found(json!({"search": "%_"})).await, ["100%_sure.txt"], "signs stand for themselves");
    assert_eq!(found(json!({"type": ["DATA"]})).await, ["data.csv"]);
    assert_eq!(found(json!({"status": ["ARCHIVED"]})).await, ["alone.txt"]);
    assert_eq!(found(json!({"executionId": execution.to_string()})).await, names);
    assert_eq!(found(json!({"agentId": agent})).await, names);
    assert_eq!(found(json!({"from": "2000-01-01T00:00:00Z"})).await.len(), 5);
    assert_eq!(found(json!({"until": "2000-01-01T00:00:00Z"})).await, [""; 0]);
    let counts = "{ deliverableCounts { byStatus { status count } byType { type count } } }";
    let counts = rig.graphql(counts, json!({})).await;
    assert_eq!(
        at(&counts, "/data/deliverableCounts/byStatus"),
        &json!([{"status": "DRAFT", "count": 4}, {"status": "FINAL", "count": 0}, {"status": "ARCHIVED", "count": 1}])
    );
    let query =
        "query($after: String) { deliverables(first: 2, after: $after, orderBy: {field: CHANGE, direction: DESC}) {
        nodes { name } pageInfo { hasNextPage endCursor } } }";
    let (mut seen, mut after) = (Vec::new(), Value::Null);
    loop {
        let answer = rig.graphql(query, json!({"after": after})).await;
        let page = at(&answer, "/data/deliverables");
        seen.extend(page["nodes"].as_array().expect("nodes").iter().map(|node| text(node, "/name").to_owned()));
        after = at(page, "/pageInfo/endCursor").clone();
        if page["pageInfo"]["hasNextPage"] == false {
            break;
        }
    }
    assert_eq!(seen.len(), 5);
    assert_eq!(seen[0], "alone.txt", "it was archived last");
}

#[rstest]
#[tokio::test]
async fn another_workspace_sees_nothing(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let made = rig.text("secret.txt", "x").await;
    let (id, execution) = (text(&made, "/id"), text(&made, "/execution/id"));
    let other = rig.app.create_workspace("other").await;
    let scope = countersign::domain::access::Scope::system(other.id);
    let stranger = Rig { token: rig.app.token_in(scope, Role::Admin).await, ..rig };
    assert_eq!(stranger.find(id).await, Value::Null);
    assert_eq!(stranger.get(&format!("/deliverables/{id}/content")).await.status(), 404);
    assert_eq!(stranger.get(&format!("/executions/{execution}/deliverables.zip")).await.status(), 404);
    for mutation in ["finalizeDeliverable", "archiveDeliverable", "restoreDeliverable", "updateDeliverable"] {
        let (code, _, path) = stranger.refused(mutation, json!({"deliverableId": id})).await;
        assert_eq!((code.as_str(), path.as_str()), ("NOT_FOUND", "input.deliverableId"), "{mutation}");
    }
    let input = json!({"deliverableId": id, "content": {"text": "y"}});
    assert_eq!(stranger.refused("addDeliverableVersion", input).await.0, "NOT_FOUND");
    let input = json!({"name": "x", "executionId": execution, "content": {"text": "y"}});
    assert_eq!(stranger.refused("createDeliverable", input).await.0, "NOT_FOUND");
    let compare = "query($id: ID!) { compareDeliverableVersions(deliverableId: $id, from: 1, to: 1) { diff } }";
    assert!(text(&stranger.graphql(compare, json!({"id": id})).await, "/errors/0/message").contains("no deliverable"));
}
