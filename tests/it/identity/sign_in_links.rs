//! One-time links.

use chrono::Duration;
use countersign::{domain::role::Role, engine::Origin};
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, refusals};
use crate::support::{Database, PASSWORD, TestApp, at, text};

const REDEEM: &str = "mutation($token: String!) {
    redeemSignInLink(input: {token: $token}) { session { accessToken } userErrors { code path } } }";
const INVITE: &str = "mutation($email: String!) {
    inviteUser(input: {email: $email, roles: [VIEWER]}) { user { id } signInLink userErrors { code } } }";
const RENEW: &str =
    "mutation($id: ID!) { createSignInLink(input: {userId: $id}) { signInLink userErrors { code message path } } }";

async fn redeem(app: &TestApp, token: &str) -> Value {
    app.anonymous(REDEEM, json!({"token": token})).await
}

/// The secret part of a link.
#[track_caller]
fn token_of(link: &str) -> String {
    link.split_once("/sign-in#token=").expect("a sign-in link").1.to_owned()
}

/// Invites somebody; gives their id and their link's token.
async fn invite(app: &TestApp, admin: &str, email: &str) -> (String, String) {
    let answer = app.graphql(admin, INVITE, json!({"email": email})).await;
    let id = text(&answer, "/data/inviteUser/user/id").to_owned();
    (id, token_of(text(&answer, "/data/inviteUser/signInLink")))
}

#[rstest]
#[tokio::test]
async fn a_link_works_once(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let (id, token) = invite(&app, &admin, "ada@example.com").await;
    assert!(token.starts_with("csl_"), "a leak scanner knows it");
    let answer = redeem(&app, &token).await;
    let access = text(&answer, "/data/redeemSignInLink/session/accessToken");
    let viewer = app.graphql(access, "{ viewer { user { id status } } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/user"), &json!({"id": id, "status": "ACTIVE"}));
    assert_eq!(at(&audited(&app, &admin, &["SIGNED_IN"]).await[0], "/details"), &json!({"method": "link"}));

    let again = redeem(&app, &token).await;
    assert_eq!(refusals(&again, "redeemSignInLink"), ["EXPIRED"]);
    assert_eq!(at(&again, "/data/redeemSignInLink/userErrors/0/path"), &json!(["input", "token"]));
    assert_eq!(again, redeem(&app, "csl_never_made").await, "a used link is not told from an unknown one");
    assert!(!app.database.holds(&token).await, "only its hash is kept");
}

#[rstest]
#[tokio::test]
async fn of_many_that_redeem_one_link_at_once_one_wins(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    for round in 0..5 {
        let (_, token) = invite(&app, &admin, &format!("ada{round}@example.com")).await;
        let answers = join_all((0..10).map(|_| redeem(&app, &token))).await;
        let (won, lost): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| at(answer, "/data/redeemSignInLink/session").is_object());
        assert_eq!(won.len(), 1, "{answers:?}");
        assert!(lost.iter().all(|answer| refusals(answer, "redeemSignInLink") == ["EXPIRED"]), "{lost:?}");
    }
    let entries = audited(&app, &admin, &["SIGNED_IN"]).await;
    assert_eq!(entries.len(), 1 + 5, "the admin's own, and one for each link");
}

#[tokio::test]
async fn a_link_expires() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let (_, first) = invite(&app, &admin, "ada@example.com").await;
    let (_, second) = invite(&app, &admin, "bob@example.com").await;
    app.clock.advance(Duration::hours(23) + Duration::minutes(59));
    assert_eq!(refusals(&redeem(&app, &first).await, "redeemSignInLink"), [""; 0]);
    app.clock.advance(Duration::minutes(1));
    assert_eq!(refusals(&redeem(&app, &second).await, "redeemSignInLink"), ["EXPIRED"]);
}

#[rstest]
#[tokio::test]
async fn a_new_link_takes_the_place_of_the_old_one(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let (id, old) = invite(&app, &admin, "ada@example.com").await;
    let (_, other) = invite(&app, &admin, "bob@example.com").await;
    let answer = app.graphql(&admin, RENEW, json!({"id": id})).await;
    let new = token_of(text(&answer, "/data/createSignInLink/signInLink"));
    assert_eq!(refusals(&redeem(&app, &old).await, "redeemSignInLink"), ["EXPIRED"]);
    assert_eq!(refusals(&redeem(&app, &new).await, "redeemSignInLink"), [""; 0]);
    assert_eq!(refusals(&redeem(&app, &other).await, "redeemSignInLink"), [""; 0], "somebody else's stays");
}

#[rstest]
#[tokio::test]
async fn a_disabled_person_has_no_link(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let (id, token) = invite(&app, &admin, "ada@example.com").await;
    let user = id.parse().expect("an id");
    app.engine.disable_user(app.scope(), user, &Origin::default()).await.expect("disabled");
    assert_eq!(refusals(&redeem(&app, &token).await, "redeemSignInLink"), ["EXPIRED"]);
    let answer = app.graphql(&admin, RENEW, json!({"id": id})).await;
    assert_eq!(refusals(&answer, "createSignInLink"), ["CONFLICT"]);
    // Letting somebody in again does not bring back a link that may lie around.
    app.engine.enable_user(app.scope(), user, &Origin::default()).await.expect("enabled");
    assert_eq!(refusals(&redeem(&app, &token).await, "redeemSignInLink"), ["EXPIRED"]);
}

#[tokio::test]
async fn a_new_password_takes_back_the_link() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let answer = app.graphql(&ada.access_token, RENEW, json!({"id": ada.id})).await;
    let token = token_of(text(&answer, "/data/createSignInLink/signInLink"));
    let change = "mutation($old: String!, $new: String!) {
        changePassword(input: {currentPassword: $old, newPassword: $new}) { userErrors { code } } }";
    app.graphql(&ada.access_token, change, json!({"old": PASSWORD, "new": "another horse battery"})).await;
    assert_eq!(refusals(&redeem(&app, &token).await, "redeemSignInLink"), ["EXPIRED"]);
}

#[tokio::test]
async fn links_name_the_address_that_people_use() {
    let app = TestApp::start_with(Database::Sqlite, |settings| {
        settings.public_url = Some("https://countersign.example.com/".parse().expect("a URL"));
    })
    .await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let answer = app.graphql(&admin, INVITE, json!({"email": "ada@example.com"})).await;
    let link = text(&answer, "/data/inviteUser/signInLink");
    assert!(link.starts_with("https://countersign.example.com/sign-in#token=csl_"), "{link}");
}
