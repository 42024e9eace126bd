//! Programs' ways in.

use chrono::{DateTime, Duration, Utc};
use countersign::domain::{access::Scope, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{audited, error_code, refusals, sessions::works};
use crate::support::{Database, TestApp, at, text};

const CREATE: &str = "mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) {
    apiToken { id name roles status createdBy { id } lastUsedAt } secret userErrors { code message path } } }";
const REVOKE: &str = "mutation($id: ID!) { revokeApiToken(input: {apiTokenId: $id}) {
    apiToken { status revokedAt } userErrors { code path } } }";

async fn create(app: &TestApp, token: &str, input: Value) -> Value {
    app.graphql(token, CREATE, json!({"input": input})).await
}

/// One field of a token, as an admin sees it.
async fn field(app: &TestApp, admin: &str, id: &str, field: &str) -> Value {
    let query = format!("query($id: ID!) {{ node(id: $id) {{ ... on ApiToken {{ it: {field} }} }} }}");
    let answer = app.graphql(admin, &query, json!({"id": id})).await;
    at(&answer, "/data/node/it").clone()
}

#[rstest]
#[tokio::test]
async fn a_token_is_shown_once_and_kept_as_a_hash(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    let answer = create(&app, &ada.access_token, json!({"name": "deploy", "roles": ["OPERATOR", "VIEWER"]})).await;
    let secret = text(&answer, "/data/createApiToken/secret");
    assert!(secret.starts_with("cst_") && secret.len() > 40, "a leak scanner knows it");
    let token = at(&answer, "/data/createApiToken/apiToken");
    let id = text(token, "/id");
    assert_eq!(
        token,
        &json!({"id": id, "name": "deploy", "roles": ["VIEWER", "OPERATOR"], "status": "ACTIVE",
            "createdBy": {"id": ada.id}, "lastUsedAt": null})
    );
    let viewer = app.graphql(secret, "{ viewer { displayName roles user { id } apiToken { id } } }", json!({})).await;
    assert_eq!(
        at(&viewer, "/data/viewer"),
        &json!({"displayName": "deploy", "roles": ["VIEWER", "OPERATOR"], "user": null, "apiToken": {"id": id}})
    );
    assert!(app.database.holds("deploy").await, "the search finds what is there");
    assert!(!app.database.holds(secret).await);
    assert!(!app.database.holds(secret.trim_start_matches("cst_")).await);
    let entries = audited(&app, &ada.access_token, &["API_TOKEN_CREATED"]).await;
    assert_eq!(
        at(&entries[0], "/details"),
        &json!({"name": "deploy", "roles": ["VIEWER", "OPERATOR"], "expiresAt": null, "user": ada.id})
    );
}

#[rstest]
#[tokio::test]
async fn a_token_expires(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let expires_at = Utc::now() + Duration::hours(1);
    let answer = create(&app, &admin, json!({"name": "x", "roles": ["VIEWER"], "expiresAt": expires_at})).await;
    let secret = text(&answer, "/data/createApiToken/secret");
    let id = text(&answer, "/data/createApiToken/apiToken/id");
    app.clock.advance(Duration::minutes(59));
    assert!(works(&app, secret).await);
    app.clock.advance(Duration::minutes(1));
    assert!(!works(&app, secret).await);
    assert_eq!(field(&app, &admin, id, "status").await, "EXPIRED");

    let late = create(&app, &admin, json!({"name": "x", "roles": ["VIEWER"], "expiresAt": expires_at})).await;
    assert_eq!(refusals(&late, "createApiToken"), ["INVALID"]);
    assert_eq!(at(&late, "/data/createApiToken/userErrors/0/path"), &json!(["input", "expiresAt"]));
}

#[rstest]
#[tokio::test]
async fn a_token_can_be_revoked(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let token = app.token(Role::Viewer).await;
    let id = app.token_id(&token).await;
    let first = app.graphql(&admin, REVOKE, json!({"id": id})).await;
    assert_eq!(text(&first, "/data/revokeApiToken/apiToken/status"), "REVOKED");
    assert!(!works(&app, &token).await);
    assert!(works(&app, &admin).await);
    app.clock.advance(Duration::minutes(1));
    let again = app.graphql(&admin, REVOKE, json!({"id": id})).await;
    assert_eq!(again, first, "twice is once");
    assert_eq!(audited(&app, &admin, &["API_TOKEN_REVOKED"]).await.len(), 1);
}

#[tokio::test]
async fn a_token_of_another_workspace_does_not_exist() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    let other = app.create_workspace("other").await;
    let stranger = app.token_in(Scope::system(other.id), Role::Admin).await;
    let foreign = app.token_id(&stranger).await;
    for (id, code) in [(foreign.as_str(), "NOT_FOUND"), ("nonsense", "INVALID")] {
        let answer = app.graphql(&admin, REVOKE, json!({"id": id})).await;
        assert_eq!(refusals(&answer, "revokeApiToken"), [code]);
        assert_eq!(at(&answer, "/data/revokeApiToken/userErrors/0/path"), &json!(["input", "apiTokenId"]));
    }
    assert!(works(&app, &stranger).await);
    let answer = app.graphql(&admin, "{ apiTokens { totalCount nodes { id } } }", json!({})).await;
    assert_eq!(at(&answer, "/data/apiTokens/totalCount"), 1);
    assert_ne!(text(&answer, "/data/apiTokens/nodes/0/id"), foreign);
}

#[rstest]
#[tokio::test]
async fn last_use_is_recorded_to_the_minute(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let admin = app.token(Role::Admin).await;
    let answer = create(&app, &admin, json!({"name": "x", "roles": ["VIEWER"]})).await;
    let secret = text(&answer, "/data/createApiToken/secret");
    let id = text(&answer, "/data/createApiToken/apiToken/id");
    let last_use = || async {
        let value = field(&app, &admin, id, "lastUsedAt").await;
        value.as_str().map(|text| text.parse::<DateTime<Utc>>().expect("a time"))
    };
    assert_eq!(last_use().await, None);
    works(&app, secret).await;
    let first = last_use().await.expect("used");
    works(&app, secret).await;
    assert_eq!(last_use().await, Some(first), "not a write for each request");
    app.clock.advance(Duration::minutes(1));
    works(&app, secret).await;
    assert!(last_use().await.expect("used") >= first + Duration::minutes(1));
}

#[tokio::test]
async fn the_roles_of_a_token_are_all_that_it_may_do() {
    let app = TestApp::start(Database::Sqlite).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    // Every role but the one that is needed: the rights of who made it do not count.
    let roles = json!(["VIEWER", "OPERATOR", "AUTHOR", "APPROVER"]);
    let answer = create(&app, &ada.access_token, json!({"name": "x", "roles": roles})).await;
    let secret = text(&answer, "/data/createApiToken/secret");
    let refused = create(&app, secret, json!({"name": "y", "roles": ["VIEWER"]})).await;
    assert_eq!(error_code(&refused), "FORBIDDEN");
    assert_eq!(text(&refused, "/errors/0/message"), "this needs the role ADMIN");
    let answer = create(&app, &ada.access_token, json!({"name": "x", "roles": []})).await;
    assert_eq!(refusals(&answer, "createApiToken"), ["INVALID"]);
}

#[tokio::test]
async fn what_is_no_token_is_turned_away() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let mut altered = token.clone();
    altered.replace_range(10..11, if &token[10..11] == "A" { "B" } else { "A" });
    for wrong in ["", "cst_", "nonsense", "csr_nonsense", "a.b.c", &token[..token.len() - 1], &altered] {
        assert!(!works(&app, wrong).await, "{wrong}");
    }
    for header in [token.as_str(), "Basic YWRhOnNlY3JldA==", "Bearer"] {
        let request = app.request("{ viewer { displayName } }", json!({})).header("authorization", header);
        assert_eq!(request.send().await.expect("an answer").status(), 401, "{header}");
    }
}
