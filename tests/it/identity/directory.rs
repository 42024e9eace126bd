//! Watching people and groups.

use countersign::domain::{access::Scope, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::newest;
use crate::support::{Database, Socket, TestApp, at, text};

const WATCH: &str = "subscription($after: String) { directoryEvents(after: $after) {
    cursor type actor { kind } user { id roles } group { id name memberCount } } }";

async fn event(socket: &mut Socket) -> Value {
    at(&socket.next().await, "/payload/data/directoryEvents").clone()
}

async fn create_group(app: &TestApp, token: &str, name: &str) -> String {
    let query = "mutation($name: String!) { createGroup(input: {name: $name}) { group { id } userErrors { code } } }";
    let answer = app.graphql(token, query, json!({"name": name})).await;
    text(&answer, "/data/createGroup/group/id").to_owned()
}

#[rstest]
#[tokio::test]
async fn everybody_sees_what_happens_to_people_and_groups(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let other = Scope::system(app.create_workspace("other").await.id);
    let stranger = app.token_in(other, Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let mut watching = Socket::open(&app, &app.token(Role::Viewer).await).await;
    watching.subscribe("1", WATCH, newest(&app, &admin).await).await;

    // What happens elsewhere, and tokens and sign-ins, are told to nobody.
    create_group(&app, &stranger, "Finance").await;
    app.token(Role::Operator).await;
    let group = create_group(&app, &admin, "Finance").await;
    let first = event(&mut watching).await;
    assert_eq!((text(&first, "/type"), text(&first, "/actor/kind")), ("GROUP_CREATED", "API_TOKEN"));
    assert_eq!(at(&first, "/group"), &json!({"id": group, "name": "Finance", "memberCount": 0}));

    for (mutation, input, expected, path, value) in [
        (
            "addGroupMembers",
            json!({"groupId": group, "userIds": [ada.id]}),
            "GROUP_MEMBERS_ADDED",
            "/group/memberCount",
            json!(1),
        ),
        (
            "changeUserRoles",
            json!({"userId": ada.id, "roles": ["AUTHOR"]}),
            "USER_ROLES_CHANGED",
            "/user",
            json!({"id": ada.id, "roles": ["AUTHOR"]}),
        ),
        ("updateWorkspace", json!({"name": "Acme"}), "WORKSPACE_UPDATED", "/user", Value::Null),
        ("deleteGroup", json!({"groupId": group}), "GROUP_DELETED", "/group", Value::Null),
    ] {
        let kind = format!("{}{}Input", mutation[..1].to_uppercase(), &mutation[1..]);
        let query = format!("mutation($input: {kind}!) {{ {mutation}(input: $input) {{ userErrors {{ code }} }} }}");
        let answer = app.graphql(&admin, &query, json!({"input": input})).await;
        assert_eq!(at(&answer, &format!("/data/{mutation}/userErrors")), &json!([]));
        let told = event(&mut watching).await;
        assert_eq!(text(&told, "/type"), expected);
        assert_eq!(at(&told, path), &value, "{expected}");
    }

    let mut back = Socket::open(&app, &app.token(Role::Viewer).await).await;
    back.subscribe("1", WATCH, json!({"after": at(&first, "/cursor")})).await;
    assert_eq!(text(&event(&mut back).await, "/type"), "GROUP_MEMBERS_ADDED");
}
