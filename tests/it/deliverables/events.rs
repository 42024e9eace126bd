//! Watching deliverables.

use countersign::domain::id::ExecutionId;
use rstest::rstest;
use serde_json::{Value, json};

use super::Rig;
use crate::support::{Database, Process, Socket, TestClock, at, text};

const WATCH: &str =
    "subscription($execution: ID, $after: String) { deliverableEvents(executionId: $execution, after: $after) {
    __typename cursor deliverableName versionNumber actor { kind } execution { id } deliverable { id status } } }";

async fn next(socket: &mut Socket) -> Value {
    let message = socket.next().await;
    assert_eq!(message["type"], "next", "{message}");
    at(&message, "/payload/data/deliverableEvents").clone()
}

fn kind(event: &Value) -> (&str, &str, i64) {
    let number = event["versionNumber"].as_i64().expect("a number");
    (text(event, "/__typename"), text(event, "/deliverableName"), number)
}

/// A deliverable's whole life.
async fn live(rig: &Rig, input: Value) -> String {
    let id = text(&rig.change("createDeliverable", input).await, "/id").to_owned();
    let by_id = |mut input: Value| {
        input["deliverableId"] = json!(id);
        input
    };
    rig.change("updateDeliverable", by_id(json!({"name": "b"}))).await;
    rig.change("addDeliverableVersion", by_id(json!({"content": {"text": "2"}}))).await;
    rig.change("finalizeDeliverable", by_id(json!({}))).await;
    rig.change("archiveDeliverable", by_id(json!({}))).await;
    rig.change("restoreDeliverable", by_id(json!({}))).await;
    id
}

const LIFE: [(&str, &str, i64); 6] = [
    ("DeliverableCreated", "a", 1),
    ("DeliverableUpdated", "b", 1),
    ("DeliverableUpdated", "b", 2),
    ("DeliverableFinalized", "b", 2),
    ("DeliverableArchived", "b", 2),
    ("DeliverableRestored", "b", 2),
];

/// An event without its deliverable's status, which is that of the moment at which it is sent.
fn as_told(event: &Value) -> Value {
    let mut event = event.clone();
    event["deliverable"]["status"] = Value::Null;
    event
}

#[rstest]
#[tokio::test]
async fn everything_that_happens_is_told_and_can_be_told_again(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let execution = rig.execution().await.to_string();
    let before = rig.text("before", "x").await;
    let query = "query($id: ID!) { execution(id: $id) { events { nodes { cursor } } } }";
    let before = rig.graphql(query, json!({"id": before["execution"]["id"]})).await;
    let before =
        at(&before, "/data/execution/events/nodes").as_array().expect("nodes").last().expect("one")["cursor"].clone();
    let mut all = Socket::open(&rig.app, &rig.token).await;
    all.subscribe("1", WATCH, json!({"after": before})).await;
    let mut one = Socket::open(&rig.app, &rig.token).await;
    one.subscribe("1", WATCH, json!({"execution": execution, "after": before})).await;
    live(&rig, json!({"name": "a", "content": {"text": "1"}})).await;
    let id = live(&rig, json!({"name": "a", "executionId": execution, "content": {"text": "1"}})).await;
    let (mut told, mut cursors) = (Vec::new(), Vec::new());
    for _ in 0..2 * LIFE.len() {
        told.push(next(&mut all).await);
    }
    assert_eq!(told.iter().map(kind).collect::<Vec<_>>(), [LIFE, LIFE].concat());
    for event in &told[LIFE.len()..] {
        let other = next(&mut one).await;
        assert_eq!(as_told(&other), as_told(event), "the same event, with the same cursor");
        assert_eq!((&other["execution"]["id"], &other["deliverable"]["id"]), (&json!(execution), &json!(id)));
        cursors.push(other["cursor"].clone());
    }
    // From any of them on, once each.
    for (position, cursor) in cursors.iter().enumerate() {
        let mut again = Socket::open(&rig.app, &rig.token).await;
        again.subscribe("1", WATCH, json!({"execution": execution, "after": cursor})).await;
        for expected in &LIFE[position + 1..] {
            assert_eq!(kind(&next(&mut again).await), *expected);
        }
    }
    // They are part of what happened to the execution, whose rows they do not touch.
    let query =
        "query($id: ID!) { execution(id: $id) { events(types: [DELIVERABLE_CREATED, DELIVERABLE_FINALIZED]) { nodes {
        __typename ... on DeliverableCreated { deliverable { id } } } } } }";
    let events = rig.graphql(query, json!({"id": execution})).await;
    let nodes = at(&events, "/data/execution/events/nodes").as_array().expect("nodes");
    assert_eq!(nodes.last().map(|node| text(node, "/__typename")), Some("DeliverableFinalized"));
    rig.app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn an_execution_of_another_workspace_cannot_be_watched(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let mut socket = Socket::open(&rig.app, &rig.token).await;
    let unknown = ExecutionId(uuid::Uuid::from_u128(7)).to_string();
    socket.subscribe("1", WATCH, json!({"execution": unknown})).await;
    let message = socket.next().await;
    assert!(message.to_string().contains("there is no execution"), "{message}");
    socket.subscribe("2", WATCH, json!({"after": "nonsense"})).await;
    let message = socket.next().await;
    assert!(message.to_string().contains("is not a cursor"), "{message}");
}

#[tokio::test]
async fn what_one_server_takes_another_one_tells() {
    let (fresh, clock) = (Database::Postgres.fresh().await, TestClock::default());
    let one = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    let other = Process::start(fresh, clock, |_| {}).await;
    let token = one.token(countersign::domain::role::Role::Operator).await;
    let mut socket = Socket::open(&other, &token).await;
    let begin = |after: Value| json!({"after": after});
    let create =
        "mutation($n: String!) { createDeliverable(input: {name: $n, content: {text: $n}}) { deliverable { id } } }";
    one.graphql(&token, create, json!({"n": "first"})).await;
    let events =
        "{ deliverables { nodes { execution { events(types: [DELIVERABLE_CREATED]) { nodes { cursor } } } } } }";
    let found = one.graphql(&token, events, json!({})).await;
    let cursor = at(&found, "/data/deliverables/nodes/0/execution/events/nodes/0/cursor").clone();
    socket.subscribe("1", WATCH, begin(cursor)).await;
    for number in 0..50 {
        let (app, name) = (if number % 2 == 0 { &one } else { &other }, format!("n{number}"));
        app.graphql(&token, create, json!({"n": name})).await;
    }
    for number in 0..50 {
        assert_eq!(text(&next(&mut socket).await, "/deliverableName"), format!("n{number}"));
    }
}
