//! What people and programs hold outlives the server's process.

use chrono::Duration;
use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::json;

use super::{
    SIGN_IN, refusals,
    sessions::{refresh, works},
    watcher::until_closed,
};
use crate::support::{Database, PASSWORD, Socket, TestApp};

#[rstest]
#[tokio::test]
async fn sessions_and_tokens_outlive_a_restart(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let mut app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let gone = app.person("gone@example.com", &[Role::Viewer]).await;
    let token = app.token(Role::Viewer).await;
    app.graphql(&gone.access_token, "mutation { signOut(input: {}) { userErrors { code } } }", json!({})).await;
    let mut socket = Socket::open(&app, &ada.access_token).await;
    let (stopped, closed) = tokio::join!(app.stop(), until_closed(&mut socket));
    assert_eq!((stopped, closed.1), ((), 1001), "the server says that it goes away");

    let app = TestApp::start_on(app.database.clone(), app.clock.clone(), |_| {}).await;
    assert!(works(&app, &token).await);
    assert!(works(&app, &ada.access_token).await);
    assert!(!works(&app, &gone.access_token).await);
    app.clock.advance(Duration::minutes(10));
    assert!(!works(&app, &ada.access_token).await);
    assert_eq!(refusals(&refresh(&app, &ada.cookie).await.0, "refreshSession"), [""; 0]);
    let variables = json!({"email": "ada@example.com", "password": PASSWORD});
    assert_eq!(refusals(&app.anonymous(SIGN_IN, variables).await, "signIn"), [""; 0]);
}
