//! The server answers, on both databases.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, Socket, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn an_admin_sees_themselves_and_what_they_did(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.person("ada@example.com", &[Role::Admin]).await;
    let query = "{ viewer { displayName roles user { id email } workspace { slug } } auditEntries(first: 1) { totalCount nodes { action } } }";
    let answer = app.graphql(&admin.access_token, query, json!({})).await;
    assert_eq!(text(&answer, "/data/viewer/user/email"), "ada@example.com");
    assert_eq!(text(&answer, "/data/viewer/workspace/slug"), "default");
    assert_eq!(at(&answer, "/data/viewer/roles"), &json!(["ADMIN"]));
    assert_eq!(text(&answer, "/data/auditEntries/nodes/0/action"), "USER_PASSWORD_CHANGED");
}

#[rstest]
#[tokio::test]
async fn a_subscription_shows_what_happens(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let latest = app.graphql(&token, "{ auditEntries(first: 1) { pageInfo { endCursor } } }", json!({})).await;
    let mut socket = Socket::open(&app, &token).await;
    let query = "subscription($after: String!) { auditEvents(after: $after) { cursor entry { action details } } }";
    socket.subscribe("1", query, json!({"after": at(&latest, "/data/auditEntries/pageInfo/endCursor")})).await;
    app.graphql(&token, "mutation { createGroup(input: {name: \"Finance\"}) { userErrors { message } } }", json!({}))
        .await;
    let event = socket.next().await;
    assert_eq!(text(&event, "/payload/data/auditEvents/entry/action"), "GROUP_CREATED", "{event}");
}
