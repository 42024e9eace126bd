//! A PostgreSQL that goes away takes nothing along that was acknowledged.
//!
//! `make soak` restarts the server without a word (`COUNTERSIGN_TEST_POSTGRES_RESTART`). Beside other tests, which use the
//! same server, only the connections of this test's database are cut.

use countersign::domain::{agent::Kind, execution::CompletionReason, id::ExecutionId, role::Role};
use sea_orm::sqlx::Executor;
use serde_json::{Value, json};

use super::rounds;
use crate::support::{Database, Service, TestApp, flows::allow_loopback};

const START: &str = "mutation($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } } }";
const RESTART: &str = "COUNTERSIGN_TEST_POSTGRES_RESTART";
const CUT: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
const EACH_ROUND: usize = 20;

async fn take_down(app: &TestApp) {
    match std::env::var(RESTART) {
        Ok(command) => {
            let restarted = tokio::process::Command::new("sh").args(["-c", &command]).output().await.expect("a shell");
            assert!(restarted.status.success(), "{}", String::from_utf8_lossy(&restarted.stderr));
        }
        Err(_) => {
            app.database.connect_postgres().await.execute(CUT).await.expect("cut");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_outages_of_postgresql() {
    let app = TestApp::start_with(Database::Postgres, allow_loopback).await;
    let service = Service::start(|_, _| (200, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    let workflow = app.workflow(json!({"name": "Call", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let token = app.token(Role::Operator).await;
    let mut started: Vec<ExecutionId> = Vec::new();
    for round in rounds() {
        let start = async {
            for number in 0..EACH_ROUND {
                let key = format!("{round}.{number}");
                let input = json!({"workflowId": workflow.to_string(), "input": {}, "idempotencyKey": key});
                // As a client does: again with the same key until there is an answer.
                let id = loop {
                    let answer: Value = app.graphql(&token, START, json!({ "input": input })).await;
                    if let Some(id) = answer["data"]["startExecution"]["execution"]["id"].as_str() {
                        break id.parse().expect("an id");
                    }
                    tokio::task::yield_now().await;
                };
                started.push(id);
            }
        };
        tokio::join!(start, take_down(&app));
    }
    for id in &started {
        app.ends(*id, CompletionReason::Success).await;
    }
    started.sort_unstable();
    started.dedup();
    assert_eq!(started.len() % EACH_ROUND, 0, "each key made one execution");
    app.assert_sound().await;
}
