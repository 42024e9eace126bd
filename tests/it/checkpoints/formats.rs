//! The formats of a schema hold for what people change and answer, too.

use countersign::{
    domain::{agent::Kind, role::Role},
    engine::commands::AgentFields,
};
use serde_json::json;

use super::api::{DECIDED, mutate, parked, refused};
use crate::support::{Database, TestApp, at, text};

#[tokio::test]
async fn modified_parameters_keep_their_formats() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let schema = json!({"type": "object", "properties": {"to": {"type": "string", "format": "email"}}});
    let fields = AgentFields {
        config: Some(json!({"output": "input"})),
        input_schema: Some(Some(schema)),
        ..AgentFields::default()
    };
    app.agent_with("Mail", Kind::Transform, fields).await;
    let steps = json!([{"key": "mail", "agent": "Mail", "gate": "ALWAYS"}]);
    let workflow = app.workflow(json!({"name": "Mail", "steps": steps})).await.to_string();
    let found = parked(&app, &operator, &workflow, json!({"to": "ada@example.com"})).await;
    let modified =
        |to: &str| json!({"checkpointId": found["id"], "digest": found["digest"], "modifiedParameters": {"to": to}});
    let payload = mutate(&app, &approver, "approveCheckpoint", modified("everybody"), DECIDED).await;
    assert_eq!(refused(&payload).0, "INVALID", "{payload}");
    let message = text(&payload, "/userErrors/0/message");
    for word in ["/to", "the format \"email\"", "\"everybody\""] {
        assert!(message.contains(word), "`{word}` in {message}");
    }
    let payload = mutate(&app, &approver, "approveCheckpoint", modified("bob@example.com"), DECIDED).await;
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED", "{payload}");
}

#[tokio::test]
async fn answers_keep_their_formats() {
    let app = TestApp::start(Database::Sqlite).await;
    let (operator, approver) = (app.token(Role::Operator).await, app.signed_in(Role::Approver).await);
    let ask = |format: &str| {
        let questions = json!([{"id": "when", "text": "When?", "schema": {"type": "string", "format": format}}]);
        json!({"questions": questions})
    };
    let selection = "checkpoint { id digest } userErrors { code message path }";
    let payload = mutate(&app, &operator, "requestClarification", ask("date-tiem"), selection).await;
    assert_eq!(refused(&payload).0, "INVALID", "{payload}");
    assert!(text(&payload, "/userErrors/0/message").contains("did you mean `date-time`?"), "{payload}");
    let payload = mutate(&app, &operator, "requestClarification", ask("date"), selection).await;
    let asked = at(&payload, "/checkpoint");
    let answer =
        |when: &str| json!({"checkpointId": asked["id"], "digest": asked["digest"], "answers": {"when": when}});
    let payload = mutate(&app, &approver, "answerClarification", answer("soon"), DECIDED).await;
    assert_eq!(refused(&payload).0, "INVALID", "{payload}");
    let payload = mutate(&app, &approver, "answerClarification", answer("2026-12-24"), DECIDED).await;
    assert_eq!(at(&payload, "/checkpoint/status"), "APPROVED", "{payload}");
}
