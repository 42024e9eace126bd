//! Nothing answers without a sign-in.

use countersign::domain::role::Role;
use serde_json::{Value, json};

use super::walk::Schema;
use crate::support::{Database, TestApp, at, text};

/// The ways in themselves. Every other root field must refuse a stranger.
const PUBLIC: [&str; 5] = ["serverInfo", "signIn", "redeemSignInLink", "demoSignIn", "refreshSession"];

#[tokio::test]
async fn no_field_answers_a_stranger() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let schema = Schema::of(&app, &token).await;
    let id = app.workspace.id.to_string();
    let mut walked = 0;
    for (kind, operation) in
        [("queryType", "query"), ("mutationType", "mutation"), ("subscriptionType", "subscription")]
    {
        for field in schema.roots(kind) {
            let name = text(field, "/name");
            if PUBLIC.contains(&name) {
                continue;
            }
            let query = format!("{operation} {{ {} }}", schema.field(field, &id, 1));
            let answer = ask(&app, &query).await;
            let code = answer.pointer("/errors/0/extensions/code").and_then(Value::as_str);
            assert_eq!(code, Some("UNAUTHENTICATED"), "{query} answered {answer}");
            assert!(answer["data"].get(name).is_none_or(Value::is_null), "{query} answered {answer}");
            walked += 1;
        }
    }
    assert!(walked > 15, "the walk found only {walked} fields");
}

/// Sends an operation without any credentials, as an event stream, which takes every kind.
async fn ask(app: &TestApp, query: &str) -> Value {
    let request = app.http.post(app.url("/graphql")).header("accept", "text/event-stream");
    let body = request.json(&json!({"query": query})).send().await.expect("an answer").text().await.expect("a body");
    let data = body.lines().find_map(|line| line.strip_prefix("data:")).unwrap_or(&body);
    serde_json::from_str(data).unwrap_or_else(|error| panic!("{query}: {error}: {body}"))
}

#[tokio::test]
async fn a_token_without_the_role_is_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let schema = Schema::of(&app, &app.token(Role::Admin).await).await;
    let viewer = app.token(Role::Viewer).await;
    let id = app.workspace.id.to_string();
    for field in schema.roots("mutationType") {
        let name = text(field, "/name");
        // What everybody may do to themselves, and may say.
        let free = [
            "signOut",
            "changePassword",
            "updateProfile",
            "linkIdentity",
            "unlinkIdentity",
            "withdrawSignInLink",
            "commentOnCheckpoint",
        ];
        if PUBLIC.contains(&name) || free.contains(&name) {
            continue;
        }
        let query = format!("mutation {{ {} }}", schema.field(field, &id, 1));
        let answer = app.graphql(&viewer, &query, json!({})).await;
        assert_eq!(text(&answer, "/errors/0/extensions/code"), "FORBIDDEN", "{query} answered {answer}");
        assert_eq!(at(&answer, "/data"), &Value::Null);
    }
}
