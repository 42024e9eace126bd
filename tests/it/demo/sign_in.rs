//! One click, for whoever is on the same machine, and for nobody else.

use reqwest::header;
use rstest::rstest;
use serde_json::{Value, json};

use super::demo;
use crate::support::{Database, TestApp, at, cookie_of, text};

const SIGN_IN: &str = "mutation { start: demoSignIn { session { accessToken } userErrors { code message } } }";
const INFO: &str = "{ serverInfo { demo demoVisitor { displayName } } }";

#[tokio::test]
async fn one_click_lets_people_of_this_machine_in() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    let info = app.anonymous(INFO, json!({})).await;
    assert_eq!(at(&info, "/data/serverInfo"), &json!({"demo": true, "demoVisitor": {"displayName": "Robin Keller"}}));

    let response = app.post(None, SIGN_IN, json!({})).await;
    let cookie = cookie_of(&response).expect("a refresh cookie");
    let answer: Value = response.json().await.expect("JSON");
    let token = text(&answer, "/data/start/session/accessToken");
    let viewer = app.graphql(token, "{ viewer { displayName roles } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/displayName"), "Robin Keller");
    assert!(at(&viewer, "/data/viewer/roles").to_string().contains("ADMIN"), "{viewer}");

    let renew = app.request("mutation { refreshSession { session { accessToken } } }", json!({}));
    let renewed: Value =
        renew.header(header::COOKIE, cookie).send().await.expect("an answer").json().await.expect("JSON");
    assert!(at(&renewed, "/data/refreshSession/session/accessToken").is_string(), "{renewed}");
}

#[rstest]
#[case::a_proxy("x-forwarded-for", "127.0.0.1")]
#[case::another_proxy("forwarded", "for=127.0.0.1;host=localhost")]
#[case::a_name_that_leads_here("host", "countersign.example.com")]
#[case::a_page_of_another_site("origin", "https://evil.example")]
#[tokio::test]
async fn others_are_refused(#[case] name: &'static str, #[case] value: &'static str) {
    let trusted = |settings: &mut countersign::config::Settings| {
        demo(settings);
        // A proxy that is believed otherwise makes no difference.
        settings.trusted_proxies = "127.0.0.0/8".parse().expect("a network");
    };
    let app = TestApp::start_with(Database::Sqlite, trusted).await;
    let response = app.request(SIGN_IN, json!({})).header(name, value).send().await.expect("an answer");
    assert_eq!(cookie_of(&response), None);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(at(&answer, "/data/start/session"), &Value::Null);
    assert_eq!(at(&answer, "/data/start/userErrors/0/code"), "NOT_ALLOWED");
    let info = app.request(INFO, json!({})).header(name, value).send().await.expect("an answer");
    let info: Value = info.json().await.expect("JSON");
    assert_eq!(at(&info, "/data/serverInfo"), &json!({"demo": true, "demoVisitor": null}));
}

#[tokio::test]
async fn without_a_demo_there_is_no_such_way_in() {
    let app = TestApp::start(Database::Sqlite).await;
    app.person("robin@example.com", &[countersign::domain::role::Role::Admin]).await;
    let answer = app.anonymous(SIGN_IN, json!({})).await;
    assert_eq!(at(&answer, "/data/start/session"), &Value::Null);
    assert_eq!(at(&answer, "/data/start/userErrors/0/code"), "NOT_ALLOWED");
    let info = app.anonymous(INFO, json!({})).await;
    assert_eq!(at(&info, "/data/serverInfo"), &json!({"demo": false, "demoVisitor": null}));
}

#[tokio::test]
async fn whoever_was_locked_out_does_not_get_in() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    let (session, _) = app.start_session(SIGN_IN, json!({})).await;
    let other = app.token(countersign::domain::role::Role::Admin).await;
    let me = app.graphql(&session, "{ viewer { user { id } } }", json!({})).await;
    let disable = "mutation($id: ID!) { disableUser(input: {userId: $id}) { userErrors { message } } }";
    app.person("other@example.com", &[countersign::domain::role::Role::Admin]).await;
    let answer = app.graphql(&other, disable, json!({"id": at(&me, "/data/viewer/user/id")})).await;
    assert_eq!(at(&answer, "/data/disableUser/userErrors"), &json!([]), "{answer}");
    let answer = app.anonymous(SIGN_IN, json!({})).await;
    assert_eq!(at(&answer, "/data/start/userErrors/0/code"), "NOT_ALLOWED", "{answer}");
}
