//! Who may come in, what they may do there, and how that ends.

mod api_rates;
mod api_tokens;
mod cli;
mod cli_alone;
mod cut_off;
mod directory;
mod expiry;
mod groups;
mod idempotency;
mod other_process;
mod others_sessions;
mod password;
mod people;
mod profile;
mod provider_keys;
mod provider_links;
mod provider_people;
mod provider_tokens;
mod rate_limit;
mod recovery;
mod restart;
mod roles;
mod sessions;
mod sign_in_links;
mod sign_in_races;
mod sign_out;
mod token_owners;
mod token_restrictions;
mod watcher;
mod ways_in;

use serde_json::{Value, json};

use crate::support::{TestApp, at, text};

pub const SIGN_IN: &str = "mutation($email: String!, $password: String!, $workspace: String) {
    signIn(input: {email: $email, password: $password, workspace: $workspace}) {
        session { accessToken expiresAt } userErrors { code message path }
    }
}";

/// The codes of the user errors in the payload of a mutation.
#[track_caller]
pub fn refusals<'a>(answer: &'a Value, mutation: &str) -> Vec<&'a str> {
    let errors = at(answer, &format!("/data/{mutation}/userErrors"));
    errors.as_array().expect("a list").iter().map(|error| text(error, "/code")).collect()
}

/// The code of the first top-level error.
#[track_caller]
pub fn error_code(answer: &Value) -> &str {
    text(answer, "/errors/0/extensions/code")
}

pub async fn sign_in(app: &TestApp, email: &str, password: &str) -> Value {
    app.anonymous(SIGN_IN, json!({"email": email, "password": password})).await
}

/// What the audit log has on some actions, newest first.
pub async fn audited(app: &TestApp, token: &str, actions: &[&str]) -> Vec<Value> {
    let query = "query($actions: [AuditAction!]) { auditEntries(first: 100, filter: {actions: $actions}) {
        nodes { action subjectId address details before after actor { kind user { id } apiToken { id } } } } }";
    let answer = app.graphql(token, query, json!({"actions": actions})).await;
    at(&answer, "/data/auditEntries/nodes").as_array().expect("a list").clone()
}

pub const FOLLOW: &str =
    "subscription($after: String!) { auditEvents(after: $after) { cursor entry { action subjectId } } }";

/// The cursor of the newest audit entry, from which nothing that comes is missed.
pub async fn newest(app: &TestApp, token: &str) -> Value {
    let answer = app.graphql(token, "{ auditEntries(first: 1) { pageInfo { endCursor } } }", json!({})).await;
    json!({"after": at(&answer, "/data/auditEntries/pageInfo/endCursor")})
}
