//! API tokens belong to a person or to a service account.

use countersign::domain::{access::Scope, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, error_code, refusals, sessions::works};
use crate::support::{Database, TestApp, at, text};

const CREATE: &str = "mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) {
    apiToken { id roles user { id } serviceAccount { id name } createdBy { id } } secret
    userErrors { code message path } } }";

async fn create(app: &TestApp, token: &str, input: Value) -> Value {
    app.graphql(token, CREATE, json!({"input": input})).await["data"]["createApiToken"].clone()
}

/// Runs a mutation about a service account and gives its payload.
async fn change(app: &TestApp, token: &str, call: &str) -> Value {
    let query = format!(
        "mutation {{ it: {call} {{ serviceAccount {{ id name disabledAt }} userErrors {{ code message path }} }} }}"
    );
    at(&app.graphql(token, &query, json!({})).await, "/data/it").clone()
}

async fn status(app: &TestApp, admin: &str, id: &str) -> String {
    let query = "query($id: ID!) { node(id: $id) { ... on ApiToken { status } } }";
    text(&app.graphql(admin, query, json!({"id": id})).await, "/data/node/status").to_owned()
}

#[rstest]
#[tokio::test]
async fn a_token_of_a_person_has_no_more_rights_than_they_have(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let root = app.token(Role::Admin).await;
    app.person("root@example.com", &[Role::Admin]).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let made = create(&app, &ada.access_token, json!({"name": "x", "roles": ["ADMIN"]})).await;
    let (secret, id) = (text(&made, "/secret"), text(&made, "/apiToken/id"));
    assert_eq!(at(&made, "/apiToken/user/id"), &json!(ada.id));
    let roles = async || {
        let answer = app.graphql(secret, "{ viewer { roles } }", json!({})).await;
        at(&answer, "/data/viewer/roles").clone()
    };
    assert_eq!(roles().await, json!(["ADMIN"]));
    let demote = async |roles: &str| {
        let call = format!("changeUserRoles(input: {{userId: \"{}\", roles: [{roles}]}})", ada.id);
        let query = format!("mutation {{ it: {call} {{ userErrors {{ code }} }} }}");
        assert_eq!(at(&app.graphql(&root, &query, json!({})).await, "/data/it/userErrors"), &json!([]));
    };
    demote("APPROVER, OPERATOR").await;
    assert_eq!(roles().await, json!(["OPERATOR", "APPROVER"]), "at once");
    let refused = app.graphql(secret, CREATE, json!({"input": {"name": "y", "roles": ["VIEWER"]}})).await;
    assert_eq!(error_code(&refused), "FORBIDDEN");
    demote("VIEWER").await;
    assert_eq!(roles().await, json!(["VIEWER"]));

    let call = format!("disableUser(input: {{userId: \"{}\"}})", ada.id);
    app.graphql(&root, &format!("mutation {{ {call} {{ userErrors {{ code }} }} }}"), json!({})).await;
    assert!(!works(&app, secret).await);
    assert_eq!(status(&app, &root, id).await, "OWNER_DISABLED");
}

#[tokio::test]
async fn a_token_hands_on_nothing_but_its_own_identity() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let made = create(&app, &ada.access_token, json!({"name": "one", "roles": ["ADMIN"]})).await;
    let child = create(&app, text(&made, "/secret"), json!({"name": "two", "roles": ["APPROVER"]})).await;
    assert_eq!(at(&child, "/apiToken/user/id"), &json!(ada.id), "who makes tokens by tokens stays one person");
    assert_eq!(at(&child, "/apiToken/createdBy"), &Value::Null);
    let program = app.token(Role::Admin).await;
    let child = create(&app, &program, json!({"name": "three", "roles": ["APPROVER"]})).await;
    assert_eq!(text(&child, "/apiToken/serviceAccount/name"), "test ADMIN");
}

#[rstest]
#[tokio::test]
async fn service_accounts_are_made_renamed_and_disabled(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let admin = &ada.access_token;
    let made = change(&app, admin, "createServiceAccount(input: {name: \" bot \", idempotencyKey: \"k\"})").await;
    let id = text(&made, "/serviceAccount/id").to_owned();
    assert!(id.starts_with("svc_"), "{id}");
    assert_eq!(text(&made, "/serviceAccount/name"), "bot");
    let again = change(&app, admin, "createServiceAccount(input: {name: \"bot\", idempotencyKey: \"k\"})").await;
    assert_eq!(again, made);
    let taken = change(&app, admin, "createServiceAccount(input: {name: \"bot\"})").await;
    assert_eq!(text(&taken, "/userErrors/0/code"), "ALREADY_EXISTS");
    assert_eq!(at(&taken, "/userErrors/0/path"), &json!(["input", "name"]));

    let input = json!({"name": "ci", "roles": ["OPERATOR"], "serviceAccountId": id});
    let token = create(&app, admin, input.clone()).await;
    let secret = text(&token, "/secret");
    let owners = (at(&token, "/apiToken/user"), at(&token, "/apiToken/serviceAccount/id"));
    assert_eq!(owners, (&Value::Null, &json!(id)));
    assert_eq!(at(&token, "/apiToken/createdBy/id"), &json!(ada.id));

    let rename = |name: &str| format!("renameServiceAccount(input: {{serviceAccountId: \"{id}\", name: \"{name}\"}})");
    assert_eq!(text(&change(&app, admin, &rename("robot")).await, "/serviceAccount/name"), "robot");
    change(&app, admin, "createServiceAccount(input: {name: \"other\"})").await;
    assert_eq!(text(&change(&app, admin, &rename("other")).await, "/userErrors/0/code"), "ALREADY_EXISTS");
    let list = app.graphql(admin, "{ serviceAccounts { totalCount nodes { name } } }", json!({})).await;
    let nodes = json!({"totalCount": 2, "nodes": [{"name": "other"}, {"name": "robot"}]});
    assert_eq!(at(&list, "/data/serviceAccounts"), &nodes);

    let disable = format!("disableServiceAccount(input: {{serviceAccountId: \"{id}\"}})");
    assert!(works(&app, secret).await);
    assert!(at(&change(&app, admin, &disable).await, "/serviceAccount/disabledAt").is_string());
    assert!(!works(&app, secret).await);
    assert_eq!(status(&app, admin, text(&token, "/apiToken/id")).await, "OWNER_DISABLED");
    let refused = create(&app, admin, input).await;
    assert_eq!(text(&refused, "/userErrors/0/code"), "CONFLICT");
    let enable = format!("enableServiceAccount(input: {{serviceAccountId: \"{id}\"}})");
    assert_eq!(at(&change(&app, admin, &enable).await, "/serviceAccount/disabledAt"), &Value::Null);
    assert!(works(&app, secret).await);

    let actions = ["CREATED", "RENAMED", "DISABLED", "ENABLED"].map(|verb| format!("SERVICE_ACCOUNT_{verb}"));
    let entries = audited(&app, admin, &actions.each_ref().map(String::as_str)).await;
    let told: Vec<&str> = entries.iter().rev().map(|entry| text(entry, "/action")).collect();
    assert_eq!(told, [&actions[0], &actions[1], &actions[0], &actions[2], &actions[3]]);
    assert_eq!(at(&entries[3], "/after"), &json!({"name": "robot"}));
}

#[tokio::test]
async fn service_accounts_of_another_workspace_do_not_exist() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let other = app.create_workspace("other").await;
    let stranger = app.token_in(Scope::system(other.id), Role::Admin).await;
    let query = "{ viewer { apiToken { serviceAccount { id } } } }";
    let answer = app.graphql(&stranger, query, json!({})).await;
    let id = text(&answer, "/data/viewer/apiToken/serviceAccount/id");
    let input = json!({"input": {"name": "x", "roles": ["VIEWER"], "serviceAccountId": id}});
    let answer = app.graphql(&ada.access_token, CREATE, input).await;
    assert_eq!(refusals(&answer, "createApiToken"), ["NOT_FOUND"]);
    let disable = format!("disableServiceAccount(input: {{serviceAccountId: \"{id}\"}})");
    assert_eq!(text(&change(&app, &ada.access_token, &disable).await, "/userErrors/0/code"), "NOT_FOUND");
    assert!(works(&app, &stranger).await);
}
