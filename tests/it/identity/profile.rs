//! What people change about their own account.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    audited, refusals,
    sessions::{refresh, works},
    sign_in,
};
use crate::support::{Database, PASSWORD, TestApp, at, text};

const CHANGE: &str = "mutation($current: String, $new: String!) {
    changePassword(input: {currentPassword: $current, newPassword: $new}) { userErrors { code message path } } }";
const RENAME: &str = "mutation($name: String!) {
    updateProfile(input: {displayName: $name}) { user { displayName } userErrors { code path } } }";

async fn change(app: &TestApp, token: &str, current: Option<&str>, new: &str) -> Value {
    app.graphql(token, CHANGE, json!({"current": current, "new": new})).await
}

#[rstest]
#[tokio::test]
async fn a_new_password_ends_every_other_session(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let other = sign_in(&app, "ada@example.com", PASSWORD).await;
    let other = text(&other, "/data/signIn/session/accessToken");

    let answer = change(&app, &ada.access_token, Some(PASSWORD), "another horse battery").await;
    assert_eq!(refusals(&answer, "changePassword"), [""; 0]);
    assert!(works(&app, &ada.access_token).await, "the session that did it goes on");
    assert_eq!(refusals(&refresh(&app, &ada.cookie).await.0, "refreshSession"), [""; 0]);
    assert!(!works(&app, other).await);

    assert_eq!(refusals(&sign_in(&app, "ada@example.com", PASSWORD).await, "signIn"), ["INVALID_CREDENTIALS"]);
    assert_eq!(refusals(&sign_in(&app, "ada@example.com", "another horse battery").await, "signIn"), [""; 0]);
    let entries = audited(&app, &admin, &["USER_PASSWORD_CHANGED"]).await;
    assert_eq!(text(&entries[0], "/subjectId"), ada.id);
    assert_eq!(at(&entries[0], "/details"), &json!({}));
}

#[tokio::test]
async fn changing_a_password_needs_the_current_one() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    for current in [None, Some(""), Some("not the password")] {
        let answer = change(&app, &ada.access_token, current, "another horse battery").await;
        assert_eq!(refusals(&answer, "changePassword"), ["INVALID_CREDENTIALS"], "{current:?}");
        assert_eq!(at(&answer, "/data/changePassword/userErrors/0/path"), &json!(["input", "currentPassword"]));
    }
    assert_eq!(refusals(&sign_in(&app, "ada@example.com", PASSWORD).await, "signIn"), [""; 0], "nothing changed");
}

#[tokio::test]
async fn a_password_has_10_to_512_characters() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    for length in [0, 9, 513] {
        let answer = change(&app, &ada.access_token, Some(PASSWORD), &"é".repeat(length)).await;
        assert_eq!(refusals(&answer, "changePassword"), ["INVALID"], "{length}");
        assert_eq!(at(&answer, "/data/changePassword/userErrors/0/path"), &json!(["input", "newPassword"]));
        let message = text(&answer, "/data/changePassword/userErrors/0/message");
        assert_eq!(message, format!("`newPassword` has {length} characters: use 10 to 512"));
    }
    let mut current = PASSWORD.to_owned();
    // The longest in bytes, too, and not in any order.
    let long = (0..512).filter_map(|number| char::from_u32(0x1F300 + number * 37 % 512)).collect();
    for new in ["éàüøñçßŵžå".to_owned(), long] {
        let answer = change(&app, &ada.access_token, Some(&current), &new).await;
        assert_eq!(refusals(&answer, "changePassword"), [""; 0]);
        assert_eq!(refusals(&sign_in(&app, "ada@example.com", &new).await, "signIn"), [""; 0]);
        current = new;
    }
}

#[tokio::test]
async fn a_password_is_hard_to_guess() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada.lovelace@example.com", &[Role::Viewer]).await;
    app.graphql(&ada.access_token, RENAME, json!({"name": "Augusta King"})).await;
    for (new, why) in [
        ("password123", "is easy to guess: "),
        ("qwertyuiop1", "is easy to guess: "),
        ("Tr0ub4dour!", "is easy to guess"),
        ("zebra-ada.lovelace@example.com-quartz", "contains your e-mail address"),
        ("zebra LoveLace quartz 77", "contains your e-mail address"),
        ("zebra augusta quartz 77", "contains your name"),
    ] {
        let answer = change(&app, &ada.access_token, Some(PASSWORD), new).await;
        assert_eq!(refusals(&answer, "changePassword"), ["INVALID"], "{new}");
        assert_eq!(at(&answer, "/data/changePassword/userErrors/0/path"), &json!(["input", "newPassword"]));
        let message = text(&answer, "/data/changePassword/userErrors/0/message");
        assert!(message.starts_with(&format!("`newPassword` {why}")) && !message.contains(new), "{new}: {message}");
    }
    assert_eq!(refusals(&sign_in(&app, &ada.email, PASSWORD).await, "signIn"), [""; 0], "nothing changed");
}

#[tokio::test]
async fn a_program_has_no_password_and_no_profile() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let answer = change(&app, &token, None, "another horse battery").await;
    assert_eq!(refusals(&answer, "changePassword"), ["CONFLICT"]);
    let answer = app.graphql(&token, RENAME, json!({"name": "Ada"})).await;
    assert_eq!(refusals(&answer, "updateProfile"), ["CONFLICT"]);
}

#[rstest]
#[tokio::test]
async fn people_choose_their_name(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let answer = app.graphql(&ada.access_token, RENAME, json!({"name": "  Ada Lovelace 🦀 "})).await;
    assert_eq!(text(&answer, "/data/updateProfile/user/displayName"), "Ada Lovelace 🦀");
    let viewer = app.graphql(&ada.access_token, "{ viewer { displayName } }", json!({})).await;
    assert_eq!(text(&viewer, "/data/viewer/displayName"), "Ada Lovelace 🦀");
    for name in ["", "  ", "a\u{0}b", &"x".repeat(101)] {
        let answer = app.graphql(&ada.access_token, RENAME, json!({"name": name})).await;
        assert_eq!(refusals(&answer, "updateProfile"), ["INVALID"], "{name:?}");
        assert_eq!(at(&answer, "/data/updateProfile/userErrors/0/path"), &json!(["input", "displayName"]));
    }
    let entries = audited(&app, &admin, &["USER_UPDATED"]).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(text(&entries[0], "/actor/user/id"), ada.id);
}
