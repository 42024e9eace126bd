//! Signing in with an e-mail address and a password.

use countersign::{
    domain::{access::Scope, role::Role},
    engine::{Origin, commands::InviteUser},
};
use rstest::rstest;
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use super::{SIGN_IN, audited, refusals, sign_in};
use crate::support::{Database, PASSWORD, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn the_right_password_signs_in(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let answer = sign_in(&app, " ADA@Example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0]);
    let token = text(&answer, "/data/signIn/session/accessToken");
    let viewer = app.graphql(token, "{ viewer { user { id status lastSignInAt } } }", json!({})).await;
    assert_eq!(text(&viewer, "/data/viewer/user/id"), ada.id);
    assert_eq!(text(&viewer, "/data/viewer/user/status"), "ACTIVE");
    let entries = audited(&app, token, &["SIGNED_IN"]).await;
    assert_eq!(at(&entries[0], "/details"), &json!({"method": "password"}));
    assert_eq!(text(&entries[0], "/actor/user/id"), ada.id);
}

#[tokio::test]
async fn every_wrong_way_in_gets_the_same_answer() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    let gone = app.person("gone@example.com", &[Role::Viewer]).await;
    app.engine.disable_user(app.scope(), gone.id.parse().expect("an id"), &Origin::default()).await.expect("disabled");
    invite(&app, app.scope(), "new@example.com").await;

    let wrong = sign_in(&app, "ada@example.com", "not the password").await;
    assert_eq!(refusals(&wrong, "signIn"), ["INVALID_CREDENTIALS"]);
    assert_eq!(at(&wrong, "/data/signIn/session"), &Value::Null);
    for (email, password) in [
        ("nobody@example.com", PASSWORD),
        ("gone@example.com", PASSWORD),
        ("new@example.com", PASSWORD),
        ("new@example.com", ""),
        ("ada@example.com", ""),
    ] {
        assert_eq!(sign_in(&app, email, password).await, wrong, "{email} {password}");
    }
    let elsewhere = json!({"email": "ada@example.com", "password": PASSWORD, "workspace": "elsewhere"});
    assert_eq!(app.anonymous(SIGN_IN, elsewhere).await, wrong);
    // The first sign-in by link only: none of these was one.
    assert_eq!(audited(&app, &admin, &["SIGNED_IN"]).await.len(), 2);
}

#[rstest]
#[tokio::test]
async fn refused_sign_ins_are_audited(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    sign_in(&app, "ada@example.com", "not the password").await;
    sign_in(&app, "nobody@example.com", "not the password").await;
    let entries = audited(&app, &admin, &["SIGN_IN_REFUSED"]).await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(text(&entries[0], "/subjectId"), ada.id);
    assert_eq!(text(&entries[0], "/actor/kind"), "SYSTEM");
    assert_eq!(text(&entries[0], "/address"), "127.0.0.1");
}

#[tokio::test]
async fn what_is_no_address_is_explained() {
    let app = TestApp::start(Database::Sqlite).await;
    let answer = sign_in(&app, "ada", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), ["INVALID"]);
    assert_eq!(at(&answer, "/data/signIn/userErrors/0/path"), &json!(["input", "email"]));
    assert!(text(&answer, "/data/signIn/userErrors/0/message").contains("`ada` is not an e-mail address"));
}

#[rstest]
#[tokio::test]
async fn people_of_several_workspaces_say_which(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let other = app.create_workspace("other").await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    let there = app.person_in(Scope::system(other.id), "ada@example.com", &[Role::Admin]).await;

    let answer = sign_in(&app, "ada@example.com", PASSWORD).await;
    assert_eq!(refusals(&answer, "signIn"), ["WORKSPACE_REQUIRED"]);
    assert_eq!(at(&answer, "/data/signIn/userErrors/0/path"), &json!(["input", "workspace"]));
    let message = text(&answer, "/data/signIn/userErrors/0/message");
    assert!(message.contains("default") && message.contains("other"), "{message}");

    let variables = json!({"email": "ada@example.com", "password": PASSWORD, "workspace": "other"});
    let answer = app.anonymous(SIGN_IN, variables).await;
    let token = text(&answer, "/data/signIn/session/accessToken");
    let viewer = app.graphql(token, "{ viewer { roles user { id } workspace { slug } } }", json!({})).await;
    assert_eq!(
        at(&viewer, "/data/viewer"),
        &json!({"roles": ["ADMIN"], "user": {"id": there.id}, "workspace": {"slug": "other"}})
    );
}

#[tokio::test]
async fn an_account_that_cannot_be_used_is_not_asked_about() {
    let app = TestApp::start(Database::Sqlite).await;
    let other = Scope::system(app.create_workspace("other").await.id);
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let there = app.person_in(other, "ada@example.com", &[Role::Viewer]).await;
    app.engine.disable_user(other, there.id.parse().expect("an id"), &Origin::default()).await.expect("disabled");
    let answer = sign_in(&app, "ada@example.com", PASSWORD).await;
    let token = text(&answer, "/data/signIn/session/accessToken");
    let viewer = app.graphql(token, "{ viewer { user { id } } }", json!({})).await;
    assert_eq!(text(&viewer, "/data/viewer/user/id"), ada.id);
}

#[rstest]
#[tokio::test]
async fn somebody_in_many_workspaces_gets_into_each(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    for number in 0..10 {
        let workspace = app.create_workspace(&format!("team-{number}")).await;
        invite(&app, Scope::system(workspace.id), "ada@example.com").await;
    }
    let last = app.create_workspace("last").await;
    app.person_in(Scope::system(last.id), "ada@example.com", &[Role::Viewer]).await;
    let variables = json!({"email": "ada@example.com", "password": PASSWORD, "workspace": "last"});
    let answer = app.anonymous(SIGN_IN, variables).await;
    assert_eq!(refusals(&answer, "signIn"), [""; 0]);
}

#[rstest]
#[tokio::test]
async fn passwords_are_kept_as_argon2id_hashes_only(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    sign_in(&app, "ada@example.com", "a wrong password").await;
    let connection = app.database.connect().await;
    let row = entity::user::Entity::find().one(&connection).await.expect("a query").expect("a row");
    let hash = row.password_hash.expect("a password");
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    assert!(app.database.holds(&hash).await, "the search finds what is there");
    assert!(!app.database.holds(PASSWORD).await);
    assert!(!app.database.holds("a wrong password").await);
}

async fn invite(app: &TestApp, scope: Scope, email: &str) {
    let command =
        InviteUser { email: email.to_owned(), display_name: None, roles: Role::Viewer.into(), idempotency_key: None };
    app.engine.invite_user(scope, command, &Origin::default()).await.expect("an invitation");
}
