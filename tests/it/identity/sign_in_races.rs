//! Ways in that race their own end: whoever was locked out meanwhile stays out.

use countersign::{domain::role::Role, engine::Origin};
use futures_util::future::{join, join_all};
use rstest::rstest;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{refusals, sessions::works, sign_in};
use crate::support::{Database, PASSWORD, TestApp, at, text};

const REDEEM: &str = "mutation($token: String!) {
    redeemSignInLink(input: {token: $token}) { session { accessToken } userErrors { code } } }";

const CHANGE: &str = "mutation($old: String!, $new: String!) {
    changePassword(input: {currentPassword: $old, newPassword: $new}) { userErrors { code } } }";

/// The access tokens of those answers that have one.
fn tokens<'a>(answers: &'a [Value], mutation: &str) -> Vec<&'a str> {
    let session = format!("/data/{mutation}/session");
    answers.iter().filter_map(|answer| at(answer, &session).get("accessToken")?.as_str()).collect()
}

#[rstest]
#[tokio::test]
async fn a_link_that_is_redeemed_during_a_lockout_leaves_no_session(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let (id, origin) = (ada.id.parse().expect("an id"), Origin::default());
    for _ in 0..20 {
        let (_, link) = app.engine.create_sign_in_link(app.scope(), id, &origin).await.expect("a link");
        let redeem = app.anonymous(REDEEM, json!({"token": link.expose_secret()}));
        let (answer, disabled) = join(redeem, app.engine.disable_user(app.scope(), id, &origin)).await;
        disabled.expect("disabled");
        app.engine.enable_user(app.scope(), id, &origin).await.expect("enabled");
        for token in tokens(&[answer], "redeemSignInLink") {
            assert!(!works(&app, token).await);
        }
    }
}

#[rstest]
#[tokio::test]
async fn of_two_new_links_at_once_one_works(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let (id, origin) = (ada.id.parse().expect("an id"), Origin::default());
    for _ in 0..10 {
        let create = || app.engine.create_sign_in_link(app.scope(), id, &origin);
        let (one, other) = join(create(), create()).await;
        let mut answers = Vec::new();
        for (_, link) in [one.expect("a link"), other.expect("a link")] {
            answers.push(app.anonymous(REDEEM, json!({"token": link.expose_secret()})).await);
        }
        assert_eq!(tokens(&answers, "redeemSignInLink").len(), 1, "the later one alone");
    }
}

#[rstest]
#[tokio::test]
async fn a_password_that_is_changed_meanwhile_lets_nobody_in(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let done = CancellationToken::new();
    let change = async {
        let variables = json!({"old": PASSWORD, "new": "another horse battery"});
        let answer = app.graphql(&ada.access_token, CHANGE, variables).await;
        done.cancel();
        answer
    };
    let keep_signing_in = || async {
        let mut answers = Vec::new();
        while !done.is_cancelled() {
            answers.push(sign_in(&app, "ada@example.com", PASSWORD).await);
        }
        answers
    };
    let (changed, answers) = join(change, join_all((0..4).map(|_| keep_signing_in()))).await;
    assert_eq!(refusals(&changed, "changePassword"), [""; 0]);
    for token in tokens(&answers.concat(), "signIn") {
        assert!(!works(&app, token).await, "whoever knew the old password is out");
    }
}

#[rstest]
#[tokio::test]
async fn of_two_new_passwords_at_once_one_is_taken(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let other = sign_in(&app, "ada@example.com", PASSWORD).await;
    let other = text(&other, "/data/signIn/session/accessToken");
    let change = |token, new| app.graphql(token, CHANGE, json!({"old": PASSWORD, "new": new}));
    let (here, there) = join(change(&ada.access_token, "battery of here"), change(other, "battery of there")).await;
    let (here, there) = (refusals(&here, "changePassword"), refusals(&there, "changePassword"));
    assert_eq!([here.clone(), there.clone()].concat(), ["INVALID_CREDENTIALS"], "the other one's session has ended");
    for (password, refused) in [("battery of here", here), ("battery of there", there)] {
        assert_eq!(refusals(&sign_in(&app, "ada@example.com", password).await, "signIn"), refused);
    }
}
