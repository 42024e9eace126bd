//! Deciding through GraphQL.

use countersign::domain::{execution::Status, role::Role};
use serde_json::{Value, json};

use super::api::{DECIDED, approve, mutate, parked, payment, refused};
use crate::support::{Database, TestApp, at, text};

const TWO: &str = "{version: '1.0', checkpoints: [{name: Two, trigger: {operation_type: pay}, \
                   action: {require_approval_count: 2}}]}";

#[tokio::test]
async fn whoever_decides_on_what_has_changed_sees_how() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(TWO).await;
    let operator = app.token(Role::Operator).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await.access_token;
    let bob = app.person("bob@example.com", &[Role::Approver]).await.access_token;
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5, "to": "Bob"})).await;
    let payload = approve(&app, &ada, &found).await;
    assert_eq!(at(&payload, "/checkpoint/approvals"), &json!(1), "{payload}");
    assert_eq!(at(&payload, "/checkpoint/status"), "PENDING");
    let payload = approve(&app, &ada, &found).await;
    assert_eq!(refused(&payload), ("ALREADY_DECIDED", &json!(["input", "checkpointId"])), "{payload}");

    let modified = json!({"amount": 7, "to": "Bob", "note": "less"});
    let input = json!({"checkpointId": found["id"], "digest": found["digest"], "modifiedParameters": modified});
    let payload = mutate(&app, &bob, "approveCheckpoint", input, DECIDED).await;
    assert_eq!(at(&payload, "/checkpoint/revision"), &json!(2), "{payload}");
    assert_eq!(at(&payload, "/checkpoint/approvals"), &json!(1), "what Ada approved counts no longer");
    let current = at(&payload, "/checkpoint").clone();

    let stale = approve(&app, &ada, &found).await;
    assert_eq!(refused(&stale), ("STALE", &json!(["input", "digest"])), "{stale}");
    assert_eq!(at(&stale, "/checkpoint/digest"), &current["digest"]);
    let difference = json!([
        {"path": "/parameters/amount", "before": 5, "after": 7},
        {"path": "/parameters/note", "before": null, "after": "less"},
    ]);
    assert_eq!(stale["difference"], difference);
    let input = json!({"checkpointId": found["id"], "digest": "never"});
    let unknown = mutate(&app, &ada, "approveCheckpoint", input, DECIDED).await;
    assert_eq!((refused(&unknown).0, &unknown["difference"]), ("STALE", &json!([])));

    let query = "query($id: ID!) { checkpoint(id: $id) { stillNeeded { count who }
        decisions { by { user { email } } revision lapsed } revisions { number cause by { user { email } } }
        difference { path } same: difference(from: 2, to: 2) { path } back: difference(from: 2, to: 1) { path after } } }";
    let answer = app.graphql(&ada, query, json!({"id": found["id"]})).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
    let shown = at(&answer, "/data/checkpoint");
    let by = |email: &str| json!({"user": {"email": email}});
    let decisions = json!([{"by": by("ada@example.com"), "revision": 1, "lapsed": true},
        {"by": by("bob@example.com"), "revision": 2, "lapsed": false}]);
    assert_eq!(shown["decisions"], decisions);
    assert_eq!(shown["stillNeeded"], json!([{"count": 1, "who": "any"}]));
    assert_eq!(at(shown, "/revisions/1/cause"), "MODIFIED");
    assert_eq!(shown["difference"], json!([{"path": "/parameters/amount"}, {"path": "/parameters/note"}]));
    assert_eq!((&shown["same"], at(shown, "/back/0/after")), (&json!([]), &json!(5)));
    let query = "query($id: ID!) { checkpoint(id: $id) { difference(from: 7) { path } } }";
    let answer = app.graphql(&ada, query, json!({"id": found["id"]})).await;
    assert_eq!(text(&answer, "/errors/0/message"), "`from` is 7: the revisions are 1 to 2");

    let payload = approve(&app, &ada, &current).await;
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED", "{payload}");
    let id = text(&found, "/execution/id");
    app.wait_for(id.parse().expect("an id"), Status::Completed).await;
    let query = "query($id: ID!) { execution(id: $id) { output steps { input } } }";
    let answer = app.graphql(&ada, query, json!({"id": id})).await;
    assert_eq!(at(&answer, "/data/execution/output"), &modified);
    assert_eq!(at(&answer, "/data/execution/steps/1/input"), &modified, "what was approved, not what was prepared");
}

#[tokio::test]
async fn what_is_refused_says_why() {
    let app = TestApp::start(Database::Sqlite).await;
    app.policy(
        "{version: '1.0', checkpoints: [{name: Pay, trigger: {operation_type: pay}, \
         action: {approvers: {users: [ada@example.com]}, separation_of_duties: true}}]}",
    )
    .await;
    let ada = app.person("ada@example.com", &[Role::Approver, Role::Operator]).await.access_token;
    let eve = app.person("eve@example.com", &[Role::Approver, Role::Operator]).await.access_token;
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &eve, &workflow, json!({"amount": 5})).await;
    let payload = approve(&app, &eve, &found).await;
    assert_eq!(refused(&payload), ("NOT_ALLOWED", &json!(["input", "checkpointId"])), "{payload}");
    let own = parked(&app, &ada, &workflow, json!({"amount": 5})).await;
    let payload = approve(&app, &ada, &own).await;
    assert_eq!(refused(&payload).0, "NOT_ALLOWED");
    assert_eq!(text(&payload, "/userErrors/0/message"), "you started this execution: somebody else must decide");

    let reject = |reason: &str| json!({"checkpointId": found["id"], "digest": found["digest"], "reason": reason});
    let payload = mutate(&app, &ada, "rejectCheckpoint", reject(" "), DECIDED).await;
    assert_eq!(refused(&payload), ("INVALID", &json!(["input", "reason"])), "{payload}");
    let payload = mutate(&app, &ada, "rejectCheckpoint", reject(&"x".repeat(10_001)), DECIDED).await;
    assert_eq!(refused(&payload), ("INVALID", &json!(["input", "reason"])), "{payload}");
    let bad = |parameters: Value| json!({"checkpointId": found["id"], "digest": found["digest"], "modifiedParameters": parameters});
    for parameters in [json!({"amount": "much"}), json!([1]), json!({"amount": "\0"})] {
        let payload = mutate(&app, &ada, "approveCheckpoint", bad(parameters), DECIDED).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", "modifiedParameters"])), "{payload}");
    }
    let input = json!({"checkpointId": found["id"], "digest": found["digest"], "items": ["a"]});
    let payload = mutate(&app, &ada, "approveCheckpoint", input, DECIDED).await;
    assert_eq!(refused(&payload), ("INVALID", &json!(["input", "items"])), "{payload}");
    for (id, code) in [("x", "INVALID"), ("chk_01h455vb4pex5vsknk084sn02q", "NOT_FOUND")] {
        let payload = approve(&app, &ada, &json!({"id": id, "digest": "x"})).await;
        assert_eq!(refused(&payload), (code, &json!(["input", "checkpointId"])), "{payload}");
    }

    let payload = mutate(
        &app,
        &ada,
        "rejectCheckpoint",
        reject("too much"),
        "checkpoint { status reason outcome { answers } execution { status completionReason } } userErrors { message }",
    )
    .await;
    let expected = json!({"status": "REJECTED", "reason": "too much", "outcome": null,
        "execution": {"status": "CANCELLED", "completionReason": "REJECTED"}});
    assert_eq!(payload["checkpoint"], expected, "{payload}");
    let payload = approve(&app, &ada, &found).await;
    assert_eq!(refused(&payload).0, "ALREADY_DECIDED");
    assert_eq!(at(&payload, "/checkpoint/status"), "REJECTED", "the checkpoint as it is comes along");
    let cancel = "mutation($id: ID!) { cancelExecution(input: {executionId: $id}) { userErrors { message } } }";
    app.graphql(&ada, cancel, json!({"id": own["execution"]["id"]})).await;
    let payload = approve(&app, &ada, &own).await;
    assert_eq!(refused(&payload), ("EXPIRED", &json!(["input", "checkpointId"])), "{payload}");
}

#[tokio::test]
async fn many_are_decided_at_once_each_for_itself() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let workflow = payment(&app, json!({})).await;
    let mut found = Vec::new();
    for amount in 0..4 {
        found.push(parked(&app, &operator, &workflow, json!({"amount": amount})).await);
    }
    let decide = |index: usize, verdict: &str| json!({"checkpointId": found[index]["id"], "digest": found[index]["digest"], "verdict": verdict});
    let with = |mut one: Value, name: &str, value: Value| {
        one[name] = value;
        one
    };
    let decisions = json!([
        with(decide(0, "APPROVE"), "comment", json!("fine")),
        with(decide(1, "REJECT"), "reason", json!("no")),
        decide(1, "APPROVE"),
        decide(2, "REJECT"),
        with(decide(2, "APPROVE"), "digest", json!("old")),
        with(decide(3, "APPROVE"), "reason", json!("why?")),
        with(decide(3, "APPROVE"), "checkpointId", json!("x")),
        decide(3, "APPROVE"),
    ]);
    let selection = "results { checkpointId checkpoint { status } userErrors { code path } } userErrors { code path }";
    let payload = mutate(&app, &approver, "decideCheckpoints", json!({"decisions": decisions}), selection).await;
    assert_eq!(payload["userErrors"], json!([]));
    let shown: Vec<Value> = payload["results"]
        .as_array()
        .expect("a list")
        .iter()
        .enumerate()
        .map(|(index, one)| {
            assert_eq!(one["checkpointId"], decisions[index]["checkpointId"]);
            let path = one.pointer("/userErrors/0/path").cloned().unwrap_or_default();
            json!([one.pointer("/checkpoint/status"), one.pointer("/userErrors/0/code"), path])
        })
        .collect();
    let at_field = |index: usize, name: &str| json!(["input", "decisions", index.to_string(), name]);
    let expected = [
        json!(["APPROVED", null, null]),
        json!(["REJECTED", null, null]),
        json!(["REJECTED", "ALREADY_DECIDED", at_field(2, "checkpointId")]),
        json!(["PENDING", "INVALID", at_field(3, "reason")]),
        json!(["PENDING", "STALE", at_field(4, "digest")]),
        json!([null, "INVALID", at_field(5, "reason")]),
        json!([null, "INVALID", at_field(6, "checkpointId")]),
        json!(["APPROVED", null, null]),
    ];
    assert_eq!(shown, expected);
    for count in [0, 101] {
        let many = vec![decide(0, "APPROVE"); count];
        let payload = mutate(&app, &approver, "decideCheckpoints", json!({"decisions": many}), selection).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", "decisions"])), "{payload}");
    }
}

#[tokio::test]
async fn changes_are_previewed_without_deciding() {
    let app = TestApp::start(Database::Sqlite).await;
    let operator = app.token(Role::Operator).await;
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5, "to": "Bob", "ok": true})).await;
    let query =
        "query($id: ID!, $parameters: JSON!) { previewParameterChanges(checkpointId: $id, parameters: $parameters) {
        valid changes { path before after } errors { code message path } } }";
    let preview = async |parameters: Value| {
        let answer = app.graphql(&operator, query, json!({"id": found["id"], "parameters": parameters})).await;
        at(&answer, "/data/previewParameterChanges").clone()
    };
    let fine = preview(json!({"amount": 5.0, "to": "Bob"})).await;
    let changes =
        json!([{"path": "/amount", "before": 5, "after": 5.0}, {"path": "/ok", "before": true, "after": null}]);
    assert_eq!(fine, json!({"valid": true, "changes": changes, "errors": []}));
    let wrong = preview(json!({"amount": "much", "to": "Bob", "ok": true})).await;
    assert_eq!((&wrong["valid"], at(&wrong, "/changes/0/after")), (&json!(false), &json!("much")));
    assert_eq!(
        (at(&wrong, "/errors/0/code"), at(&wrong, "/errors/0/path")),
        (&json!("INVALID"), &json!(["parameters"]))
    );
    let answer = app.graphql(&operator, query, json!({"id": "chk_01h455vb4pex5vsknk084sn02q", "parameters": {}})).await;
    assert_eq!(at(&answer, "/data/previewParameterChanges"), &Value::Null);
}

#[tokio::test]
async fn only_the_chosen_items_are_done() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let workflow = payment(&app, json!({"itemsFrom": "input.lines"})).await;
    let lines = json!([{"id": "a", "label": "One", "action": "pay", "data": 1}, {"id": "b"}, {"id": "c"}]);
    let found = parked(&app, &operator, &workflow, json!({"lines": lines})).await;
    let query = "query($id: ID!) { checkpoint(id: $id) { itemCount proposal { items { id label action data } } } }";
    let answer = app.graphql(&operator, query, json!({"id": found["id"]})).await;
    assert_eq!(at(&answer, "/data/checkpoint/itemCount"), &json!(3));
    let items = json!([{"id": "a", "label": "One", "action": "pay", "data": 1},
        {"id": "b", "label": "b", "action": null, "data": {"id": "b"}},
        {"id": "c", "label": "c", "action": null, "data": {"id": "c"}}]);
    assert_eq!(at(&answer, "/data/checkpoint/proposal/items"), &items);
    let input = json!({"checkpointId": found["id"], "digest": found["digest"], "items": ["c", "a"]});
    let selection =
        "checkpoint { status itemCount outcome { approvedItems approvedParameters } } userErrors { message }";
    let payload = mutate(&app, &approver, "approveCheckpoint", input, selection).await;
    let parameters = json!({"lines": [lines[0], lines[2]]});
    let expected = json!({"status": "APPROVED", "itemCount": 2,
        "outcome": {"approvedItems": ["a", "c"], "approvedParameters": parameters}});
    assert_eq!(payload["checkpoint"], expected, "{payload}");
}
