//! Thousands of random requests: each gets a proper answer, none an internal one.

mod generate;
mod literal;
mod schema;

use std::collections::BTreeMap;

use countersign::domain::role::Role;
use futures_util::{StreamExt, stream};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, TestApp, at, text};
use generate::{Generator, Operation};
use schema::Schema;

/// Another one can be given in this variable.
const SEED_VARIABLE: &str = "COUNTERSIGN_TEST_SEED";
const REQUESTS: u64 = 2_000;
const AT_ONCE: usize = 8;
/// What only our inside says. None of these is in the generator's own texts.
const INSIDE: &[&str] = &[
    "SELECT ",
    "INSERT ",
    "UPDATE ",
    "sqlx",
    "sea_orm",
    "SQLITE",
    "sqlite",
    "postgres",
    "panicked",
    "unwrap",
    "/src/",
    ".rs:",
    "relation ",
    "constraint",
    "/root",
    "/home",
];

async fn real_ids(app: &TestApp, token: &str) -> Vec<String> {
    let person = app.person("ada@example.com", &[Role::Viewer]).await;
    app.token(Role::Viewer).await;
    let setup = "mutation($user: ID!) { createGroup(input: {name: \"G\", memberIds: [$user]}) { group { id } }
        createAgent(input: {name: \"A\", kind: WORKER}) { agent { id } }
        createWorkflow(input: {definition: {name: \"W\", steps: [{key: \"a\", agent: \"A\"}]}}) { workflow { id } } }";
    let made = app.graphql(token, setup, json!({"user": person.id})).await;
    let query = "{ workspace { id } auditEntries(first: 1) { nodes { id } } apiTokens { nodes { id name } } }";
    let answer = app.graphql(token, query, json!({})).await;
    let tokens = at(&answer, "/data/apiTokens/nodes").as_array().expect("a list");
    // Not the token that asks: without it there would be little left to find.
    let other = tokens.iter().find(|token| text(token, "/name") == "test VIEWER").expect("another token");
    let ids = [
        person.id.as_str(),
        text(&made, "/data/createGroup/group/id"),
        text(&made, "/data/createAgent/agent/id"),
        text(&made, "/data/createWorkflow/workflow/id"),
        text(&answer, "/data/workspace/id"),
        text(&answer, "/data/auditEntries/nodes/0/id"),
        text(other, "/id"),
        "user_01h455vb4pex5vsknk084sn02q",
        "nonsense",
        "",
    ];
    ids.map(str::to_owned).to_vec()
}

/// What is wrong with an answer, if anything.
fn judge(status: u16, body: &str) -> Result<(), String> {
    if status >= 500 {
        return Err(format!("status {status}"));
    }
    let answer: Value = serde_json::from_str(body).map_err(|error| format!("not JSON: {error}"))?;
    let fields = answer.as_object().ok_or("not an object")?;
    if let Some(name) = fields.keys().find(|name| !["data", "errors", "extensions"].contains(&name.as_str())) {
        return Err(format!("a field `{name}`"));
    }
    let errors = match fields.get("errors") {
        None if fields.contains_key("data") => return Ok(()),
        errors => {
            errors.and_then(Value::as_array).filter(|errors| !errors.is_empty()).ok_or("neither data nor errors")?
        }
    };
    for error in errors {
        let message = error.pointer("/message").and_then(Value::as_str).ok_or("an error without a message")?;
        let code = error.pointer("/extensions/code").and_then(Value::as_str).ok_or("an error without a code")?;
        if code == "INTERNAL" || code == "UNAVAILABLE" {
            return Err("an internal error".to_owned());
        }
        if let Some(inside) = INSIDE.iter().find(|inside| message.contains(**inside)) {
            return Err(format!("a message with `{inside}`"));
        }
    }
    Ok(())
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_requests_get_proper_answers(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let schema = Schema::read(&app).await;
    let ids = real_ids(&app, &token).await;
    let seed: u64 = std::env::var(SEED_VARIABLE).map_or(2, |seed| seed.parse().expect("a number"));
    let (app, token, schema, ids) = (&app, &token, &schema, &ids);
    let requests = (0..REQUESTS).map(|number| async move {
        let Operation { query, variables } =
            Generator::new(schema, ids, seed.wrapping_mul(REQUESTS) + number).operation();
        let caller = (number % 4 != 0).then_some(token.as_str());
        let response = app.post(caller, &query, variables.clone()).await;
        let status = response.status().as_u16();
        let body = response.text().await.expect("a body");
        if let Err(problem) = judge(status, &body) {
            panic!(
                "{SEED_VARIABLE}={seed}, request {number}: {problem}\n{query}\nvariables: {variables}\n{status}: {body}"
            );
        }
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        let code = answer.pointer("/errors/0/extensions/code").and_then(Value::as_str).unwrap_or("no error");
        (caller.is_some(), code.to_owned())
    });
    let outcomes: Vec<_> = stream::iter(requests).buffer_unordered(AT_ONCE).collect().await;
    let mut counts = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_insert(0) += 1;
    }
    println!("{counts:#?}");
    let fine = counts.get(&(true, "no error".to_owned())).copied().unwrap_or(0);
    assert!(fine > 100, "the generator writes enough that is right: {counts:#?}");
}
