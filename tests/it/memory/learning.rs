//! Cases to learn from.

use countersign::{
    domain::{agent::Kind, checkpoint::Status, role::Role},
    engine::commands::AgentFields,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{approve, people, propose, reject};
use crate::{
    executions::api::start,
    support::{Database, TestApp, at, text},
};

const CASES: &str = "query($filter: LearningCaseFilter, $first: Int, $after: String) {
    learningCases(filter: $filter, first: $first, after: $after) { totalCount pageInfo { endCursor hasNextPage } nodes {
        id kind operationType riskLevel reason decidedBy { email } changes { path before after }
        proposed { parameters } decided { parameters } checkpoint { id modified } agent { name } workflow { name } } } }";

async fn cases(app: &TestApp, token: &str, filter: Value) -> Vec<Value> {
    let answer = app.graphql(token, CASES, json!({"filter": filter})).await;
    at(&answer, "/data/learningCases/nodes").as_array().expect("a list").clone()
}

#[rstest]
#[tokio::test]
async fn what_people_change_or_reject_is_kept(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let people = people(&app).await;
    let changed = propose(&app, &people, "refund", 0.5, json!({"amount": 100, "to": {"name": "A"}, "id": 1})).await;
    approve(&app, &people, &changed, Some(json!({"amount": 90, "to": {"name": "B"}, "id": 1}))).await;
    let rejected = propose(&app, &people, "mail", 0.5, json!({"text": "hello"})).await;
    reject(&app, &people, &rejected, "not so short").await;
    let same = propose(&app, &people, "refund", 0.5, json!({"amount": 1})).await;
    approve(&app, &people, &same, None).await;
    // The same parameters again are no change.
    let same = propose(&app, &people, "refund", 0.5, json!({"amount": 2})).await;
    approve(&app, &people, &same, Some(json!({"amount": 2}))).await;

    let viewer = app.token(Role::Viewer).await;
    let found = cases(&app, &viewer, json!({})).await;
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(
        found[0],
        json!({"id": found[0]["id"], "kind": "REJECTED", "operationType": "mail", "riskLevel": "LOW",
            "reason": "not so short", "decidedBy": {"email": "ada@example.com"}, "changes": [],
            "proposed": {"parameters": {"text": "hello"}}, "decided": {"parameters": {"text": "hello"}},
            "checkpoint": {"id": rejected["id"], "modified": false}, "agent": null, "workflow": null})
    );
    assert_eq!(text(&found[1], "/kind"), "MODIFIED");
    assert_eq!(
        at(&found[1], "/changes"),
        &json!([{"path": "/amount", "before": 100, "after": 90}, {"path": "/to/name", "before": "A", "after": "B"}])
    );
    assert_eq!(at(&found[1], "/proposed/parameters/amount"), 100);
    assert_eq!(at(&found[1], "/decided/parameters/amount"), 90);
    assert_eq!(at(&found[1], "/checkpoint/modified"), true);
    for (filter, count) in [
        (json!({"kind": ["MODIFIED", "MODIFIED"]}), 1),
        (json!({"kind": ["NARROWED", "OVERRIDDEN"]}), 0),
        (json!({"operationType": "mail"}), 1),
        (json!({"from": "2999-01-01T00:00:00Z"}), 0),
        (json!({"until": "2999-01-01T00:00:00Z"}), 2),
        (json!({"tests": true}), 2),
    ] {
        assert_eq!(cases(&app, &viewer, filter.clone()).await.len(), count, "{filter}");
    }
    let node = "query($id: ID!) { node(id: $id) { ... on LearningCase { kind } } }";
    let answer = app.graphql(&viewer, node, json!({"id": found[1]["id"]})).await;
    assert_eq!(at(&answer, "/data/node/kind"), "MODIFIED");
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_later_proposal_shows_what_people_did_before(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let people = people(&app).await;
    for amount in [100, 200, 300] {
        let checkpoint = propose(&app, &people, "refund", 0.5, json!({"amount": amount})).await;
        approve(&app, &people, &checkpoint, Some(json!({"amount": amount * 9 / 10}))).await;
    }
    let checkpoint = propose(&app, &people, "refund", 0.5, json!({"amount": 5})).await;
    approve(&app, &people, &checkpoint, None).await;
    let checkpoint = propose(&app, &people, "mail", 0.5, json!({"amount": 5})).await;
    reject(&app, &people, &checkpoint, "no").await;

    let checkpoint = propose(&app, &people, "refund", 0.5, json!({"amount": 7})).await;
    let query = "query($id: ID!) { checkpoint(id: $id) { insight { sentences decided approved modified rejected
        fields { path changed of medianChange usualValue } cases(first: 2) { changes { after } } } } }";
    let answer = app.graphql(&people.approver.access_token, query, json!({"id": checkpoint["id"]})).await;
    assert_eq!(
        at(&answer, "/data/checkpoint/insight"),
        &json!({"sentences": ["people changed `amount` in 3 of 4 such cases, median -10%"], "decided": 4, "approved": 1,
            "modified": 3, "rejected": 0,
            "fields": [{"path": "/amount", "changed": 3, "of": 4, "medianChange": -0.1, "usualValue": null}],
            "cases": [{"changes": [{"after": 270}]}, {"changes": [{"after": 180}]}]})
    );
}

#[rstest]
#[tokio::test]
async fn workers_get_similar_cases_with_their_task(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let approver = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    for name in ["Refund", "Other"] {
        let fields = AgentFields {
            config: Some(json!({"queue": name.to_lowercase()})),
            operation_type: Some(Some("refund".to_owned())),
            ..AgentFields::default()
        };
        app.agent_with(name, Kind::Worker, fields).await;
    }
    let operator = app.token(Role::Operator).await;
    let mut workflows = Vec::new();
    for name in ["Refund", "Other"] {
        let steps = json!([{"key": "do", "agent": name, "gate": "ALWAYS"}]);
        workflows.push(app.workflow(json!({"name": name, "steps": steps})).await.to_string());
    }
    // The other agent's case is the newer one.
    for (number, workflow) in workflows.iter().enumerate() {
        let id = start(&app, &operator, workflow, json!({"amount": number})).await.parse().expect("an id");
        let row = app.waiting(id).await;
        app.reject(approver, &row, &format!("number {number}")).await.expect("rejected");
    }
    let id = start(&app, &operator, &workflows[0], json!({"amount": 9})).await.parse().expect("an id");
    let row = app.waiting(id).await;
    app.approve(approver, &row).await.expect("approved");
    app.checkpoints(id, Status::Approved, 1).await;
    let claim = "mutation { claimTasks(input: {queue: \"refund\", max: 1, leaseSeconds: 60, workerId: \"w\"}) {
        tasks { similarCases { kind reason agent { name } proposed { parameters } } one: similarCases(first: 1) { reason } } } }";
    let answer = app.graphql(&operator, claim, json!({})).await;
    assert_eq!(
        at(&answer, "/data/claimTasks/tasks/0"),
        &json!({"similarCases": [
            {"kind": "REJECTED", "reason": "number 0", "agent": {"name": "Refund"}, "proposed": {"parameters": {"amount": 0}}},
            {"kind": "REJECTED", "reason": "number 1", "agent": {"name": "Other"}, "proposed": {"parameters": {"amount": 1}}},
        ], "one": [{"reason": "number 0"}]})
    );
}

#[rstest]
#[tokio::test]
async fn cases_are_taken_along_as_lines(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let people = people(&app).await;
    let large = "x".repeat(50_000);
    let changed = propose(&app, &people, "refund", 0.5, json!({"amount": 100, "note": large})).await;
    approve(&app, &people, &changed, Some(json!({"amount": 90, "note": large}))).await;
    // More than are read at once.
    for number in 0..210 {
        let rejected = propose(&app, &people, "mail", 0.5, json!({"number": number})).await;
        reject(&app, &people, &rejected, &format!("reason {number}")).await;
    }
    let viewer = app.token(Role::Viewer).await;
    let get = async |token: Option<&str>, query: &str| {
        let mut request = app.http.get(app.url(&format!("/learning-cases.jsonl{query}")));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let response = request.send().await.expect("an answer");
        (response.status().as_u16(), response.text().await.expect("a body"))
    };
    let (status, text) = get(Some(&viewer), "").await;
    assert_eq!(status, 200, "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 211);
    let first = &lines[0];
    assert_eq!((&first["kind"], &first["operationType"]), (&json!("MODIFIED"), &json!("refund")));
    assert_eq!(at(first, "/proposed/params/amount"), 100);
    assert_eq!(at(first, "/decided/params"), &json!({"amount": 90, "note": large}));
    assert_eq!(at(first, "/changes"), &json!([{"path": "/amount", "before": 100, "after": 90}]));
    assert_eq!(at(&lines[210], "/reason"), "reason 209", "oldest first");
    assert!(!text.contains("ada@example.com"), "who decided is not in it");
    assert_eq!(get(Some(&viewer), "?operationType=refund").await.1.lines().count(), 1);
    assert_eq!(get(Some(&viewer), "?from=2999-01-01T00:00:00Z").await, (200, String::new()));
    let (status, text) = get(Some(&viewer), "?from=tomorrow").await;
    assert_eq!((status, text.as_str()), (400, "`from` is `tomorrow`: give a time as in 2026-01-31T00:00:00Z\n"));
    assert_eq!(get(None, "").await.0, 401);
    assert_eq!(get(Some("csk_wrong"), "").await.0, 401);
}
