//! Execution as the GraphQL specification has it.

use countersign::domain::role::Role;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, Socket, TestApp, at, code, text};

#[tokio::test]
async fn fields_come_in_the_order_of_the_query() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    // Some of these need the database and some do not.
    let query = "{
        z: __typename users { totalCount pageInfo { hasNextPage endCursor } } a: viewer { roles ...Names displayName }
        workspace { slug id } ... on Query { groups { totalCount } } viewer { displayName } a: viewer { expiresAt }
    } fragment Names on Viewer { user { id } workspace { name slug } }";
    let response = app.post(Some(&token), query, json!({})).await;
    let body = response.text().await.expect("a body");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    let keys = |pointer: &str| -> Vec<String> {
        at(&answer, pointer).as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(keys("/data"), ["z", "users", "a", "workspace", "groups", "viewer"], "{body}");
    assert_eq!(keys("/data/users"), ["totalCount", "pageInfo"]);
    assert_eq!(keys("/data/users/pageInfo"), ["hasNextPage", "endCursor"]);
    assert_eq!(keys("/data/a"), ["roles", "user", "workspace", "displayName", "expiresAt"]);
    assert_eq!(keys("/data/a/workspace"), ["name", "slug"]);
    assert_eq!(keys("/data/workspace"), ["slug", "id"]);
}

#[tokio::test]
async fn a_nullable_field_that_fails_leaves_the_others() {
    let app = TestApp::start(Database::Sqlite).await;
    let answer = app.anonymous("{ before: __typename node(id: \"x\") { id } after: __typename }", json!({})).await;
    assert_eq!(at(&answer, "/data"), &json!({"before": "Query", "node": null, "after": "Query"}));
    assert_eq!(code(&answer), "UNAUTHENTICATED");
    assert_eq!(at(&answer, "/errors/0/path"), &json!(["node"]));
    assert_eq!(at(&answer, "/errors/0/locations"), &json!([{"line": 1, "column": 22}]));
}

/// A mutation's field that is selected more than once is executed once, or not at all.
#[rstest]
#[case::plain("mutation { $one $two }", true)]
#[case::in_a_fragment("mutation { $one ...f } fragment f on Mutation { $two }", true)]
#[case::in_two_fragments(
    "mutation { ...f ...g } fragment f on Mutation { $one } fragment g on Mutation { $two }",
    true
)]
#[case::the_same_fragment("mutation { ...f ...f } fragment f on Mutation { $one }", true)]
#[case::nested("mutation { $one ...f } fragment f on Mutation { ...g } fragment g on Mutation { ... { $two } }", true)]
#[case::inline("mutation { $one ... on Mutation { $two } ... { $one } }", true)]
#[case::skipped("mutation { $one $call @skip(if: true) { secret } }", false)]
#[case::included("mutation { $one $call @include(if: true) { secret } }", false)]
#[case::inline_included("mutation { $one ... @include(if: true) { $two } }", false)]
#[case::inline_both("mutation { ... @skip(if: false) { $one } ... @include(if: true) { $two } }", false)]
#[case::inline_twice("mutation { ... @include(if: true) { $one $two } }", false)]
#[case::fragment_included("mutation { $one ...f @include(if: true) } fragment f on Mutation { $two }", false)]
#[case::deep_included(
    "mutation { $one ...f } fragment f on Mutation { ...g @skip(if: false) } fragment g on Mutation { ... { $two } }",
    false
)]
#[tokio::test]
async fn a_mutation_is_executed_once(#[case] document: &str, #[case] allowed: bool) {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    // Of tokens there can be two with the same name.
    let query = document.replace("$one", "$call { apiToken { name } }").replace("$two", "$call { secret }");
    let query = query.replace("$call", "createApiToken(input: {name: \"Robot\", roles: [VIEWER]})");
    let answer = app.graphql(&token, &query, json!({})).await;
    let made = robots(&app, &token).await;
    if allowed {
        assert_eq!(answer.get("errors"), None, "{query}: {answer}");
        assert_eq!(made, 1, "{query}: {answer}");
        assert_eq!(text(&answer, "/data/createApiToken/apiToken/name"), "Robot");
    } else {
        assert_eq!(code(&answer), "GRAPHQL_VALIDATION_FAILED", "{query}: {answer}");
        assert_eq!(made, 0, "{query}: {answer}");
    }
}

async fn robots(app: &TestApp, token: &str) -> usize {
    let tokens = app.graphql(token, "{ apiTokens { nodes { name } } }", json!({})).await;
    let nodes = at(&tokens, "/data/apiTokens/nodes").as_array().expect("a list");
    nodes.iter().filter(|token| text(token, "/name") == "Robot").count()
}

#[tokio::test]
async fn different_keys_are_different_mutations_in_their_order() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let query = "mutation($input: CreateGroupInput!) {
        a: createGroup(input: $input) { ...f }
        ... @include(if: true) { b: createGroup(input: $input) { ...f } }
        c: createGroup(input: $input) @skip(if: true) { ...f }
    } fragment f on CreateGroupPayload { group { name } userErrors { code } }";
    let answer = app.graphql(&token, query, json!({"input": {"name": "G"}})).await;
    assert_eq!(text(&answer, "/data/a/group/name"), "G", "{answer}");
    assert_eq!(text(&answer, "/data/b/userErrors/0/code"), "ALREADY_EXISTS");
    assert_eq!(answer.pointer("/data/c"), None);
}

#[rstest]
#[case::two_fields("subscription { auditEvents { cursor } b: auditEvents { cursor } }")]
#[case::fragment(
    "subscription { auditEvents { cursor } ...f } fragment f on Subscription { b: auditEvents { cursor } }"
)]
#[case::within_included("subscription { ... @include(if: true) { auditEvents { cursor } b: auditEvents { cursor } } }")]
#[case::fragment_included(
    "subscription { ...f @include(if: true) } fragment f on Subscription { auditEvents { cursor } b: auditEvents { cursor } }"
)]
#[case::skipped("subscription { auditEvents @skip(if: true) { cursor } }")]
#[case::beside_a_typename("subscription { __typename auditEvents { cursor } }")]
#[case::only_a_typename("subscription { __typename }")]
#[case::only_a_schema("subscription { __schema { queryType { name } } }")]
#[tokio::test]
async fn a_subscription_has_one_root_field(#[case] query: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let mut socket = Socket::open(&app, &app.token(Role::Admin).await).await;
    socket.subscribe("1", query, json!({})).await;
    let message = socket.next().await;
    assert_eq!(text(&message, "/type"), "error", "{message}");
    assert_eq!(text(&message, "/payload/0/extensions/code"), "GRAPHQL_VALIDATION_FAILED", "{message}");
}

#[tokio::test]
async fn a_subscription_may_open_fragments_on_its_way() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let after = app.latest_cursor(&token).await;
    app.write_audit_entries(0..1).await;
    let query =
        "subscription($after: String) { ...f ... on Subscription { auditEvents(after: $after) { entry { details } } } }
        fragment f on Subscription { auditEvents(after: $after) { entry { action } } }";
    let mut socket = Socket::open(&app, &token).await;
    socket.subscribe("1", query, json!({ "after": after })).await;
    let event = json!({"entry": {"action": "GROUP_CREATED", "details": {"number": 0}}});
    assert_eq!(at(&socket.next().await, "/payload/data/auditEvents"), &event);
}

#[rstest]
#[case::itself("{ ...a } fragment a on Query { ...a }")]
#[case::each_other("{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }")]
#[case::deep("{ viewer { user { ...a } } } fragment a on User { groups { members { nodes { ...a } } } }")]
#[case::of_a_mutation("mutation { ...a } fragment a on Mutation { refreshSession { session { accessToken } } ...a }")]
#[case::of_a_subscription("subscription { ...a } fragment a on Subscription { auditEvents { cursor } ...a }")]
#[case::unused("{ __typename } fragment a on Query { ...b } fragment b on Query { ...a }")]
#[tokio::test]
async fn a_fragment_that_contains_itself_is_refused(#[case] query: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let answer = app.anonymous(query, json!({})).await;
    assert_eq!(code(&answer), "GRAPHQL_VALIDATION_FAILED", "{answer}");
    assert_eq!(answer.get("data"), None);
}
