//! Conversations through GraphQL.

use countersign::domain::role::Role;
use serde_json::{Value, json};

use super::api::{approve, mutate, parked, payment, refused};
use crate::support::{Database, TestApp, at, text};

const SAID: &str =
    "checkpoint { digest revision comments { id text by { kind } } questions { id text answer { text by { kind } } }
        difference { path after } proposal { answered { question answer } } }
    userErrors { code message path }";

#[tokio::test]
async fn people_talk_before_they_decide() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver, viewer) =
        (app.token(Role::Operator).await, app.signed_in(Role::Approver).await, app.token(Role::Viewer).await);
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5})).await;
    let about = |fields: Value| {
        let mut input = fields;
        input["checkpointId"] = found["id"].clone();
        input
    };
    let said = mutate(&app, &viewer, "commentOnCheckpoint", about(json!({"comment": "hm"})), SAID).await;
    assert_eq!(at(&said, "/checkpoint/comments/0/text"), "hm", "{said}");
    assert_eq!(at(&said, "/checkpoint/revision"), &json!(1), "a comment is no part of the proposal");
    let asked = mutate(&app, &approver, "askAboutCheckpoint", about(json!({"question": "Why 5?"})), SAID).await;
    assert_eq!(at(&asked, "/checkpoint/questions/0/answer"), &Value::Null, "{asked}");
    let question = text(&asked, "/checkpoint/questions/0/id");
    let answer = |question: &str| about(json!({"questionId": question, "answer": "It was 10."}));
    for (id, code) in [("x", "INVALID"), ("0198c7a0-0000-7000-8000-000000000000", "NOT_FOUND")] {
        let payload = mutate(&app, &operator, "answerAboutCheckpoint", answer(id), SAID).await;
        assert_eq!(refused(&payload), (code, &json!(["input", "questionId"])), "{payload}");
    }
    let answered = mutate(&app, &operator, "answerAboutCheckpoint", answer(question), SAID).await;
    let shown = at(&answered, "/checkpoint");
    assert_eq!(shown["revision"], json!(2), "{answered}");
    assert_eq!(at(shown, "/questions/0/answer/text"), "It was 10.");
    assert_eq!(at(shown, "/proposal/answered"), &json!([{"question": "Why 5?", "answer": "It was 10."}]));
    assert_eq!(at(shown, "/difference/0/path"), "/answered");
    let twice = mutate(&app, &operator, "answerAboutCheckpoint", answer(question), SAID).await;
    assert_eq!(refused(&twice).0, "ALREADY_DECIDED", "{twice}");
    let stale = approve(&app, &approver, &found).await;
    assert_eq!(refused(&stale).0, "STALE", "the answer belongs to what is decided on");
    for (field, input) in [
        ("commentOnCheckpoint", json!({"comment": " "})),
        ("askAboutCheckpoint", json!({"question": "x".repeat(10_001)})),
    ] {
        let name = input.as_object().and_then(|fields| fields.keys().next()).cloned();
        let payload = mutate(&app, &approver, field, about(input), SAID).await;
        assert_eq!(refused(&payload), ("INVALID", &json!(["input", name])), "{payload}");
    }
}
