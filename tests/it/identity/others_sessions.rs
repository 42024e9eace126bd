//! Admins see and end the sessions of others.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    audited, error_code, newest, refusals,
    sessions::works,
    sign_out::browse,
    watcher::{Transport, Watcher},
};
use crate::support::{Database, TestApp, at, text};

const END: &str = "mutation($id: ID!) { endSession(input: {sessionId: $id}) {
    user { id sessions { id } } userErrors { code path } } }";
const END_ALL: &str = "mutation($id: ID!) { endSessions(input: {userId: $id}) {
    user { sessions { id } } ended userErrors { code path } } }";

async fn sessions(app: &TestApp, token: &str, email: &str) -> Vec<Value> {
    let query =
        "query($text: String!) { users(filter: {text: $text}) { nodes { sessions { id userAgent current } } } }";
    let answer = app.graphql(token, query, json!({"text": email})).await;
    at(&answer, "/data/users/nodes/0/sessions").as_array().expect("a list").clone()
}

#[rstest]
#[tokio::test]
async fn an_admin_ends_the_sessions_of_others(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(Transport::Socket, Transport::EventStream)] transport: Transport,
) {
    let app = TestApp::start(database).await;
    let root = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let phone = browse(&app, "ada@example.com", "phone").await;
    let laptop = browse(&app, "ada@example.com", "laptop").await;
    let shown = sessions(&app, &root, "ada@").await;
    assert_eq!(shown.len(), 3);
    assert_eq!((text(&shown[0], "/userAgent"), text(&shown[0], "/id")), ("laptop", laptop.session.as_str()));
    assert!(shown.iter().all(|session| session["current"] == false));

    let mut open = Watcher::open(transport, &app, &phone.token, newest(&app, &root).await).await;
    let ended = app.graphql(&root, END, json!({"id": phone.session})).await;
    assert_eq!(at(&ended, "/data/endSession/user/sessions").as_array().map(Vec::len), Some(2), "{ended}");
    assert_eq!(open.until_over().await, []);
    assert!(!works(&app, &phone.token).await && works(&app, &laptop.token).await);
    assert_eq!(refusals(&app.graphql(&root, END, json!({"id": phone.session})).await, "endSession"), ["NOT_FOUND"]);

    let ended = app.graphql(&root, END_ALL, json!({"id": ada.id})).await;
    assert_eq!(at(&ended, "/data/endSessions"), &json!({"user": {"sessions": []}, "ended": 2, "userErrors": []}));
    assert!(!works(&app, &laptop.token).await && !works(&app, &ada.access_token).await);
    let entries = audited(&app, &root, &["SIGNED_OUT"]).await;
    let subjects: Vec<&str> = entries.iter().map(|entry| text(entry, "/subjectId")).collect();
    assert!(subjects.contains(&phone.session.as_str()) && subjects.contains(&laptop.session.as_str()));
    for entry in &entries[..3] {
        assert_eq!(at(entry, "/details"), &json!({"user": ada.id}));
        assert_ne!(text(entry, "/actor/user/id"), ada.id, "the admin did it");
    }
}

#[tokio::test]
async fn only_admins_of_the_same_workspace_may() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let session = text(&sessions(&app, &ada.access_token, "ada@").await[0], "/id").to_owned();
    for role in [Role::Viewer, Role::Operator, Role::Author, Role::Approver] {
        let token = app.token(role).await;
        assert_eq!(error_code(&app.graphql(&token, END, json!({"id": session})).await), "FORBIDDEN");
        assert_eq!(error_code(&app.graphql(&token, END_ALL, json!({"id": ada.id})).await), "FORBIDDEN");
    }
    let other = countersign::domain::access::Scope::system(app.create_workspace("other").await.id);
    let stranger = app.token_in(other, Role::Admin).await;
    assert_eq!(refusals(&app.graphql(&stranger, END, json!({"id": session})).await, "endSession"), ["NOT_FOUND"]);
    assert_eq!(refusals(&app.graphql(&stranger, END_ALL, json!({"id": ada.id})).await, "endSessions"), ["NOT_FOUND"]);
    assert!(works(&app, &ada.access_token).await);
}
