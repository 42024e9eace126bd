//! Which account an identity of the outside provider opens: the one that it is linked to, whatever address it names.

use countersign::{
    config::RolesFollow,
    domain::role::Role,
    engine::{
        Origin,
        commands::{ChangeUserRoles, InviteUser},
    },
};
use jsonwebtoken::Algorithm;
use rstest::rstest;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::{
    audited, error_code, newest, refusals,
    sessions::works,
    watcher::{Transport, Watcher},
};
use crate::support::{
    Database, Socket, TestApp, at,
    provider::{ISSUER, Key, Provider, claims, with},
    text,
};

const LINK: &str = "mutation($token: String!) { linkIdentity(input: {token: $token}) {
    user { id identities { issuer subject } } userErrors { code message path } } }";
const LINK_USER: &str = "mutation($input: LinkUserIdentityInput!) { linkUserIdentity(input: $input) {
    user { id identities { issuer subject } } userErrors { code message path } } }";
const UNLINK: &str = "mutation($input: UnlinkIdentityInput!) { unlinkIdentity(input: $input) {
    user { id identities { subject } } userErrors { code message path } } }";

async fn start(database: Database, follow: RolesFollow) -> (TestApp, Key) {
    let key = Key::new("key", Algorithm::EdDSA);
    let provider = Provider::start(&[&key]).await;
    let app = TestApp::start_with(database, |settings| {
        provider.configure(settings);
        settings.oidc_roles = follow;
    })
    .await;
    (app, key)
}

async fn viewer(app: &TestApp, token: &str) -> Value {
    let answer = app.graphql(token, "{ viewer { roles user { id } } }", json!({})).await;
    at(&answer, "/data/viewer").clone()
}

/// Why a token is turned away.
async fn refusal(app: &TestApp, token: &str) -> String {
    let response = app.post(Some(token), "{ viewer { displayName } }", json!({})).await;
    assert_eq!(response.status(), 401);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(error_code(&answer), "UNAUTHENTICATED");
    text(&answer, "/errors/0/message").to_owned()
}

#[rstest]
#[tokio::test]
async fn an_address_opens_no_account(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(RolesFollow::FirstSignIn, RolesFollow::Always)] follow: RolesFollow,
) {
    let (app, key) = start(database, follow).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    for verified in [json!(true), json!(false), json!(null)] {
        let changes = json!({"email": "ADA@example.com", "email_verified": verified});
        let token = key.sign(&with(claims("ada@example.com", json!(["viewer"])), changes));
        let why = refusal(&app, &token).await;
        assert!(why.contains("`linkIdentity`") && why.contains("ask an admin"), "{why}");
    }
    let token = key.sign(&claims("ada@example.com", json!(["viewer"])));
    let mut socket = Socket::connect(&app).await;
    let payload = json!({"Authorization": format!("Bearer {token}")});
    socket.send(json!({"type": "connection_init", "payload": payload})).await;
    let (code, reason) = socket.closed().await;
    assert_eq!(code, 4403);
    assert!(reason.ends_with("or ask an admin"), "all of it fits: {reason}");

    assert_eq!(viewer(&app, &ada.access_token).await, json!({"roles": ["ADMIN"], "user": {"id": ada.id}}));
    let found = app.graphql(&ada.access_token, "{ users { totalCount } }", json!({})).await;
    assert_eq!(at(&found, "/data/users/totalCount"), 1);
    assert!(audited(&app, &ada.access_token, &["USER_ROLES_CHANGED", "USER_PROVISIONED"]).await.is_empty());
}

#[rstest]
#[tokio::test]
async fn who_is_signed_in_links_an_identity(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (app, key) = start(database, RolesFollow::FirstSignIn).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let bob = app.person("bob@example.com", &[Role::Viewer]).await;
    let token = key.sign(&claims("ada@example.com", json!(["viewer"])));
    let link = async |by: &str, token: &str| app.graphql(by, LINK, json!({"token": token})).await;

    // A program has no account, and a forged or expired token proves nothing.
    let program = app.token(Role::Admin).await;
    assert_eq!(refusals(&link(&program, &token).await, "linkIdentity"), ["CONFLICT"]);
    let forged = Key::new("key", Algorithm::EdDSA).sign(&claims("ada@example.com", json!(["viewer"])));
    let expired = key.sign(&with(claims("ada@example.com", json!(["viewer"])), json!({"exp": 1})));
    for bad in [forged.as_str(), expired.as_str(), "nonsense"] {
        assert_eq!(refusals(&link(&ada.access_token, bad).await, "linkIdentity"), ["INVALID_CREDENTIALS"]);
    }
    assert_eq!(error_code(&app.anonymous(LINK, json!({"token": token})).await), "UNAUTHENTICATED");

    for _ in 0..2 {
        let linked = link(&ada.access_token, &token).await;
        let identities = json!([{"issuer": ISSUER, "subject": "subject of ada@example.com"}]);
        let expected = json!({"user": {"id": ada.id, "identities": identities}, "userErrors": []});
        assert_eq!(at(&linked, "/data/linkIdentity"), &expected, "again is no harm");
    }
    assert_eq!(viewer(&app, &token).await, json!({"roles": ["ADMIN"], "user": {"id": ada.id}}), "her roles stay");
    assert_eq!(refusals(&link(&bob.access_token, &token).await, "linkIdentity"), ["ALREADY_EXISTS"]);
    // A copied token of the provider cannot add a way in that lasts.
    let other = key.sign(&with(claims("ada@example.com", json!([])), json!({"sub": "a thief"})));
    assert_eq!(refusals(&link(&token, &other).await, "linkIdentity"), ["CONFLICT"]);

    let entries = audited(&app, &ada.access_token, &["IDENTITY_LINKED"]).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(text(&entries[0], "/subjectId"), ada.id);
    assert_eq!(text(&entries[0], "/actor/user/id"), ada.id);
    assert_eq!(at(&entries[0], "/details"), &json!({"issuer": ISSUER, "by": "token"}));
    assert_eq!(at(&entries[0], "/after"), &json!({"subject": "subject of ada@example.com"}));
}

#[rstest]
#[tokio::test]
async fn an_admin_links_and_unlinks(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (app, key) = start(database, RolesFollow::FirstSignIn).await;
    let root = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let ada = app.person("ada@example.com", &[Role::Admin, Role::Approver]).await;
    let input =
        |issuer: &str, subject: &str| json!({"input": {"userId": ada.id, "issuer": issuer, "subject": subject}});

    let bob = app.person("bob@example.com", &[Role::Approver]).await.access_token;
    assert_eq!(error_code(&app.graphql(&bob, LINK_USER, input(ISSUER, "x")).await), "FORBIDDEN");
    assert_eq!(error_code(&app.graphql(&bob, UNLINK, input(ISSUER, "x")).await), "FORBIDDEN");
    let wrong = app.graphql(&root, LINK_USER, input("https://elsewhere.example", "")).await;
    assert_eq!(refusals(&wrong, "linkUserIdentity"), ["INVALID", "INVALID"]);
    assert!(text(&wrong, "/data/linkUserIdentity/userErrors/0/message").contains(ISSUER), "{wrong}");

    // The subject decides, whatever address its tokens name.
    let linked = app.graphql(&root, LINK_USER, input(ISSUER, "4711")).await;
    assert_eq!(refusals(&linked, "linkUserIdentity"), [""; 0], "{linked}");
    let token = key.sign(&with(claims("married@example.com", json!(["viewer"])), json!({"sub": "4711"})));
    let seen = viewer(&app, &token).await;
    assert_eq!(seen, json!({"roles": ["VIEWER"], "user": {"id": ada.id}}), "an admin linked it: it only reads");
    app.database.execute("UPDATE outside_identity SET held = false").await;
    assert_eq!(at(&viewer(&app, &token).await, "/roles"), &json!(["APPROVER", "ADMIN"]), "her own would do more");
    let after = newest(&app, &root).await;
    let mut open = Watcher::open(Transport::Socket, &app, &token, after).await;

    let unlinked = app.graphql(&root, UNLINK, input(ISSUER, "4711")).await;
    assert_eq!(at(&unlinked, "/data/unlinkIdentity/user/identities"), &json!([]), "{unlinked}");
    assert_eq!(open.until_over().await, []);
    let again = app.graphql(&root, UNLINK, input(ISSUER, "4711")).await;
    assert_eq!(refusals(&again, "unlinkIdentity"), ["NOT_FOUND"]);
    let entries = audited(&app, &root, &["IDENTITY_LINKED", "IDENTITY_UNLINKED"]).await;
    let actions: Vec<&str> = entries.iter().map(|entry| text(entry, "/action")).collect();
    assert_eq!(actions, ["IDENTITY_UNLINKED", "IDENTITY_LINKED"]);
    assert_eq!(at(&entries[0], "/before"), &json!({"subject": "4711"}));
    assert_eq!(text(&entries[1], "/details/by"), "admin");
    assert!(at(&entries[1], "/details/held") == &json!(true), "{entries:?}");
    let program = app.token(Role::Admin).await;
    let refused = app.graphql(&program, LINK_USER, input(ISSUER, "4711")).await;
    assert_eq!(refusals(&refused, "linkUserIdentity"), ["NOT_ALLOWED"]);
}

#[tokio::test]
async fn nobody_sees_or_takes_the_only_way_in_of_others() {
    let (app, key) = start(Database::Sqlite, RolesFollow::FirstSignIn).await;
    // Invited, and in by the link alone: there is no password.
    let command = InviteUser {
        email: "ada@example.com".to_owned(),
        display_name: None,
        roles: Role::Viewer.into(),
        idempotency_key: None,
    };
    let invited = app.engine.invite_user(app.scope(), command, &Origin::default()).await.expect("an invitation");
    let redeem =
        "mutation($token: String!) { start: redeemSignInLink(input: {token: $token}) { session { accessToken } } }";
    let link = invited.link.expect("a link").expose_secret().to_owned();
    let (ada, _) = app.start_session(redeem, json!({"token": link})).await;
    let token = key.sign(&claims("ada@example.com", json!(["admin"])));
    assert!(!works(&app, &token).await, "an invitation waits for its link, not for an address");
    let linked = app.graphql(&ada, LINK, json!({"token": token})).await;
    assert_eq!(refusals(&linked, "linkIdentity"), [""; 0]);
    let own = json!({"input": {"issuer": ISSUER, "subject": "subject of ada@example.com"}});
    assert_eq!(refusals(&app.graphql(&ada, UNLINK, own.clone()).await, "unlinkIdentity"), ["CONFLICT"]);
    assert_eq!(refusals(&app.graphql(&token, UNLINK, own).await, "unlinkIdentity"), ["CONFLICT"]);

    let bob = app.person("bob@example.com", &[Role::Approver]).await.access_token;
    for field in ["identities { subject }", "sessions { id }"] {
        let query = format!("{{ users {{ nodes {{ email {field} }} }} }}");
        let answer = app.graphql(&bob, &query, json!({})).await;
        assert_eq!(error_code(&answer), "FORBIDDEN", "{answer}");
        assert_eq!(answer["errors"].as_array().map(Vec::len), Some(1), "people see their own: {answer}");
    }
}

#[rstest]
#[tokio::test]
async fn roles_are_the_admins_after_the_first_sign_in(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let (app, key) = start(database, RolesFollow::FirstSignIn).await;
    let root = app.token(Role::Admin).await;
    let token = |roles: Value| key.sign(&claims("ada@example.com", roles));
    assert!(refusal(&app, &token(json!([]))).await.contains("names no role"));
    let first = viewer(&app, &token(json!(["viewer"]))).await;
    let roles = async |token: String| at(&viewer(&app, &token).await, "/roles").clone();
    assert_eq!(roles(token(json!(["admin"]))).await, json!(["VIEWER"]));
    assert_eq!(roles(token(json!([]))).await, json!(["VIEWER"]));
    let user = text(&first, "/user/id").parse().expect("an id");
    let command = ChangeUserRoles { user, roles: Role::Approver.into() };
    app.engine.change_user_roles(app.scope(), command, &Origin::default()).await.expect("changed");
    assert_eq!(roles(token(json!(["viewer"]))).await, json!(["APPROVER"]));
    assert_eq!(audited(&app, &root, &["USER_ROLES_CHANGED"]).await.len(), 1, "by the admin alone");
}

#[tokio::test]
async fn with_the_setting_the_provider_decides_about_linked_accounts_too() {
    let (app, key) = start(Database::Sqlite, RolesFollow::Always).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let token = |roles: Value| key.sign(&claims("ada@example.com", roles));
    app.graphql(&ada.access_token, LINK, json!({"token": token(json!(["viewer"]))})).await;
    assert_eq!(
        at(&viewer(&app, &ada.access_token).await, "/roles"),
        &json!(["ADMIN"]),
        "linking alone changes nothing"
    );
    assert_eq!(viewer(&app, &token(json!(["author"]))).await, json!({"roles": ["AUTHOR"], "user": {"id": ada.id}}));
    assert!(refusal(&app, &token(json!([]))).await.contains("names no role"));
}

#[tokio::test]
async fn an_address_that_is_not_verified_makes_no_account() {
    let (app, key) = start(Database::Sqlite, RolesFollow::FirstSignIn).await;
    for verified in [json!(false), json!("false")] {
        let claims = with(claims("ceo@example.com", json!(["approver"])), json!({"email_verified": verified}));
        assert!(refusal(&app, &key.sign(&claims)).await.contains("not verified"));
    }
    let claims = with(claims("ceo@example.com", json!(["approver"])), json!({"email": "nonsense"}));
    assert!(refusal(&app, &key.sign(&claims)).await.contains("`email` claim"));
}
