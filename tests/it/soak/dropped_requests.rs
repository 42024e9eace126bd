//! Clients that leave at random moments leave no execution that does not go on.

use std::time::Duration;

use countersign::domain::{agent::Kind, execution::CompletionReason, role::Role};
use futures_util::future::join_all;
use rand::RngExt;
use rstest::rstest;
use serde_json::{Value, json};

use super::rounds;
use crate::support::{Database, Service, TestApp, flows::allow_loopback};

const START: &str = "mutation($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } } }";
const AT_ONCE: usize = 40;
/// Clients leave after a random part of this.
const LEAVE_WITHIN: Duration = Duration::from_millis(12);

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn executions_go_on_when_their_clients_leave(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = Service::start(|_, _| (200, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Call", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let token = app.token(Role::Operator).await;
    for round in rounds() {
        let starts = (0..AT_ONCE).map(|number| {
            let key = format!("{round}.{number}");
            let input = json!({"workflowId": workflow.to_string(), "input": {}, "idempotencyKey": key});
            let leave = rand::rng().random_range(Duration::ZERO..LEAVE_WITHIN);
            let (app, token) = (&app, &token);
            async move {
                let request = app.request(START, json!({ "input": input })).bearer_auth(token).timeout(leave);
                // The answer, if it comes in time, is the same as the one below.
                drop(request.send().await);
                let again: Value = app.graphql(token, START, json!({ "input": input })).await;
                let id = again["data"]["startExecution"]["execution"]["id"].as_str().expect("an execution").to_owned();
                app.ends(id.parse().expect("an id"), CompletionReason::Success).await;
            }
        });
        join_all(starts).await;
        assert_eq!(service.calls().len(), (round + 1) * AT_ONCE, "each calls once");
    }
    app.assert_sound().await;
}
