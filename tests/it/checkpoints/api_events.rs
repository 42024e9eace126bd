//! Checkpoints as they happen.

use std::collections::HashSet;

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    api::{DECIDED, approve, mutate, parked, payment},
    api_people::group,
};
use crate::{
    executions::api::start,
    support::{Database, EventStream, Socket, TestApp, at, text},
};

const EVENT: &str = "__typename cursor at actor { kind } execution { id } checkpoint { id status }";

fn watching(arguments: &str, selection: &str) -> String {
    format!("subscription($after: String) {{ checkpointEvents(after: $after{arguments}) {{ {selection} }} }}")
}

async fn next(stream: &mut EventStream) -> Value {
    let event = stream.next().await;
    event.pointer("/data/checkpointEvents").unwrap_or_else(|| panic!("{event}")).clone()
}

#[rstest]
#[tokio::test]
async fn what_waits_is_told_first_also_after_a_restart(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = TestApp::start(database).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let workflow = payment(&app, json!({})).await;
    let mut found = Vec::new();
    for amount in 0..4 {
        found.push(parked(&app, &operator, &workflow, json!({"amount": amount})).await);
    }
    approve(&app, &approver, &found[1]).await;
    app.stop().await;
    let app = TestApp::start_on(app.database.clone(), app.clock.clone(), |_| {}).await;

    let everything = watching("", EVENT);
    let mut stream = EventStream::open(&app, &operator, &everything, json!({})).await;
    let mut told = Vec::new();
    for expected in [0, 2, 3] {
        let event = next(&mut stream).await;
        assert_eq!(event["__typename"], "CheckpointRequested");
        assert_eq!(at(&event, "/checkpoint"), &json!({"id": found[expected]["id"], "status": "PENDING"}));
        told.push(event);
    }
    // Whoever loses the connection in between goes on there, and misses nothing that happened meanwhile.
    approve(&app, &approver, &found[3]).await;
    let after = json!({"after": told[0]["cursor"]});
    let mut resumed = EventStream::open(&app, &operator, &everything, after).await;
    assert_eq!(at(&next(&mut resumed).await, "/checkpoint/id"), &found[2]["id"]);
    for stream in [&mut stream, &mut resumed] {
        for kind in ["CheckpointDecided", "CheckpointApproved"] {
            let event = next(stream).await;
            assert_eq!((&event["__typename"], at(&event, "/checkpoint/id")), (&json!(kind), &found[3]["id"]));
        }
    }
    // The same cursor works for other streams, as the place of its event in the journal.
    let query =
        "subscription($id: ID!, $after: String) { executionEvents(executionId: $id, after: $after) { __typename } }";
    let variables = json!({"id": found[0]["execution"]["id"], "after": told[0]["cursor"]});
    let mut of_execution = EventStream::open(&app, &operator, query, variables).await;

    let mut now = EventStream::open(&app, &operator, &watching(", pending: false", EVENT), json!({})).await;
    let reject = json!({"checkpointId": found[0]["id"], "digest": found[0]["digest"], "reason": "no"});
    mutate(&app, &approver, "rejectCheckpoint", reject, DECIDED).await;
    for stream in [&mut stream, &mut resumed, &mut now] {
        for kind in ["CheckpointDecided", "CheckpointRejected"] {
            assert_eq!(next(stream).await["__typename"], kind);
        }
    }
    for kind in ["CheckpointDecided", "CheckpointRejected", "ExecutionCancelled"] {
        assert_eq!(at(&of_execution.next().await, "/data/executionEvents/__typename"), kind);
    }
}

/// More than fit on a page, while more come: each exactly once.
#[rstest]
#[tokio::test]
async fn there_is_no_gap_between_what_waits_and_what_comes(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    let ask = async |number: usize| {
        let input =
            json!({"operationType": "x", "description": number.to_string(), "parameters": {}, "riskLevel": "LOW"});
        let payload = mutate(&app, &operator, "requestApproval", input, "checkpoint { id }").await;
        text(&payload, "/checkpoint/id").to_owned()
    };
    let mut made = HashSet::new();
    for number in 0..230 {
        made.insert(ask(number).await);
    }
    let query = watching(", filter: {types: [CHECKPOINT_REQUESTED]}", "cursor checkpoint { id }");
    let mut stream = EventStream::open(&app, &operator, &query, json!({})).await;
    let mut seen: Vec<Value> = Vec::new();
    for number in 230..260 {
        made.insert(ask(number).await);
        seen.push(next(&mut stream).await);
    }
    let mut resumed = EventStream::open(&app, &operator, &query, json!({"after": seen[20]["cursor"]})).await;
    let mut again = seen[..=20].to_vec();
    while seen.len() < 260 {
        seen.push(next(&mut stream).await);
    }
    while again.len() < 260 {
        again.push(next(&mut resumed).await);
    }
    for told in [&seen, &again] {
        let ids: HashSet<String> = told.iter().map(|event| text(event, "/checkpoint/id").to_owned()).collect();
        assert_eq!(ids, made);
    }
}

#[tokio::test]
async fn every_kind_of_event_shows_what_belongs_to_it() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy("{version: '1.0', checkpoints: [{name: Two, trigger: {operation_type: pay}, action: {require_approval_count: 2}}]}")
        .await;
    let operator = app.token(Role::Operator).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let bob = app.person("bob@example.com", &[Role::Approver]).await;
    let workflow = payment(&app, json!({})).await;
    let selection = "__typename actor { kind user { email } } checkpoint { id }
        ... on CheckpointRequested { digest proposal { parameters } }
        ... on CheckpointDecided { decision { verdict revision comment lapsed by { user { email } } } }
        ... on CheckpointRevised { revision cause digest proposal { parameters } }
        ... on CheckpointDecisionLapsed { decision { revision lapsed by { user { email } } } }
        ... on CheckpointRejected { reason }
        ... on CheckpointAssigned { assignee { email } }
        ... on CheckpointDelegated { from { email } to { email } }
        ... on CheckpointCommented { commentId text }
        ... on CheckpointQuestioned { questionId text }
        ... on CheckpointAnswered { questionId text }";
    let mut stream = EventStream::open(&app, &operator, &watching("", selection), json!({})).await;
    let everything = "subscription { workspaceEvents { __typename ... on CheckpointEvent { checkpoint { id } } } }";
    let mut workspace = EventStream::open(&app, &operator, everything, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5})).await;
    let of = |fields: Value| {
        let mut input = fields;
        input["checkpointId"] = found["id"].clone();
        input
    };
    approve(&app, &ada.access_token, &found).await;
    let modified = of(json!({"digest": found["digest"], "modifiedParameters": {"amount": 4}, "comment": "less"}));
    let payload = mutate(&app, &bob.access_token, "approveCheckpoint", modified, DECIDED).await;
    let selection = "userErrors { message } checkpoint { questions { id } }";
    for (who, field, input) in [
        (&ada, "claimCheckpoint", json!({})),
        (&ada, "delegateCheckpoint", json!({"userId": bob.id})),
        (&ada, "commentOnCheckpoint", json!({"comment": "hm"})),
    ] {
        mutate(&app, &who.access_token, field, of(input), selection).await;
    }
    let asked = mutate(&app, &ada.access_token, "askAboutCheckpoint", of(json!({"question": "why?"})), selection).await;
    let question = at(&asked, "/checkpoint/questions/0/id");
    let answer = of(json!({"questionId": question, "answer": "so"}));
    let answered = mutate(&app, &operator, "answerAboutCheckpoint", answer, "checkpoint { digest }").await;
    let reject = of(json!({"digest": at(&answered, "/checkpoint/digest"), "reason": "no"}));
    mutate(&app, &ada.access_token, "rejectCheckpoint", reject, DECIDED).await;

    let (ada, bob) = (json!({"email": "ada@example.com"}), json!({"email": "bob@example.com"}));
    let by = |user: &Value| json!({"user": user});
    let expected = [
        json!({"__typename": "CheckpointRequested", "digest": found["digest"], "proposal": {"parameters": {"amount": 5}}}),
        json!({"__typename": "CheckpointDecided", "decision": {"verdict": "APPROVE", "revision": 1, "comment": null, "lapsed": false, "by": by(&ada)}}),
        json!({"__typename": "CheckpointRevised", "revision": 2, "cause": "MODIFIED", "digest": at(&payload, "/checkpoint/digest"), "proposal": {"parameters": {"amount": 4}}}),
        json!({"__typename": "CheckpointDecisionLapsed", "decision": {"revision": 1, "lapsed": true, "by": by(&ada)}}),
        json!({"__typename": "CheckpointDecided", "decision": {"verdict": "APPROVE", "revision": 2, "comment": "less", "lapsed": false, "by": by(&bob)}}),
        json!({"__typename": "CheckpointAssigned", "assignee": ada}),
        json!({"__typename": "CheckpointDelegated", "from": ada, "to": bob}),
        json!({"__typename": "CheckpointCommented", "text": "hm"}),
        json!({"__typename": "CheckpointQuestioned", "questionId": question, "text": "why?"}),
        json!({"__typename": "CheckpointAnswered", "questionId": question, "text": "so"}),
        json!({"__typename": "CheckpointRevised", "revision": 3, "cause": "ANSWERED", "digest": at(&answered, "/checkpoint/digest"), "proposal": {"parameters": {"amount": 4}}}),
        json!({"__typename": "CheckpointDecisionLapsed", "decision": {"revision": 2, "lapsed": true, "by": by(&bob)}}),
        json!({"__typename": "CheckpointDecided", "decision": {"verdict": "REJECT", "revision": 3, "comment": "no", "lapsed": false, "by": by(&ada)}}),
        json!({"__typename": "CheckpointRejected", "reason": "no"}),
    ];
    for one in &expected {
        let mut event = next(&mut stream).await;
        assert_eq!(at(&event, "/checkpoint/id"), &found["id"]);
        let fields = event.as_object_mut().expect("an object");
        for name in ["checkpoint", "actor", "commentId"] {
            fields.remove(name);
        }
        assert_eq!(&event, one);
    }
    let mut kinds = Vec::new();
    while kinds.len() < expected.len() {
        let event = at(&workspace.next().await, "/data/workspaceEvents").clone();
        if event["checkpoint"]["id"] == found["id"] {
            kinds.push(event["__typename"].clone());
        }
    }
    let names: Vec<Value> = expected.iter().map(|one| one["__typename"].clone()).collect();
    assert_eq!(kinds, names);
    let query = "query($id: ID!) { execution(id: $id) { events(types: [CHECKPOINT_REVISED, CHECKPOINT_REQUESTED]) { totalCount } } }";
    let answer = app.graphql(&operator, query, json!({"id": found["execution"]["id"]})).await;
    assert_eq!(at(&answer, "/data/execution/events/totalCount"), &json!(3));
}

#[tokio::test]
async fn streams_are_filtered() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy("{version: '1.0', checkpoints: [{name: F, trigger: {operation_type: pay}, action: {approvers: {groups: [finance]}}}]}")
        .await;
    let operator = app.token(Role::Operator).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let bob = app.person("bob@example.com", &[Role::Approver]).await;
    group(&app, "finance", &[&ada]).await;
    let workflow = payment(&app, json!({})).await;
    let first = parked(&app, &operator, &workflow, json!({"amount": 1})).await;
    let input = json!({"operationType": "x", "description": "d", "parameters": {}, "riskLevel": "LOW"});
    let payload = mutate(&app, &operator, "requestApproval", input, "checkpoint { id digest execution { id } }").await;
    let other = at(&payload, "/checkpoint");
    let by_execution = format!(", filter: {{executionId: {}}}", other["execution"]["id"]);
    let by_checkpoint = format!(", filter: {{checkpointId: {}}}", other["id"]);
    let by_workflow = format!(", filter: {{workflowId: \"{workflow}\"}}");
    let mut streams = Vec::new();
    for (token, arguments, expected) in [
        (&ada.access_token, ", filter: {mine: true}", vec![&first, other]),
        (&bob.access_token, ", filter: {mine: true}", vec![other]),
        (&operator, by_execution.as_str(), vec![other]),
        (&operator, by_checkpoint.as_str(), vec![other]),
        (&operator, by_workflow.as_str(), vec![&first]),
        (&operator, ", filter: {types: [CHECKPOINT_COMMENTED]}", vec![]),
    ] {
        let mut stream = EventStream::open(&app, token, &watching(arguments, EVENT), json!({})).await;
        for one in &expected {
            assert_eq!(at(&next(&mut stream).await, "/checkpoint/id"), &one["id"], "{arguments}");
        }
        streams.push((stream, arguments, expected));
    }
    for one in [&first, other] {
        let input = json!({"checkpointId": one["id"], "comment": "hm"});
        mutate(&app, &operator, "commentOnCheckpoint", input, "userErrors { message }").await;
    }
    for (stream, arguments, expected) in &mut streams {
        let all = vec![&first, other];
        let expected = if arguments.contains("types") { &all } else { &*expected };
        for one in expected {
            let event = next(stream).await;
            assert_eq!(event["__typename"], "CheckpointCommented");
            assert_eq!(at(&event, "/checkpoint/id"), &one["id"], "{arguments}");
        }
    }
    // Somebody who joins the group hears of what comes.
    let admin = app.token(Role::Admin).await;
    let query = "{ groups { nodes { id } } }";
    let answer = app.graphql(&admin, query, json!({})).await;
    let input = json!({"groupId": at(&answer, "/data/groups/nodes/0/id"), "userIds": [bob.id]});
    mutate(&app, &admin, "addGroupMembers", input, "userErrors { message }").await;
    let second = parked(&app, &operator, &workflow, json!({"amount": 2})).await;
    assert_eq!(at(&next(&mut streams[1].0).await, "/checkpoint/id"), &second["id"]);

    for (arguments, message) in [
        (", filter: {checkpointId: \"chk_01h455vb4pex5vsknk084sn02q\"}", "there is no checkpoint"),
        (", filter: {executionId: \"x\"}", "`filter.executionId`: `x` is not an id"),
    ] {
        let answer = EventStream::open(&app, &operator, &watching(arguments, "cursor"), json!({})).await.next().await;
        assert!(text(&answer, "/errors/0/message").contains(message), "{answer}");
    }
    let answer = EventStream::open(&app, &operator, &watching("", "cursor"), json!({"after": "x"})).await.next().await;
    assert!(text(&answer, "/errors/0/message").contains("`after` is not a cursor of this stream"), "{answer}");
}

#[tokio::test]
async fn whoever_loses_access_hears_no_more() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, admin) = (app.token(Role::Operator).await, app.token(Role::Admin).await);
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let workflow = payment(&app, json!({})).await;
    parked(&app, &operator, &workflow, json!({"amount": 1})).await;
    let mut socket = Socket::open(&app, &ada.access_token).await;
    socket.subscribe("1", "subscription { checkpointEvents { __typename } }", json!({})).await;
    let first = socket.next().await;
    assert_eq!(at(&first, "/payload/data/checkpointEvents/__typename"), "CheckpointRequested");
    mutate(&app, &admin, "disableUser", json!({"userId": ada.id}), "userErrors { message }").await;
    start(&app, &operator, &workflow, json!({"amount": 2})).await;
    assert_eq!(socket.closed().await.0, 4403);
}
