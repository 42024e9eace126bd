//! Ending one's own sessions.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    SIGN_IN, audited, refusals,
    sessions::{refresh, works},
};
use crate::support::{Database, PASSWORD, TestApp, at, cookie_of, text};

const SIGN_OUT: &str = "mutation($input: SignOutInput!) { signOut(input: $input) { userErrors { code path } } }";

/// One more browser of somebody: its access token, cookie and session id.
pub struct Browser {
    pub token: String,
    pub cookie: String,
    pub session: String,
}

pub async fn browse(app: &TestApp, email: &str, name: &str) -> Browser {
    let request = app.request(SIGN_IN, json!({"email": email, "password": PASSWORD})).header("user-agent", name);
    let response = request.send().await.expect("an answer");
    let cookie = cookie_of(&response).expect("a cookie");
    let answer: Value = response.json().await.expect("JSON");
    let token = text(&answer, "/data/signIn/session/accessToken").to_owned();
    let sessions = app.graphql(&token, "{ viewer { sessions { id current } } }", json!({})).await;
    let sessions = at(&sessions, "/data/viewer/sessions").as_array().expect("a list");
    let session = sessions.iter().find(|session| session["current"] == true).expect("this session");
    Browser { token, cookie, session: text(session, "/id").to_owned() }
}

async fn lives(app: &TestApp, browser: &Browser) -> bool {
    let lives = works(app, &browser.token).await;
    let renewed = refresh(app, &browser.cookie).await.0;
    assert_eq!(at(&renewed, "/data/refreshSession/session").is_object(), lives, "both tokens agree");
    lives
}

#[rstest]
#[tokio::test]
async fn signing_out_ends_this_session_alone(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    let (here, there) = (browse(&app, "ada@example.com", "here").await, browse(&app, "ada@example.com", "there").await);
    let response = app.post(Some(&here.token), SIGN_OUT, json!({"input": {}})).await;
    let header = response.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(header.starts_with("countersign_refresh=; Path=/graphql; ") && header.contains("Max-Age=0"), "{header}");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(refusals(&answer, "signOut"), [""; 0]);
    assert!(!lives(&app, &here).await);
    assert!(lives(&app, &there).await);
    let entries = audited(&app, &admin, &["SIGNED_OUT"]).await;
    assert_eq!(text(&entries[0], "/subjectId"), here.session);
}

#[rstest]
#[tokio::test]
async fn signing_out_everywhere_ends_all(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    let bob = app.person("bob@example.com", &[Role::Viewer]).await;
    let (here, there) = (browse(&app, "ada@example.com", "here").await, browse(&app, "ada@example.com", "there").await);
    let answer = app.graphql(&here.token, SIGN_OUT, json!({"input": {"everywhere": true}})).await;
    assert_eq!(refusals(&answer, "signOut"), [""; 0]);
    assert!(!lives(&app, &here).await && !lives(&app, &there).await);
    assert!(works(&app, &bob.access_token).await);
}

#[rstest]
#[tokio::test]
async fn another_session_can_be_ended_by_its_id(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    app.person("bob@example.com", &[Role::Viewer]).await;
    let (here, there) = (browse(&app, "ada@example.com", "here").await, browse(&app, "ada@example.com", "there").await);
    let stranger = browse(&app, "bob@example.com", "elsewhere").await;

    let response = app.post(Some(&here.token), SIGN_OUT, json!({"input": {"sessionId": there.session}})).await;
    assert_eq!(cookie_of(&response), None, "this browser goes on");
    assert!(!lives(&app, &there).await);
    assert!(lives(&app, &here).await);

    // Ended already, somebody else's, and no id of a session at all.
    for (id, code) in [(&there.session, "NOT_FOUND"), (&stranger.session, "NOT_FOUND"), (&"nonsense".into(), "INVALID")]
    {
        let answer = app.graphql(&here.token, SIGN_OUT, json!({"input": {"sessionId": id}})).await;
        assert_eq!(refusals(&answer, "signOut"), [code], "{id}");
        assert_eq!(at(&answer, "/data/signOut/userErrors/0/path"), &json!(["input", "sessionId"]));
    }
    assert!(lives(&app, &stranger).await);
}

#[tokio::test]
async fn people_see_where_they_are_signed_in() {
    let app = TestApp::start(Database::Sqlite).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    app.person("bob@example.com", &[Role::Viewer]).await;
    browse(&app, "ada@example.com", "phone").await;
    let laptop = browse(&app, "ada@example.com", "laptop").await;
    let gone = browse(&app, "ada@example.com", "gone").await;
    app.graphql(&gone.token, SIGN_OUT, json!({"input": {}})).await;
    let query = "{ viewer { sessions { userAgent address current } } }";
    let answer = app.graphql(&laptop.token, query, json!({})).await;
    assert_eq!(
        at(&answer, "/data/viewer/sessions"),
        &json!([
            {"userAgent": "laptop", "address": "127.0.0.1", "current": true},
            {"userAgent": "phone", "address": "127.0.0.1", "current": false},
            // The one that set the password.
            {"userAgent": null, "address": "127.0.0.1", "current": false},
        ])
    );
}

#[tokio::test]
async fn a_session_is_shown_to_its_owner_alone() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    app.person("ada@example.com", &[Role::Viewer]).await;
    let ada = browse(&app, "ada@example.com", "here").await;
    let query = "query($id: ID!) { node(id: $id) { id } }";
    let answer = app.graphql(&ada.token, query, json!({"id": ada.session})).await;
    assert_eq!(text(&answer, "/data/node/id"), ada.session);
    let answer = app.graphql(&admin, query, json!({"id": ada.session})).await;
    assert_eq!(at(&answer, "/data/node"), &Value::Null);
}

#[tokio::test]
async fn a_program_has_no_session_to_end() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    for input in [json!({}), json!({"everywhere": true})] {
        let answer = app.graphql(&token, SIGN_OUT, json!({"input": input})).await;
        assert_eq!(refusals(&answer, "signOut"), ["CONFLICT"]);
    }
    assert!(works(&app, &token).await);
    let answer = app.graphql(&token, "{ viewer { sessions { id } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/viewer/sessions"), &json!([]));
}
