//! Inviting people, changing what they may do, and locking them out.

use countersign::domain::role::Role;
use futures_util::future::join;
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, error_code, refusals, sessions::works, sign_in};
use crate::support::{Database, PASSWORD, TestApp, at, text};

const INVITE: &str = "mutation($input: InviteUserInput!) { inviteUser(input: $input) {
    user { id email displayName roles status } signInLink userErrors { code message path } } }";
const CHANGE_ROLES: &str = "mutation($id: ID!, $roles: [Role!]!) {
    changeUserRoles(input: {userId: $id, roles: $roles}) { user { roles } userErrors { code path } } }";
const DISABLE: &str =
    "mutation($id: ID!) { disableUser(input: {userId: $id}) { user { status } userErrors { code path } } }";
const ENABLE: &str =
    "mutation($id: ID!) { enableUser(input: {userId: $id}) { user { status } userErrors { code path } } }";

async fn invite(app: &TestApp, token: &str, input: Value) -> Value {
    app.graphql(token, INVITE, json!({"input": input})).await
}

#[rstest]
#[tokio::test]
async fn an_invited_person_gets_an_account_and_a_link(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.person("root@example.com", &[Role::Admin]).await.access_token;
    let input = json!({"email": " Ada@Example.com", "roles": ["APPROVER", "OPERATOR", "APPROVER"]});
    let answer = invite(&app, &admin, input).await;
    let user = at(&answer, "/data/inviteUser/user");
    assert_eq!(text(user, "/email"), "ada@example.com");
    assert_eq!(text(user, "/displayName"), "Ada");
    assert_eq!(at(user, "/roles"), &json!(["OPERATOR", "APPROVER"]));
    assert_eq!(text(user, "/status"), "INVITED");
    assert!(text(&answer, "/data/inviteUser/signInLink").contains("/sign-in#token=csl_"));
    let entries = audited(&app, &admin, &["USER_INVITED"]).await;
    assert_eq!(at(&entries[0], "/details"), &json!({"roles": ["OPERATOR", "APPROVER"]}));
    assert_eq!(text(&entries[0], "/subjectId"), text(user, "/id"));

    let again = invite(&app, &admin, json!({"email": "ADA@example.com", "roles": ["VIEWER"]})).await;
    assert_eq!(refusals(&again, "inviteUser"), ["ALREADY_EXISTS"]);
    assert_eq!(at(&again, "/data/inviteUser/userErrors/0/path"), &json!(["input", "email"]));
    assert_eq!(at(&again, "/data/inviteUser/signInLink"), &Value::Null);
}

#[rstest]
#[tokio::test]
async fn people_are_found_by_part_of_their_name_in_any_script(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    for (email, name) in [("a@example.com", "Ärztin Ångström"), ("b@example.com", "Жанна"), ("c@example.com", "Li_na")]
    {
        let input = json!({"email": email, "displayName": name, "roles": ["VIEWER"]});
        assert_eq!(refusals(&invite(&app, &admin, input).await, "inviteUser"), [""; 0]);
    }
    let find = "query($text: String!) { users(filter: {text: $text}) { nodes { displayName } } }";
    for (text, found) in
        [("ärz", "Ärztin Ångström"), ("ÅNG", "Ärztin Ångström"), ("жан", "Жанна"), ("I_N", "Li_na"), ("B@EX", "Жанна")]
    {
        let answer = app.graphql(&admin, find, json!({"text": text})).await;
        assert_eq!(at(&answer, "/data/users/nodes"), &json!([{"displayName": found}]), "{text}");
    }
}

#[tokio::test]
async fn everything_that_is_wrong_with_an_invitation_is_told_at_once() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    let answer = invite(&app, &admin, json!({"email": "ada", "displayName": " ", "roles": []})).await;
    let errors = at(&answer, "/data/inviteUser/userErrors").as_array().expect("a list");
    let paths: Vec<&Value> = errors.iter().map(|error| &error["path"][1]).collect();
    assert_eq!(paths, ["email", "displayName", "roles"]);
    assert_eq!(refusals(&answer, "inviteUser"), ["INVALID"; 3]);
}

#[rstest]
#[tokio::test]
async fn roles_can_be_several_and_are_replaced(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let roles = json!(["AUTHOR", "APPROVER"]);
    let answer = app.graphql(&admin, CHANGE_ROLES, json!({"id": ada.id, "roles": roles})).await;
    assert_eq!(at(&answer, "/data/changeUserRoles/user/roles"), &roles);
    let viewer = app.graphql(&ada.access_token, "{ viewer { roles } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/roles"), &roles, "the same session has the new rights");
    let entries = audited(&app, &admin, &["USER_ROLES_CHANGED"]).await;
    assert_eq!(at(&entries[0], "/before"), &json!({"roles": ["VIEWER"]}));
    assert_eq!(at(&entries[0], "/after"), &json!({"roles": ["AUTHOR", "APPROVER"]}));

    // What changes nothing is no change, and ends no connection.
    app.graphql(&admin, CHANGE_ROLES, json!({"id": ada.id, "roles": roles})).await;
    assert_eq!(audited(&app, &admin, &["USER_ROLES_CHANGED"]).await.len(), 1);
    let answer = app.graphql(&admin, CHANGE_ROLES, json!({"id": ada.id, "roles": []})).await;
    assert_eq!(refusals(&answer, "changeUserRoles"), ["INVALID"]);
}

#[rstest]
#[tokio::test]
async fn of_two_role_changes_at_once_one_is_the_last(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    let one = json!({"id": ada.id, "roles": ["OPERATOR"]});
    let other = json!({"id": ada.id, "roles": ["OPERATOR", "APPROVER"]});
    let back = json!({"id": ada.id, "roles": ["VIEWER"]});
    for _ in 0..10 {
        let change = |variables: &Value| app.graphql(&admin, CHANGE_ROLES, variables.clone());
        let (first, second) = join(change(&one), change(&other)).await;
        assert_eq!(refusals(&first, "changeUserRoles"), [""; 0]);
        assert_eq!(refusals(&second, "changeUserRoles"), [""; 0]);
        let roles = app.graphql(&ada.access_token, "{ viewer { roles } }", json!({})).await;
        let roles = at(&roles, "/data/viewer/roles");
        assert!([&one["roles"], &other["roles"]].contains(&roles), "{roles}");
        let latest = &audited(&app, &admin, &["USER_ROLES_CHANGED"]).await[0];
        assert_eq!(at(latest, "/after/roles"), roles, "the log tells the same");
        change(&back).await;
    }
}

#[tokio::test]
async fn the_last_admin_stays() {
    let app = TestApp::start(Database::Sqlite).await;
    // A token is nobody who could sign in and manage the workspace.
    let token = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Admin, Role::Author]).await;
    let bob = app.person("bob@example.com", &[Role::Admin]).await;
    app.graphql(&token, DISABLE, json!({"id": bob.id})).await;
    for (mutation, document) in [("changeUserRoles", CHANGE_ROLES), ("disableUser", DISABLE)] {
        let answer = app.graphql(&token, document, json!({"id": ada.id, "roles": ["AUTHOR"]})).await;
        assert_eq!(refusals(&answer, mutation), ["CONFLICT"], "a disabled admin does not count");
        assert_eq!(at(&answer, &format!("/data/{mutation}/userErrors/0/path")), &json!(["input", "userId"]));
    }
    let viewer = app.graphql(&ada.access_token, "{ viewer { roles } }", json!({})).await;
    assert_eq!(at(&viewer, "/data/viewer/roles"), &json!(["AUTHOR", "ADMIN"]), "nothing was changed");

    app.graphql(&token, ENABLE, json!({"id": bob.id})).await;
    let answer = app.graphql(&token, CHANGE_ROLES, json!({"id": ada.id, "roles": ["AUTHOR"]})).await;
    assert_eq!(refusals(&answer, "changeUserRoles"), [""; 0]);
    let answer = app.graphql(&ada.access_token, DISABLE, json!({"id": bob.id})).await;
    assert_eq!(error_code(&answer), "FORBIDDEN");
}

#[rstest]
#[tokio::test]
async fn of_two_admins_that_go_at_once_one_stays(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let bob = app.person("bob@example.com", &[Role::Admin]).await;
    for _ in 0..10 {
        let (demoted, disabled) = join(
            app.graphql(&token, CHANGE_ROLES, json!({"id": ada.id, "roles": ["VIEWER"]})),
            app.graphql(&token, DISABLE, json!({"id": bob.id})),
        )
        .await;
        let refused = [refusals(&demoted, "changeUserRoles"), refusals(&disabled, "disableUser")].concat();
        assert_eq!(refused, ["CONFLICT"]);
        app.graphql(&token, CHANGE_ROLES, json!({"id": ada.id, "roles": ["ADMIN"]})).await;
        app.graphql(&token, ENABLE, json!({"id": bob.id})).await;
    }
}

#[rstest]
#[tokio::test]
async fn a_disabled_person_is_out_and_can_come_back(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    for _ in 0..2 {
        let answer = app.graphql(&admin, DISABLE, json!({"id": ada.id})).await;
        assert_eq!(text(&answer, "/data/disableUser/user/status"), "DISABLED");
    }
    assert_eq!(audited(&app, &admin, &["USER_DISABLED"]).await.len(), 1, "twice is once");
    assert!(!works(&app, &ada.access_token).await);
    assert_eq!(refusals(&sign_in(&app, "ada@example.com", PASSWORD).await, "signIn"), ["INVALID_CREDENTIALS"]);

    for _ in 0..2 {
        let answer = app.graphql(&admin, ENABLE, json!({"id": ada.id})).await;
        assert_eq!(text(&answer, "/data/enableUser/user/status"), "ACTIVE");
    }
    assert_eq!(audited(&app, &admin, &["USER_ENABLED"]).await.len(), 1);
    assert!(!works(&app, &ada.access_token).await, "the old session stays ended");
    assert_eq!(refusals(&sign_in(&app, "ada@example.com", PASSWORD).await, "signIn"), [""; 0]);
}
