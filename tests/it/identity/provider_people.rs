//! People who come with a token of the outside identity provider.

use countersign::{
    config::RolesFollow,
    domain::role::Role,
    engine::{Origin, commands::InviteUser},
};
use futures_util::future::join_all;
use jsonwebtoken::Algorithm;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    audited, newest, refusals,
    sessions::works,
    watcher::{Transport, Watcher},
};
use crate::support::{
    Database, Socket, TestApp, at,
    provider::{Key, Provider, claims, with},
    text,
};

/// A server, a provider that it trusts and that decides about roles, and the provider's key.
async fn start(database: Database) -> (TestApp, Key) {
    let key = Key::new("key", Algorithm::EdDSA);
    let provider = Provider::start(&[&key]).await;
    let app = TestApp::start_with(database, |settings| {
        provider.configure(settings);
        settings.oidc_roles = RolesFollow::Always;
    })
    .await;
    (app, key)
}

async fn viewer(app: &TestApp, token: &str) -> Value {
    let query = "{ viewer { displayName roles workspace { slug } user { id email roles } } }";
    let answer = app.graphql(token, query, json!({})).await;
    at(&answer, "/data/viewer").clone()
}

/// How many accounts the default workspace has.
async fn accounts(app: &TestApp, token: &str) -> Value {
    let answer = app.graphql(token, "{ users { totalCount } }", json!({})).await;
    at(&answer, "/data/users/totalCount").clone()
}

#[rstest]
#[tokio::test]
async fn somebody_new_gets_an_account(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (app, key) = start(database).await;
    let roles = json!(["admin", "approver", "somebody-elses-role"]);
    let token = key.sign(&with(claims("ada@example.com", roles), json!({"email": "Ada@Example.com"})));
    let first = viewer(&app, &token).await;
    let id = text(&first, "/user/id");
    let roles = json!(["APPROVER", "ADMIN"]);
    assert_eq!(
        first,
        json!({"displayName": "Ada Lovelace", "roles": roles, "workspace": {"slug": "default"},
            "user": {"id": id, "email": "ada@example.com", "roles": roles}})
    );
    let again = viewer(&app, &key.sign(&claims("ada@example.com", json!(["approver", "admin"])))).await;
    assert_eq!(again, first, "the same account");
    assert_eq!(accounts(&app, &token).await, 1);
    let entries = audited(&app, &token, &["USER_PROVISIONED", "USER_ROLES_CHANGED"]).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(text(&entries[0], "/action"), "USER_PROVISIONED");
    assert_eq!(text(&entries[0], "/subjectId"), id);
}

#[rstest]
#[case::list("roles", json!({"roles": ["OPERATOR", "viewer"]}))]
#[case::text("roles", json!({"roles": "operator viewer"}))]
#[case::commas("roles", json!({"roles": "operator,viewer"}))]
#[case::nested("realm_access.roles", json!({"realm_access": {"roles": ["operator", "viewer"]}, "roles": ["admin"]}))]
#[case::name_with_dots("https://example.com/roles", json!({"https://example.com/roles": ["operator", "viewer"]}))]
#[tokio::test]
async fn roles_come_from_the_claim_that_is_configured(#[case] claim: &str, #[case] changes: Value) {
    let key = Key::new("key", Algorithm::EdDSA);
    let provider = Provider::start(&[&key]).await;
    let app = TestApp::start_with(Database::Sqlite, |settings| {
        provider.configure(settings);
        settings.oidc_roles_claim = claim.to_owned();
    })
    .await;
    let token = key.sign(&with(claims("ada@example.com", Value::Null), changes));
    assert_eq!(at(&viewer(&app, &token).await, "/roles"), &json!(["VIEWER", "OPERATOR"]));
}

#[rstest]
#[tokio::test]
async fn roles_follow_the_token(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (app, key) = start(database).await;
    let root = app.token(Role::Admin).await;
    let before = newest(&app, &root).await;
    let token = key.sign(&claims("ada@example.com", json!(["admin"])));
    let id = text(&viewer(&app, &token).await, "/user/id").to_owned();
    let mut open = Watcher::open(Transport::Socket, &app, &token, before).await;
    assert_eq!(open.next().await.action, "USER_PROVISIONED");

    // The socket that brings the change goes on; those from before it end.
    let changed = key.sign(&claims("ada@example.com", json!(["viewer", "author"])));
    let mut socket = Socket::open(&app, &changed).await;
    assert_eq!(open.until_over().await, []);
    socket.subscribe("1", "{ viewer { roles user { id roles } } }", json!({})).await;
    let roles = json!(["VIEWER", "AUTHOR"]);
    assert_eq!(
        at(&socket.next().await, "/payload/data/viewer"),
        &json!({"roles": roles, "user": {"id": id, "roles": roles}})
    );
    let entries = audited(&app, &root, &["USER_ROLES_CHANGED"]).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(text(&entries[0], "/subjectId"), id);
    assert_eq!(at(&entries[0], "/before"), &json!({"roles": ["ADMIN"]}));
    assert_eq!(at(&entries[0], "/after"), &json!({"roles": ["VIEWER", "AUTHOR"]}));
}

#[rstest]
#[tokio::test]
async fn an_older_token_brings_no_roles_back(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (app, key) = start(database).await;
    let root = app.token(Role::Admin).await;
    let admin = claims("ada@example.com", json!(["admin"]));
    let issued_at = at(&admin, "/iat").as_i64().expect("a time") - 60;
    let issued = |roles: Value, iat: i64| key.sign(&with(admin.clone(), json!({"roles": roles, "iat": iat})));
    let older = issued(json!(["admin"]), issued_at);
    assert_eq!(at(&viewer(&app, &older).await, "/roles"), &json!(["ADMIN"]));
    let newer = issued(json!(["viewer"]), issued_at + 1);
    assert_eq!(at(&viewer(&app, &newer).await, "/roles"), &json!(["VIEWER"]));
    // What the provider took away stays away, although the token that still says otherwise has not expired.
    assert_eq!(at(&viewer(&app, &older).await, "/roles"), &json!(["VIEWER"]));
    assert_eq!(audited(&app, &root, &["USER_ROLES_CHANGED"]).await.len(), 1);
    // A clock that is ahead does not bar what comes after it.
    let ahead = issued(json!(["author"]), issued_at + 3600);
    assert_eq!(at(&viewer(&app, &ahead).await, "/roles"), &json!(["AUTHOR"]));
    let next = issued(json!(["viewer"]), issued_at + 3601);
    assert_eq!(at(&viewer(&app, &next).await, "/roles"), &json!(["VIEWER"]));
}

#[rstest]
#[case::none(json!([]))]
#[case::absent(Value::Null)]
#[case::unknown(json!(["superuser"]))]
#[case::not_a_list(json!({"admin": true}))]
#[tokio::test]
async fn nobody_comes_in_without_a_role(#[case] roles: Value) {
    let (app, key) = start(Database::Sqlite).await;
    let root = app.token(Role::Admin).await;
    assert!(!works(&app, &key.sign(&claims("ada@example.com", roles))).await);
    assert_eq!(accounts(&app, &root).await, 0);
}

#[rstest]
#[tokio::test]
async fn first_requests_that_come_together_make_one_account(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(json!(true), json!(null))] verified: Value,
) {
    let (app, key) = start(database).await;
    let root = app.token(Role::Admin).await;
    let verified = json!({"email_verified": verified});
    let token = key.sign(&with(claims("ada@example.com", json!(["viewer"])), verified.clone()));
    let came_in = join_all((0..10).map(|_| works(&app, &token))).await;
    assert_eq!(came_in, [true; 10]);
    assert_eq!(accounts(&app, &root).await, 1);
    assert_eq!(audited(&app, &root, &["USER_PROVISIONED"]).await.len(), 1);

    let changed = key.sign(&with(claims("ada@example.com", json!(["viewer", "author"])), verified));
    let came_in = join_all((0..10).map(|_| works(&app, &changed))).await;
    assert_eq!(came_in, [true; 10]);
    assert_eq!(audited(&app, &root, &["USER_ROLES_CHANGED"]).await.len(), 1);
}

#[rstest]
#[tokio::test]
async fn a_disabled_person_is_turned_away(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (app, key) = start(database).await;
    let token = key.sign(&claims("ada@example.com", json!(["admin"])));
    let id = text(&viewer(&app, &token).await, "/user/id").parse().expect("an id");
    app.person("root@example.com", &[Role::Admin]).await;
    let after = newest(&app, &token).await;
    let mut open = Watcher::open(Transport::Socket, &app, &token, after).await;
    app.engine.disable_user(app.scope(), id, &Origin::default()).await.expect("disabled");
    assert_eq!(open.until_over().await, []);
    assert!(!works(&app, &token).await);
    app.engine.enable_user(app.scope(), id, &Origin::default()).await.expect("enabled");
    assert!(works(&app, &token).await);
}

#[tokio::test]
async fn a_disabled_invitation_is_not_accepted() {
    let (app, key) = start(Database::Sqlite).await;
    let roles = Role::Viewer.into();
    let command = InviteUser { email: "ada@example.com".to_owned(), display_name: None, roles, idempotency_key: None };
    let invited = app.engine.invite_user(app.scope(), command, &Origin::default()).await.expect("an invitation");
    app.engine.disable_user(app.scope(), invited.user.id, &Origin::default()).await.expect("disabled");
    assert!(!works(&app, &key.sign(&claims("ada@example.com", json!(["admin"])))).await);
}

#[rstest]
#[tokio::test]
async fn the_token_names_the_workspace(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let key = Key::new("key", Algorithm::EdDSA);
    let provider = Provider::start(&[&key]).await;
    let app = TestApp::start_with(database, |settings| {
        provider.configure(settings);
        settings.oidc_workspace_claim = Some("tenant.slug".to_owned());
    })
    .await;
    app.create_workspace("other").await;
    let token =
        |tenant: Value| key.sign(&with(claims("ada@example.com", json!(["viewer"])), json!({"tenant": tenant})));
    let there = viewer(&app, &token(json!({"slug": "other"}))).await;
    assert_eq!(text(&there, "/workspace/slug"), "other");
    let here = viewer(&app, &token(Value::Null)).await;
    assert_eq!(text(&here, "/workspace/slug"), "default");
    assert_ne!(at(&here, "/user/id"), at(&there, "/user/id"), "an account in each");
    assert!(!works(&app, &token(json!({"slug": "elsewhere"}))).await);
}

#[rstest]
#[case::blank(json!({"name": "  "}))]
#[case::too_long(json!({"name": "x".repeat(101)}))]
#[case::control_character(json!({"name": "a\u{0}b"}))]
#[case::absent(json!({"name": null}))]
#[tokio::test]
async fn a_name_that_cannot_be_shown_is_replaced_by_the_address(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[case] name: Value,
) {
    let (app, key) = start(database).await;
    let token = key.sign(&with(claims("ada@example.com", json!(["viewer"])), name));
    assert_eq!(text(&viewer(&app, &token).await, "/displayName"), "ada@example.com");
}

#[tokio::test]
async fn an_outside_identity_has_no_password_here() {
    let (app, key) = start(Database::Sqlite).await;
    let token = key.sign(&claims("ada@example.com", json!(["viewer"])));
    let change = "mutation { changePassword(input: {newPassword: \"correct horse battery\"}) { userErrors { code } } }";
    assert_eq!(refusals(&app.graphql(&token, change, json!({})).await, "changePassword"), ["CONFLICT"]);
    let sign_out = "mutation { signOut(input: {}) { userErrors { code } } }";
    assert_eq!(refusals(&app.graphql(&token, sign_out, json!({})).await, "signOut"), ["CONFLICT"]);
}
