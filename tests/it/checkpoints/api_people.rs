//! Who looks at checkpoints, and who decides in whose place, through GraphQL.

use chrono::{TimeDelta, Utc};
use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::api::{approve, mutate, parked, payment, refused};
use crate::support::{Database, Person, TestApp, at, text};

const FINANCE: &str = "{version: '1.0', checkpoints: [{name: Pay, trigger: {operation_type: pay}, \
                       action: {quorum: ['1 of group:finance'], approvers: {groups: [finance]}}}]}";

/// A group with these people.
pub async fn group(app: &TestApp, name: &str, people: &[&Person]) {
    let admin = app.token(Role::Admin).await;
    let members: Vec<&str> = people.iter().map(|person| person.id.as_str()).collect();
    let input = json!({"name": name, "memberIds": members});
    let payload = mutate(app, &admin, "createGroup", input, "userErrors { message }").await;
    assert_eq!(payload["userErrors"], json!([]));
}

const SHOWN: &str = "checkpoint { status assignee { email } delegations { from { email } to { email } }
    viewerCanDecide viewerCannotDecideBecause decisions { by { user { email } } onBehalfOf { email } } }
    userErrors { code message path }";

#[tokio::test]
async fn checkpoints_are_taken_and_given() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(FINANCE).await;
    let operator = app.token(Role::Operator).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let bob = app.person("bob@example.com", &[Role::Approver]).await;
    group(&app, "finance", &[&ada]).await;
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5})).await;
    let of = |user: Option<&Person>| match user {
        Some(user) => json!({"checkpointId": found["id"], "userId": user.id}),
        None => json!({"checkpointId": found["id"]}),
    };
    let payload = mutate(&app, &ada.access_token, "claimCheckpoint", of(None), SHOWN).await;
    assert_eq!(at(&payload, "/checkpoint/assignee/email"), "ada@example.com", "{payload}");
    assert_eq!(at(&payload, "/checkpoint/viewerCanDecide"), &json!(true));
    let payload = mutate(&app, &ada.access_token, "assignCheckpoint", of(None), SHOWN).await;
    assert_eq!(at(&payload, "/checkpoint/assignee"), &Value::Null, "{payload}");
    let payload = mutate(&app, &bob.access_token, "assignCheckpoint", of(Some(&bob)), SHOWN).await;
    assert_eq!(refused(&payload), ("NOT_ALLOWED", &json!(["input", "userId"])), "{payload}");
    let payload = mutate(&app, &bob.access_token, "assignCheckpoint", of(Some(&ada)), SHOWN).await;
    assert_eq!(at(&payload, "/checkpoint/assignee/email"), "ada@example.com", "{payload}");
    assert_eq!(at(&payload, "/checkpoint/viewerCanDecide"), &json!(false));
    let because = text(&payload, "/checkpoint/viewerCannotDecideBecause");
    assert_eq!(because, "you are not among those who may decide this: group:finance");
    let token = app.token(Role::Approver).await;
    let payload = mutate(&app, &token, "claimCheckpoint", of(None), SHOWN).await;
    assert_eq!(refused(&payload), ("NOT_ALLOWED", &json!(["input", "checkpointId"])), "{payload}");

    let payload = mutate(&app, &bob.access_token, "delegateCheckpoint", of(Some(&ada)), SHOWN).await;
    assert_eq!(refused(&payload).0, "NOT_ALLOWED", "who may not decide cannot let others: {payload}");
    let payload = mutate(&app, &ada.access_token, "delegateCheckpoint", of(Some(&bob)), SHOWN).await;
    let delegations = json!([{"from": {"email": "ada@example.com"}, "to": {"email": "bob@example.com"}}]);
    assert_eq!(at(&payload, "/checkpoint/delegations"), &delegations, "{payload}");
    let input = json!({"checkpointId": found["id"], "digest": found["digest"]});
    let payload = mutate(&app, &bob.access_token, "approveCheckpoint", input, SHOWN).await;
    let decisions = json!([{"by": {"user": {"email": "bob@example.com"}}, "onBehalfOf": {"email": "ada@example.com"}}]);
    assert_eq!(at(&payload, "/checkpoint/decisions"), &decisions, "{payload}");
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED");
}

#[rstest]
#[tokio::test]
async fn somebody_decides_for_whoever_is_away(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.policy(FINANCE).await;
    let operator = app.token(Role::Operator).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let bob = app.person("bob@example.com", &[Role::Approver]).await;
    group(&app, "finance", &[&ada]).await;
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5})).await;
    let payload = approve(&app, &bob.access_token, &found).await;
    assert_eq!(refused(&payload).0, "NOT_ALLOWED");
    let mine = "{ checkpoints(filter: {mine: true}) { totalCount } checkpointCounts { pending mine } }";
    let of_bob = async || {
        let answer = app.graphql(&bob.access_token, mine, json!({})).await;
        let counts = at(&answer, "/data/checkpointCounts").clone();
        assert_eq!(at(&answer, "/data/checkpoints/totalCount"), &counts["mine"]);
        counts
    };
    assert_eq!(of_bob().await, json!({"pending": 1, "mine": 0}));

    let selection = "outOfOffice { delegate { email } endsAt } userErrors { code path }";
    let until = Utc::now() + TimeDelta::days(2);
    for (input, path) in [
        (json!({"delegateId": bob.id}), "endsAt"),
        (json!({"endsAt": until}), "delegateId"),
        (json!({"delegateId": ada.id, "endsAt": until}), "delegateId"),
        (json!({"delegateId": "x", "endsAt": until}), "delegateId"),
        (json!({"delegateId": bob.id, "startsAt": until, "endsAt": until}), "endsAt"),
    ] {
        let payload = mutate(&app, &ada.access_token, "setOutOfOffice", input, selection).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", path])), "{payload}");
    }
    let input = json!({"delegateId": bob.id, "endsAt": until});
    let payload = mutate(&app, &ada.access_token, "setOutOfOffice", input.clone(), selection).await;
    assert_eq!(at(&payload, "/outOfOffice/delegate/email"), "bob@example.com", "{payload}");
    assert_eq!(of_bob().await, json!({"pending": 1, "mine": 1}));
    let query = "{ users { nodes { email outOfOffice { delegate { email } } } } }";
    let answer = app.graphql(&operator, query, json!({})).await;
    let away = json!({"email": "ada@example.com", "outOfOffice": {"delegate": {"email": "bob@example.com"}}});
    assert_eq!(at(&answer, "/data/users/nodes/0"), &away);
    assert_eq!(at(&answer, "/data/users/nodes/1/outOfOffice"), &Value::Null);

    let back = mutate(&app, &ada.access_token, "setOutOfOffice", json!({}), selection).await;
    assert_eq!(back, json!({"outOfOffice": null, "userErrors": []}));
    assert_eq!(of_bob().await, json!({"pending": 1, "mine": 0}));
    mutate(&app, &ada.access_token, "setOutOfOffice", input, selection).await;
    let input = json!({"checkpointId": found["id"], "digest": found["digest"]});
    let payload = mutate(&app, &bob.access_token, "approveCheckpoint", input, SHOWN).await;
    assert_eq!(at(&payload, "/checkpoint/decisions/0/onBehalfOf/email"), "ada@example.com", "{payload}");
    let admin = app.token(Role::Admin).await;
    let log = "{ auditEntries(filter: {actions: [OUT_OF_OFFICE_SET, OUT_OF_OFFICE_ENDED]}) {
        nodes { action subjectId actor { user { email } } details } } }";
    let answer = app.graphql(&admin, log, json!({})).await;
    let entries = at(&answer, "/data/auditEntries/nodes");
    assert_eq!(entries.as_array().map(Vec::len), Some(3), "{answer}");
    assert_eq!((at(entries, "/0/subjectId"), at(entries, "/0/details/delegate")), (&json!(ada.id), &json!(bob.id)));
    app.clock.advance(TimeDelta::days(3));
    let answer = app.graphql(&operator, query, json!({})).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    assert_eq!(at(&answer, "/data/users/nodes/0/outOfOffice"), &Value::Null, "it is over");
}
