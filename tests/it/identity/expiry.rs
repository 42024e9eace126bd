//! Credentials that run out while a connection is open, and connections that race the end of their credential.

use chrono::{DateTime, Duration, Utc};
use countersign::{
    domain::role::Role,
    engine::{Origin, commands::CreateApiToken},
};
use futures_util::future::join_all;
use jsonwebtoken::Algorithm;
use rstest::rstest;
use secrecy::ExposeSecret;
use serde_json::json;

use super::{
    newest,
    sessions::works,
    watcher::{Transport, Watcher, until_closed},
};
use crate::support::{
    Database, Socket, TestApp, at,
    provider::{Key, Provider, claims},
    text,
};

/// Whose token it is.
#[derive(Debug, Clone, Copy)]
enum Credential {
    Program,
    Session,
    Outside,
}

#[rstest]
#[tokio::test]
async fn a_connection_ends_when_its_credential_expires(
    #[values(Transport::Socket, Transport::EventStream)] transport: Transport,
    #[values(Credential::Program, Credential::Session, Credential::Outside)] credential: Credential,
) {
    let key = Key::new("key", Algorithm::EdDSA);
    let provider = Provider::start(&[&key]).await;
    let app = TestApp::start_with(Database::Sqlite, |settings| provider.configure(settings)).await;
    let token = match credential {
        Credential::Program => short_lived(&app).await,
        Credential::Session => app.person("ada@example.com", &[Role::Admin]).await.access_token,
        Credential::Outside => key.sign(&claims("ada@example.com", json!(["admin"]))),
    };
    let after = newest(&app, &token).await;
    let answer = app.graphql(&token, "{ viewer { expiresAt } }", json!({})).await;
    let expires_at: DateTime<Utc> = text(&answer, "/data/viewer/expiresAt").parse().expect("a time");
    // An open connection waits in real time: this much is left of it.
    app.clock.advance(expires_at - app.engine.clock().now() - Duration::seconds(3));
    let mut watcher = Watcher::open(transport, &app, &token, after).await;
    assert_eq!(watcher.until_over().await, []);
    assert!(!works(&app, &token).await);
}

/// An API token that works for an hour.
async fn short_lived(app: &TestApp) -> String {
    let command = CreateApiToken {
        name: "short-lived".to_owned(),
        roles: Role::Admin.into(),
        expires_at: Some(Utc::now() + Duration::hours(1)),
        ..CreateApiToken::default()
    };
    let created = app.engine.create_api_token(app.scope(), command, &Origin::default()).await.expect("a token");
    created.secret.expect("shown once").expose_secret().to_owned()
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_that_opens_while_its_token_is_revoked_does_not_stay_open(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let root = app.token(Role::Admin).await;
    for _ in 0..100 {
        let token = app.token(Role::Admin).await;
        let id = app.token_id(&token).await;
        let revoke = "mutation($id: ID!) { revokeApiToken(input: {apiTokenId: $id}) { userErrors { code } } }";
        let mut socket = Socket::connect(&app).await;
        let init = json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {token}")}});
        tokio::join!(app.graphql(&root, revoke, json!({"id": id})), socket.send(init));
        assert_eq!(until_closed(&mut socket).await.1, 4403);
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_done_for_a_socket_whose_token_has_been_revoked(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let root = app.token(Role::Admin).await;
    let tokens = join_all((0..20).map(|_| app.token(Role::Admin))).await;
    for (number, token) in tokens.iter().enumerate() {
        let id = app.token_id(token).await;
        let mut socket = Socket::open(&app, token).await;
        let revoke = "mutation($id: ID!) { revokeApiToken(input: {apiTokenId: $id}) { userErrors { code } } }";
        app.graphql(&root, revoke, json!({"id": id})).await;
        // The answer has come: from now on the token is worth nothing.
        let create = "mutation($name: String!) { createGroup(input: {name: $name}) { userErrors { code } } }";
        socket.subscribe("1", create, json!({"name": format!("Group {number}")})).await;
        assert_eq!(until_closed(&mut socket).await, (Vec::new(), 4403));
    }
    let answer = app.graphql(&root, "{ groups { totalCount } }", json!({})).await;
    assert_eq!(at(&answer, "/data/groups/totalCount"), 0);
}
