//! Watching one's own sessions, and API tokens.

use chrono::Duration;
use countersign::{
    domain::{access::Scope, role::Role},
    engine::{Origin, commands::ChangeUserRoles},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    sessions::{refresh, works},
    sign_out::browse,
    watcher::until_closed,
};
use crate::support::{Database, Process, Socket, TestApp, TestClock, at, text};

const SESSIONS: &str = "subscription($after: String) { sessionEvents(after: $after) {
    cursor type at session { id userAgent current lastUsedAt } } }";
const TOKENS: &str = "subscription($after: String) { apiTokenEvents(after: $after) {
    cursor type at apiToken { id status lastUsedAt } } }";
const SIGN_OUT: &str = "mutation($id: ID!) { signOut(input: {sessionId: $id}) { userErrors { code } } }";
const CREATE: &str = "mutation { createApiToken(input: {name: \"deploy\", roles: [VIEWER]}) {
    apiToken { id } secret userErrors { code } } }";
const REVOKE: &str = "mutation($id: ID!) { revokeApiToken(input: {apiTokenId: $id}) { userErrors { code } } }";

async fn event(socket: &mut Socket) -> Value {
    let message = socket.next().await;
    let event = message.pointer("/payload/data/sessionEvents").or(message.pointer("/payload/data/apiTokenEvents"));
    event.unwrap_or_else(|| panic!("no event: {message}")).clone()
}

async fn audit_length(app: &TestApp, token: &str) -> i64 {
    let answer = app.graphql(token, "{ auditEntries(first: 1) { totalCount } }", json!({})).await;
    at(&answer, "/data/auditEntries/totalCount").as_i64().expect("a number")
}

/// Lets so much time pass that what was done before is not told.
fn later(clock: &TestClock) {
    clock.advance(Duration::minutes(2));
}

#[rstest]
#[tokio::test]
async fn people_see_what_happens_to_their_sessions_and_nobody_elses(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    app.person("root@example.com", &[Role::Admin]).await;
    later(&app.clock);
    let mut watching = Socket::open(&app, &ada.access_token).await;
    watching.subscribe("1", SESSIONS, json!({})).await;

    let roots = browse(&app, "root@example.com", "Firefox").await;
    let there = browse(&app, "ada@example.com", "Lynx").await;
    let started = event(&mut watching).await;
    assert_eq!((text(&started, "/type"), text(&started, "/session/id")), ("STARTED", there.session.as_str()));
    assert_eq!((text(&started, "/session/userAgent"), at(&started, "/session/current")), ("Lynx", &json!(false)));

    app.clock.advance(Duration::minutes(5));
    refresh(&app, &roots.cookie).await;
    refresh(&app, &there.cookie).await;
    let renewed = event(&mut watching).await;
    assert_eq!((text(&renewed, "/type"), text(&renewed, "/session/id")), ("RENEWED", there.session.as_str()));
    assert_eq!(at(&renewed, "/at"), at(&renewed, "/session/lastUsedAt"));
    assert!(text(&renewed, "/at") > text(&started, "/at"));

    app.graphql(&roots.token, SIGN_OUT, json!({"id": roots.session})).await;
    app.graphql(&ada.access_token, SIGN_OUT, json!({"id": there.session})).await;
    let ended = event(&mut watching).await;
    assert_eq!((text(&ended, "/type"), text(&ended, "/session/id")), ("ENDED", there.session.as_str()));

    let mut back = Socket::open(&app, &ada.access_token).await;
    back.subscribe("1", SESSIONS, json!({"after": at(&started, "/cursor")})).await;
    assert_eq!(event(&mut back).await, ended, "as it is now");
    back.subscribe("2", SESSIONS, json!({"after": "nonsense"})).await;
    let refused = back.next().await;
    assert!(refused.to_string().contains("is not a cursor"), "{refused}");
}

#[rstest]
#[tokio::test]
async fn administrators_see_tokens_being_used(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let root = app.person("root@example.com", &[Role::Admin]).await;
    let other = Scope::system(app.create_workspace("other").await.id);
    let elsewhere = app.token_in(other, Role::Viewer).await;
    later(&app.clock);
    let mut watching = Socket::open(&app, &root.access_token).await;
    watching.subscribe("1", TOKENS, json!({})).await;

    assert!(works(&app, &elsewhere).await);
    let made = app.graphql(&root.access_token, CREATE, json!({})).await;
    let (id, secret) = (text(&made, "/data/createApiToken/apiToken/id"), text(&made, "/data/createApiToken/secret"));
    let created = event(&mut watching).await;
    assert_eq!((text(&created, "/type"), text(&created, "/apiToken/id")), ("CREATED", id));
    assert_eq!(at(&created, "/apiToken/lastUsedAt"), &Value::Null);

    let entries = audit_length(&app, &root.access_token).await;
    let mut used = Vec::new();
    for _ in 0..2 {
        // Many requests of the same minute are told once.
        for _ in 0..3 {
            assert!(works(&app, secret).await);
        }
        used.push(event(&mut watching).await);
        app.clock.advance(Duration::minutes(1));
    }
    assert!(used.iter().all(|event| text(event, "/type") == "USED" && text(event, "/apiToken/id") == id));
    assert!(text(&used[0], "/apiToken/lastUsedAt") < text(&used[1], "/apiToken/lastUsedAt"));
    assert_eq!(audit_length(&app, &root.access_token).await, entries, "a use is not worth an entry");

    app.graphql(&root.access_token, REVOKE, json!({"id": id})).await;
    let revoked = event(&mut watching).await;
    assert_eq!((text(&revoked, "/type"), text(&revoked, "/apiToken/status")), ("REVOKED", "REVOKED"));

    let mut back = Socket::open(&app, &root.access_token).await;
    back.subscribe("1", TOKENS, json!({"after": at(&used[1], "/cursor")})).await;
    assert_eq!(event(&mut back).await, revoked);
}

#[rstest]
#[tokio::test]
async fn what_another_process_does_to_ways_in_is_told(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let root = app.person("root@example.com", &[Role::Admin]).await;
    let token = app.token(Role::Viewer).await;
    let id = app.token_id(&token).await;
    let there = browse(&app, "root@example.com", "Lynx").await;
    later(&app.clock);
    let mut tokens = Socket::open(&app, &root.access_token).await;
    tokens.subscribe("1", TOKENS, json!({})).await;
    let mut sessions = Socket::open(&app, &root.access_token).await;
    sessions.subscribe("1", SESSIONS, json!({})).await;

    let process = app.another_process().await;
    process.revoke_api_token(app.scope(), id.parse().expect("an id"), &Origin::default()).await.expect("revoked");
    let revoked = event(&mut tokens).await;
    assert_eq!((text(&revoked, "/type"), text(&revoked, "/apiToken/id")), ("REVOKED", id.as_str()));
    let viewer = process.authenticate(&there.token.clone().into()).await.expect("an answer").expect("a viewer");
    let command = countersign::engine::commands::SignOut::Here;
    process.sign_out(&viewer, command, &Origin::default()).await.expect("signed out");
    let ended = event(&mut sessions).await;
    assert_eq!((text(&ended, "/type"), text(&ended, "/session/id")), ("ENDED", there.session.as_str()));
}

#[tokio::test]
async fn a_token_that_one_server_lets_in_another_one_tells_of() {
    let (fresh, clock) = (Database::Postgres.fresh().await, TestClock::default());
    let one = Process::start(fresh.clone(), clock.clone(), |_| {}).await;
    let other = Process::start(fresh, clock, |_| {}).await;
    let root = one.person("root@example.com", &[Role::Admin]).await;
    let tokens = [one.token(Role::Viewer).await, one.token(Role::Viewer).await];
    later(&one.clock);
    let mut watching = Socket::open(&other, &root.access_token).await;
    watching.subscribe("1", TOKENS, json!({})).await;
    for (app, token) in [(&one, &tokens[0]), (&other, &tokens[1])] {
        assert!(works(app, token).await);
        let used = event(&mut watching).await;
        assert_eq!(text(&used, "/type"), "USED");
        assert_eq!(text(&used, "/apiToken/id"), one.token_id(token).await);
    }
}

#[rstest]
#[tokio::test]
async fn who_is_no_administrator_any_more_hears_of_no_token(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.person("root@example.com", &[Role::Admin]).await;
    let eve = app.person("eve@example.com", &[Role::Admin]).await;
    let tokens = [app.token(Role::Viewer).await, app.token(Role::Viewer).await];
    later(&app.clock);
    let mut watching = Socket::open(&app, &eve.access_token).await;
    watching.subscribe("1", TOKENS, json!({})).await;
    // Who hears of a token listens: only then does losing the role end anything.
    assert!(works(&app, &tokens[0]).await);
    assert_eq!(text(&event(&mut watching).await, "/type"), "USED");

    let command = ChangeUserRoles { user: eve.id.parse().expect("an id"), roles: Role::Viewer.into() };
    app.engine.change_user_roles(app.scope(), command, &Origin::default()).await.expect("changed");
    assert!(works(&app, &tokens[1]).await);
    let (said, code) = until_closed(&mut watching).await;
    // The stream may end before its socket does.
    assert!(said.iter().all(|message| message["type"] == "complete"), "{said:?}");
    assert_eq!(code, 4403);
}
