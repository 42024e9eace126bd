//! Links and identities that admins add to accounts in use: no one decides as somebody else.

use chrono::Duration;
use countersign::{domain::role::Role, engine::Origin};
use rstest::rstest;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::{audited, error_code, refusals, sign_in};
use crate::{
    checkpoints::api::{approve, parked, payment},
    support::{Database, PASSWORD, TestApp, at, text},
};

const LINK: &str =
    "mutation($id: ID!) { createSignInLink(input: {userId: $id}) { signInLink userErrors { code message path } } }";
const REDEEM: &str = "mutation($token: String!) {
    redeemSignInLink(input: {token: $token}) { session { accessToken } userErrors { code path } } }";
const APPROVE: &str = "mutation($id: ID!, $digest: String!) {
    approveCheckpoint(input: {checkpointId: $id, digest: $digest}) { checkpoint { status } userErrors { code } } }";
const VIEWER: &str = "{ viewer { roles held signInLink { expiresAt }
    sessions { id current held } } }";
const PAY: &str = "{version: '1.0', checkpoints: [{name: Pay, trigger: {operation_type: pay}, \
                   action: {require_approval_count: 1}}]}";

/// The token of a link that was made through the API.
fn token_of(answer: &Value) -> String {
    text(answer, "/data/createSignInLink/signInLink").split_once("#token=").expect("a link").1.to_owned()
}

async fn redeem(app: &TestApp, token: &str) -> String {
    let answer = app.anonymous(REDEEM, json!({"token": token})).await;
    text(&answer, "/data/redeemSignInLink/session/accessToken").to_owned()
}

async fn viewer(app: &TestApp, token: &str) -> Value {
    at(&app.graphql(token, VIEWER, json!({})).await, "/data/viewer").clone()
}

#[rstest]
#[tokio::test]
async fn an_admin_does_not_approve_as_somebody_else(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.policy(PAY).await;
    let operator = app.token(Role::Operator).await;
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let workflow = payment(&app, json!({})).await;
    let found = parked(&app, &operator, &workflow, json!({"amount": 5, "to": "Bob"})).await;
    let link = token_of(&app.graphql(&admin.access_token, LINK, json!({"id": ada.id})).await);
    assert!(viewer(&app, &ada.access_token).await["signInLink"].is_object(), "its person sees the link");
    let stolen = redeem(&app, &link).await;

    let decide = json!({"id": found["id"], "digest": found["digest"]});
    let refused = app.graphql(&stolen, APPROVE, decide.clone()).await;
    assert_eq!(error_code(&refused), "FORBIDDEN", "{refused}");
    let message = text(&refused, "/errors/0/message");
    assert!(
        message.contains("an admin opened this way") && message.contains("sign in with your password"),
        "{message}"
    );
    let seen = viewer(&app, &stolen).await;
    assert_eq!((&seen["roles"], &seen["held"]), (&json!(["VIEWER"]), &json!(true)), "it reads: {seen}");

    // Its person sees the session and ends it; it cannot end theirs.
    let seen = viewer(&app, &ada.access_token).await;
    let sessions = seen["sessions"].as_array().expect("a list");
    let theirs = sessions.iter().find(|session| session["held"] == true).expect("the other session");
    assert!(seen["signInLink"].is_null(), "{seen}");
    let out = "mutation($id: ID) { signOut(input: {sessionId: $id, everywhere: true}) { userErrors { code } } }";
    let own = sessions.iter().find(|session| session["current"] == true).expect("her session");
    for id in [&Value::Null, &own["id"]] {
        assert_eq!(refusals(&app.graphql(&stolen, out, json!({"id": id})).await, "signOut"), ["NOT_ALLOWED"]);
    }
    assert_eq!(refusals(&app.graphql(&ada.access_token, out, json!({"id": theirs["id"]})).await, "signOut"), [""; 0]);
    assert_eq!(app.post(Some(&stolen), VIEWER, json!({})).await.status(), 401);
    assert_eq!(at(&approve(&app, &ada.access_token, &found).await, "/checkpoint/status"), "APPROVED");

    let admin = app.token(Role::Admin).await;
    let made = &audited(&app, &admin, &["SIGN_IN_LINK_CREATED"]).await[0];
    assert_eq!((at(made, "/details/recovery"), text(made, "/subjectId")), (&json!(true), ada.id.as_str()));
    let signed_in = &audited(&app, &admin, &["SIGNED_IN"]).await[0];
    assert!(at(signed_in, "/details/held") == &json!(true), "{signed_in}");
}

#[tokio::test]
async fn what_was_opened_only_reads_as_long_as_it_lasts() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let link = token_of(&app.graphql(&admin.access_token, LINK, json!({"id": ada.id})).await);
    let secret = link.into();
    let started = app.engine.redeem_sign_in_link(secret, &Origin::default()).await.expect("a session");
    let mut refresh = started.refresh_token;
    for days in [1, 13, 13] {
        app.clock.advance(Duration::days(days));
        let renewed = app.engine.refresh_session(refresh, &Origin::default()).await.expect("it goes on");
        let seen = viewer(&app, renewed.access_token.expose_secret()).await;
        assert_eq!((&seen["roles"], at(&seen, "/sessions/0/held")), (&json!(["VIEWER"]), &json!(true)), "{seen}");
        refresh = renewed.refresh_token;
    }
}

#[tokio::test]
async fn the_password_shows_who_it_is() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let link = token_of(&app.graphql(&admin.access_token, LINK, json!({"id": ada.id})).await);
    let opened = redeem(&app, &link).await;
    let change = "mutation($old: String, $new: String!) {
        changePassword(input: {currentPassword: $old, newPassword: $new}) { userErrors { code } } }";
    let guess = app.graphql(&opened, change, json!({"old": "guess", "new": "another horse battery"})).await;
    assert_eq!(refusals(&guess, "changePassword"), ["INVALID_CREDENTIALS"]);
    let known = app.graphql(&opened, change, json!({"old": PASSWORD, "new": "another horse battery"})).await;
    assert_eq!(refusals(&known, "changePassword"), [""; 0]);
    assert_eq!(viewer(&app, &opened).await["roles"], json!(["APPROVER"]));
    let signed_in = sign_in(&app, "ada@example.com", "another horse battery").await;
    let token = text(&signed_in, "/data/signIn/session/accessToken");
    assert_eq!(viewer(&app, token).await["held"], json!(false));
}

#[tokio::test]
async fn no_way_in_that_lasts_is_made_meanwhile() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    // She signed in with her first link and has no password yet.
    let invite =
        "mutation { inviteUser(input: {email: \"bea@example.com\", roles: [ADMIN]}) { user { id } signInLink } }";
    let invited = app.graphql(&admin.access_token, invite, json!({})).await;
    let first = text(&invited, "/data/inviteUser/signInLink").split_once("#token=").expect("a link").1;
    let bea = redeem(&app, first).await;
    assert_eq!(viewer(&app, &bea).await["held"], json!(false), "the first link is hers");
    let id = text(&invited, "/data/inviteUser/user/id");
    let opened = redeem(&app, &token_of(&app.graphql(&admin.access_token, LINK, json!({"id": id})).await)).await;
    let change = "mutation { changePassword(input: {newPassword: \"another horse battery\"}) { userErrors { code } } }";
    assert_eq!(refusals(&app.graphql(&opened, change, json!({})).await, "changePassword"), ["NOT_ALLOWED"]);
    let link = "mutation { linkIdentity(input: {token: \"x\"}) { userErrors { code } } }";
    assert_eq!(refusals(&app.graphql(&opened, link, json!({})).await, "linkIdentity"), ["NOT_ALLOWED"]);
    let token = "mutation { createApiToken(input: {name: \"mine\", roles: [VIEWER]}) { secret userErrors { code } } }";
    assert_eq!(error_code(&app.graphql(&opened, token, json!({})).await), "FORBIDDEN");
    assert_eq!(refusals(&app.graphql(&bea, change, json!({})).await, "changePassword"), [""; 0]);
}

#[tokio::test]
async fn a_person_takes_back_a_link_that_they_did_not_ask_for() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let link = token_of(&app.graphql(&admin.access_token, LINK, json!({"id": ada.id})).await);
    let withdraw = "mutation { withdrawSignInLink { userErrors { code } } }";
    assert_eq!(refusals(&app.graphql(&ada.access_token, withdraw, json!({})).await, "withdrawSignInLink"), [""; 0]);
    let answer = app.anonymous(REDEEM, json!({"token": link})).await;
    assert_eq!(refusals(&answer, "redeemSignInLink"), ["EXPIRED"]);
    let again = app.graphql(&ada.access_token, withdraw, json!({})).await;
    assert_eq!(refusals(&again, "withdrawSignInLink"), ["NOT_FOUND"]);
    assert_eq!(audited(&app, &admin.access_token, &["SIGN_IN_LINK_WITHDRAWN"]).await.len(), 1);
}

#[tokio::test]
async fn an_api_token_opens_no_way_into_an_account() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    // It would be the first to use the account, and could approve its own request.
    let invite = "mutation { inviteUser(input: {email: \"new@example.com\", roles: [APPROVER]}) {
        user { id } signInLink userErrors { code } } }";
    let invited = app.graphql(&token, invite, json!({})).await;
    assert_eq!(refusals(&invited, "inviteUser"), [""; 0]);
    assert_eq!(at(&invited, "/data/inviteUser/signInLink"), &Value::Null);
    let id = text(&invited, "/data/inviteUser/user/id");
    assert_eq!(refusals(&app.graphql(&token, LINK, json!({"id": id})).await, "createSignInLink"), ["NOT_ALLOWED"]);
    let admin = app.person("admin@example.com", &[Role::Admin]).await;
    let link = token_of(&app.graphql(&admin.access_token, LINK, json!({"id": id})).await);
    assert_eq!(viewer(&app, &redeem(&app, &link).await).await["roles"], json!(["APPROVER"]), "an admin hands it over");
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let made = app.graphql(&token, LINK, json!({"id": ada.id})).await;
    assert_eq!(refusals(&made, "createSignInLink"), ["NOT_ALLOWED"]);
    assert_eq!(at(&made, "/data/createSignInLink/signInLink"), &Value::Null);
}

#[tokio::test]
async fn the_operator_lets_people_in_and_the_log_shows_it() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let id = ada.id.parse().expect("an id");
    let (_, link) = app.engine.create_sign_in_link(app.scope(), id, &Origin::default()).await.expect("a link");
    let opened = redeem(&app, link.expose_secret()).await;
    assert_eq!(viewer(&app, &opened).await["roles"], json!(["APPROVER"]));
    let made = &audited(&app, &admin, &["SIGN_IN_LINK_CREATED"]).await[0];
    assert_eq!((text(made, "/actor/kind"), at(made, "/details/recovery")), ("SYSTEM", &json!(true)));
}
