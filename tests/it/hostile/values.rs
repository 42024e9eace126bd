//! Values that no honest client sends: out of range, out of shape, out of Unicode.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, text};

const USERS: &str = "query($first: Int, $last: Int, $after: String, $before: String, $filter: UserFilter, $order: UserOrder) {
    users(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $order) { totalCount nodes { id } } }";
const AUDIT: &str = "query($first: Int, $after: String, $filter: AuditFilter) {
    auditEntries(first: $first, after: $after, filter: $filter) { totalCount nodes { id } } }";
const CREATE_GROUP: &str =
    "mutation($input: CreateGroupInput!) { done: createGroup(input: $input) { group { id } userErrors { code } } }";
const CREATE_TOKEN: &str = "mutation($input: CreateApiTokenInput!) { done: createApiToken(input: $input) { apiToken { expiresAt } userErrors { code } } }";
const INVITE: &str =
    "mutation($input: InviteUserInput!) { done: inviteUser(input: $input) { user { id } userErrors { code } } }";
const SIGN_IN: &str = "mutation($input: SignInInput!) { done: signIn(input: $input) { userErrors { code } } }";
const REDEEM: &str =
    "mutation($input: RedeemSignInLinkInput!) { done: redeemSignInLink(input: $input) { userErrors { code } } }";
const DISABLE: &str =
    "mutation($input: DisableUserInput!) { done: disableUser(input: $input) { userErrors { code } } }";
const NODES: &str = "query($ids: [ID!]!) { nodes(ids: $ids) { id } }";

fn cursor(content: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(content)
}

/// A name, an operation, its variables, and what must come: an error's code, a user error's code, or `ok`.
fn cases() -> Vec<(&'static str, &'static str, Value, &'static str)> {
    let long = "x".repeat(100_000);
    let id = "0".repeat(26);
    let key =
        |key: &str| cursor(&format!(r#"{{"order":"user.display_name","key":{key},"id":"{}"}}"#, uuid::Uuid::nil()));
    let by_time = |key: &str| {
        let cursor = cursor(&format!(r#"{{"order":"user.created_at","key":{key},"id":"{}"}}"#, uuid::Uuid::nil()));
        json!({"after": cursor, "order": {"field": "CREATED_AT", "direction": "ASC"}})
    };
    let ids = vec![format!("user_{id}"); 10_000];
    vec![
        ("no rows", USERS, json!({"first": 0}), "BAD_USER_INPUT"),
        ("less than none", USERS, json!({"first": -1}), "BAD_USER_INPUT"),
        ("too many", USERS, json!({"first": 101}), "BAD_USER_INPUT"),
        ("the most", USERS, json!({"first": i32::MAX}), "BAD_USER_INPUT"),
        ("the least", USERS, json!({"last": i32::MIN}), "BAD_USER_INPUT"),
        ("both ends", USERS, json!({"first": 1, "last": 1}), "BAD_USER_INPUT"),
        ("more than an Int", USERS, json!({"first": 2_147_483_648_i64}), "GRAPHQL_VALIDATION_FAILED"),
        ("more than 64 bits", USERS, json!({"first": u64::MAX}), "GRAPHQL_VALIDATION_FAILED"),
        ("half a row", USERS, json!({"first": 1.5}), "GRAPHQL_VALIDATION_FAILED"),
        ("a text of rows", USERS, json!({"first": "1"}), "GRAPHQL_VALIDATION_FAILED"),
        ("a cursor that is none", USERS, json!({"after": "nonsense"}), "BAD_USER_INPUT"),
        ("an empty cursor", USERS, json!({"before": ""}), "BAD_USER_INPUT"),
        ("a long cursor", USERS, json!({"after": long}), "BAD_USER_INPUT"),
        ("a cursor of another list", USERS, json!({"after": cursor("audit 1")}), "BAD_USER_INPUT"),
        ("a cursor with a NUL", USERS, json!({"after": key(r#"{"s":"a\u0000b"}"#)}), "BAD_USER_INPUT"),
        ("a cursor with a long text", USERS, json!({"after": key(&format!(r#"{{"s":"{long}"}}"#))}), "ok"),
        (
            "a cursor with a time for a text",
            USERS,
            json!({"after": key(r#"{"t":"2024-01-01T00:00:00Z"}"#)}),
            "BAD_USER_INPUT",
        ),
        ("a cursor with a text for a time", USERS, by_time(r#"{"s":"x"}"#), "BAD_USER_INPUT"),
        ("a cursor long before any time", USERS, by_time(r#"{"t":"-262143-01-01T00:00:00Z"}"#), "BAD_USER_INPUT"),
        ("a cursor long after any time", USERS, by_time(r#"{"t":"+262142-12-31T00:00:00Z"}"#), "BAD_USER_INPUT"),
        ("a position that is none", AUDIT, json!({"after": cursor("audit x")}), "BAD_USER_INPUT"),
        ("a negative position", AUDIT, json!({"after": cursor("audit -1")}), "BAD_USER_INPUT"),
        ("the last position", AUDIT, json!({"after": cursor("audit 9223372036854775807")}), "BAD_USER_INPUT"),
        ("the last but one", AUDIT, json!({"after": cursor("audit 9223372036854775806")}), "ok"),
        ("long before any time", AUDIT, json!({"filter": {"from": "-262143-01-01T00:00:00Z"}}), "BAD_USER_INPUT"),
        ("long after any time", AUDIT, json!({"filter": {"until": "+262142-12-31T00:00:00Z"}}), "BAD_USER_INPUT"),
        ("a time that is none", AUDIT, json!({"filter": {"from": "yesterday"}}), "BAD_USER_INPUT"),
        ("100,000 actions", AUDIT, json!({"filter": {"actions": vec!["SIGNED_IN"; 100_000]}}), "ok"),
        ("an unknown action", AUDIT, json!({"filter": {"actions": ["NONSENSE"]}}), "GRAPHQL_VALIDATION_FAILED"),
        ("a filter with a NUL", USERS, json!({"filter": {"text": "a\0b"}}), "BAD_USER_INPUT"),
        ("a long filter", USERS, json!({"filter": {"text": long}}), "BAD_USER_INPUT"),
        ("a filter of wildcards", USERS, json!({"filter": {"text": "%_\\%"}}), "ok"),
        ("a filter with an id that is none", USERS, json!({"filter": {"groupId": "group_x"}}), "BAD_USER_INPUT"),
        ("an unknown field", USERS, json!({"filter": {"nonsense": 1}}), "GRAPHQL_VALIDATION_FAILED"),
        ("a name with a NUL", CREATE_GROUP, json!({"input": {"name": "a\0b"}}), "INVALID"),
        ("a description with a NUL", CREATE_GROUP, json!({"input": {"name": "d", "description": "\0"}}), "INVALID"),
        ("a long name", CREATE_GROUP, json!({"input": {"name": long}}), "INVALID"),
        ("an empty name", CREATE_GROUP, json!({"input": {"name": " \u{3000}\t "}}), "INVALID"),
        ("no name", CREATE_GROUP, json!({"input": {}}), "GRAPHQL_VALIDATION_FAILED"),
        ("a list of names", CREATE_GROUP, json!({"input": {"name": ["a"]}}), "GRAPHQL_VALIDATION_FAILED"),
        ("10,000 members", CREATE_GROUP, json!({"input": {"name": "m", "memberIds": ids}}), "INVALID"),
        ("a key with a NUL", CREATE_GROUP, json!({"input": {"name": "k", "idempotencyKey": "\0"}}), "INVALID"),
        ("a long key", CREATE_GROUP, json!({"input": {"name": "k", "idempotencyKey": long}}), "INVALID"),
        (
            "a token from long ago",
            CREATE_TOKEN,
            json!({"input": {"name": "t", "roles": ["VIEWER"], "expiresAt": "-262143-01-01T00:00:00Z"}}),
            "INVALID",
        ),
        (
            "a token for ever",
            CREATE_TOKEN,
            json!({"input": {"name": "t", "roles": ["VIEWER"], "expiresAt": "+262142-12-31T00:00:00Z"}}),
            "INVALID",
        ),
        ("a token without rights", CREATE_TOKEN, json!({"input": {"name": "t", "roles": []}}), "INVALID"),
        (
            "10,000 times the same right",
            CREATE_TOKEN,
            json!({"input": {"name": "t", "roles": vec!["VIEWER"; 10_000]}}),
            "ok",
        ),
        ("an address with a NUL", INVITE, json!({"input": {"email": "a\0@b.c", "roles": ["VIEWER"]}}), "INVALID"),
        ("a long address", INVITE, json!({"input": {"email": format!("{long}@b.c"), "roles": ["VIEWER"]}}), "INVALID"),
        (
            "a workspace with a NUL",
            SIGN_IN,
            json!({"input": {"email": "a@b.c", "password": "\0", "workspace": "\0"}}),
            "INVALID_CREDENTIALS",
        ),
        ("a long password", SIGN_IN, json!({"input": {"email": "a@b.c", "password": long}}), "INVALID_CREDENTIALS"),
        ("a link with a NUL", REDEEM, json!({"input": {"token": "\0"}}), "EXPIRED"),
        ("a long link", REDEEM, json!({"input": {"token": long}}), "EXPIRED"),
        ("an id that is none", DISABLE, json!({"input": {"userId": "nonsense"}}), "INVALID"),
        ("an id of another kind", DISABLE, json!({"input": {"userId": format!("group_{id}")}}), "INVALID"),
        ("an id of nobody", DISABLE, json!({"input": {"userId": format!("user_{id}")}}), "NOT_FOUND"),
        ("an id with a NUL", DISABLE, json!({"input": {"userId": "user_\0"}}), "INVALID"),
        ("a number for an id", DISABLE, json!({"input": {"userId": 7}}), "INVALID"),
        ("101 ids", NODES, json!({"ids": vec!["x"; 101]}), "BAD_USER_INPUT"),
        (
            "ids of nothing",
            NODES,
            json!({"ids": ["", "\0", "user_", long, format!("nonsense_{id}"), format!("user_{id}")]}),
            "ok",
        ),
    ]
}

#[rstest]
#[tokio::test]
async fn values_out_of_bounds_are_explained(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    // Without a row, a database does not look at what it is to be compared with.
    app.person("ada@example.com", &[Role::Viewer]).await;
    let mut wrong = Vec::new();
    for (name, query, variables, expected) in cases() {
        let answer = app.graphql(&token, query, variables).await;
        let given = ["/errors/0/extensions/code", "/data/done/userErrors/0/code"];
        let given = given.iter().find_map(|pointer| answer.pointer(pointer)).and_then(Value::as_str).unwrap_or("ok");
        let shown: String = answer.to_string().chars().take(400).collect();
        if given != expected {
            wrong.push(format!("{name}: expected {expected}, got {given}: {shown}"));
        }
        if answer.to_string().len() > 10_000 && expected != "ok" && name != "10,000 members" {
            wrong.push(format!("{name}: the answer has {} bytes: {shown}", answer.to_string().len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[rstest]
#[tokio::test]
async fn texts_are_kept_exactly(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    for name in [
        "Größe 🏃🏽‍♀️",
        "e\u{301} is not \u{e9}",
        "שלום",
        "'; DROP TABLE approver_group; --",
        "\u{10ffff}",
        "{{7*7}}${x}<b>",
    ] {
        let query = "mutation($name: String!) { createGroup(input: {name: $name, description: $name}) { group { id name description } userErrors { message } } }";
        let answer = app.graphql(&token, query, json!({ "name": name })).await;
        let group = at(&answer, "/data/createGroup/group");
        assert_eq!((text(group, "/name"), text(group, "/description")), (name, name), "{answer}");
        let query = "query($id: ID!) { node(id: $id) { ... on Group { name } } }";
        let answer = app.graphql(&token, query, json!({"id": group["id"]})).await;
        assert_eq!(text(&answer, "/data/node/name"), name);
    }
}
