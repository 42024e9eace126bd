//! A caller that goes away, at whatever moment, leaves nothing half done: what is committed has its consequences.

use std::{future::poll_fn, task::Poll, time::Duration};

use countersign::{
    clock::Clock,
    domain::{
        agent::Kind,
        execution::CompletionReason,
        id::{ExecutionId, WorkflowId},
        role::Role,
    },
    engine::{Engine, Origin, commands::StartExecution, drivers},
    store::Store,
    tasks::Tasks,
};
use rstest::rstest;
use sea_orm::sqlx::Executor;
use serde_json::{Value, json};

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal, starting},
    policies::approving,
    worker::completing,
};

/// More polls than any of these commands needs.
const MOST_POLLS: usize = 1_000;

/// Waits for some work until it was polled so often, and then gives it up.
async fn given_up<F: Future>(work: F, polls: usize) -> Option<F::Output> {
    let mut work = std::pin::pin!(work);
    let mut left = polls;
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

async fn service() -> Service {
    Service::start(|_, _| (200, "{}".to_owned())).await
}

async fn calling(app: &TestApp, service: &Service, steps: Value) -> WorkflowId {
    app.agent("Caller", Kind::Http, service.config()).await;
    app.workflow(json!({"name": "Call", "steps": steps})).await
}

/// Waits for the end, to which it must come by itself: nothing was lost that had to be found again.
async fn goes_on(app: &TestApp, id: ExecutionId) {
    app.ends(id, CompletionReason::Success).await;
    let kinds = app.kinds(id).await;
    assert!(!kinds.iter().any(|kind| kind.starts_with("step.released")), "{kinds:?}");
}

fn keyed(workflow: WorkflowId, key: String) -> StartExecution {
    StartExecution { idempotency_key: Some(key), ..starting(workflow, "{}") }
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_is_given_up_at_any_moment(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = service().await;
    let workflow = calling(&app, &service, json!([{"key": "call", "agent": "Caller"}])).await;
    for polls in 0..MOST_POLLS {
        let start = || app.engine.start_execution(app.scope(), keyed(workflow, format!("key {polls}")));
        let whole = given_up(Box::pin(start()), polls).await.is_some();
        let id = start().await.expect("the same, or a new one").id;
        goes_on(&app, id).await;
        assert_eq!(service.calls().len(), polls + 1, "each calls once");
        if whole {
            app.assert_sound().await;
            return;
        }
    }
    panic!("it never got to its end");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_approval_that_is_given_up_at_any_moment(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = service().await;
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    let origin = Origin::default();
    let workflow = calling(&app, &service, json!([{"key": "call", "agent": "Caller", "gate": "ALWAYS"}])).await;
    for polls in 0..MOST_POLLS {
        let id = app.start_execution(workflow, json!({})).await;
        let row = app.waiting(id).await;
        let approve = || app.engine.decide_checkpoint(ada, approving(&row), &origin);
        let whole = given_up(Box::pin(approve()), polls).await.is_some();
        if let again @ Err(_) = approve().await {
            refusal(again);
        }
        goes_on(&app, id).await;
        if whole {
            assert_eq!(service.calls().len(), polls + 1, "each calls once");
            app.assert_sound().await;
            return;
        }
    }
    panic!("it never got to its end");
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_is_given_up_at_any_moment(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let service = service().await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let steps = json!([{"key": "work", "agent": "Worker"}, {"key": "call", "agent": "Caller"}]);
    let workflow = calling(&app, &service, steps).await;
    for polls in 0..MOST_POLLS {
        let id = app.start_execution(workflow, json!({})).await;
        let task = app.claim_next("q").await;
        let complete = || app.engine.complete_task(app.scope(), completing(&task, "{}"));
        let whole = given_up(Box::pin(complete()), polls).await.is_some();
        if let again @ Err(_) = complete().await {
            refusal(again);
        }
        goes_on(&app, id).await;
        if whole {
            assert_eq!(service.calls().len(), polls + 1, "each calls once");
            app.assert_sound().await;
            return;
        }
    }
    panic!("it never got to its end");
}

#[tokio::test]
async fn a_request_whose_client_leaves_during_the_commit() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = service().await;
    let workflow = calling(&app, &service, json!([{"key": "call", "agent": "Caller"}])).await;
    let token = app.token(Role::Operator).await;
    // The token's first use is noted, which needs the lock, too.
    app.graphql(&token, "{ __typename }", json!({})).await;
    let mut lock = app.database.lock_for_writing().await;
    let start = "mutation($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } } }";
    let variables = json!({"input": {"workflowId": workflow.to_string(), "input": {}, "idempotencyKey": "k"}});
    let request = app.request(start, variables.clone()).bearer_auth(&token).timeout(Duration::from_millis(300));
    assert!(request.send().await.expect_err("nothing is written").is_timeout());
    lock.execute("ROLLBACK").await.expect("the lock is free");
    let answer = app.graphql(&token, start, variables).await;
    let id = answer["data"]["startExecution"]["execution"]["id"].as_str().expect("an execution");
    goes_on(&app, id.parse().expect("an id")).await;
    assert_eq!(service.calls().len(), 1);
}

/// Steps run on threads that are gone all of a sudden, and the rest of the server goes on.
#[tokio::test]
async fn a_step_whose_task_is_lost_is_given_back() {
    let app = TestApp::start_with(Database::Postgres, allow_loopback).await;
    let service = Service::silent().await;
    let workflow = calling(&app, &service, json!([{"key": "call", "agent": "Caller"}])).await;
    let mut settings = app.engine.settings().clone();
    settings.http_allow = "127.0.0.0/8".parse().expect("a network");
    let store = Store::open(&settings).await.expect("a store");
    let engine = Engine::new(store, Clock::system(), settings).await.expect("an engine");
    let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("threads");
    let runs_steps = {
        let _entered = threads.enter();
        Tasks::here()
    };
    drivers::enter(&engine, &runs_steps).await.expect("entered");
    let looks_around = Tasks::here();
    drivers::drive(&engine, &looks_around);
    let id = engine.start_execution(app.scope(), starting(workflow, "{}")).await.expect("started").id;
    service.wait_for_calls(1).await;
    threads.shutdown_background();
    app.wait_for_event(id, "step.released 0", 1).await;
    looks_around.stop();
}
