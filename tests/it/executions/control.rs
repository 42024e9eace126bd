//! What can be asked in which state.

use countersign::{
    domain::{
        agent::Kind,
        execution::{CompletionReason, Status},
        id::ExecutionId,
        refusal::Code,
    },
    engine::{Error, Result},
    store::executions::Execution,
};
use serde_json::json;

use crate::support::{
    Database, Service, TestApp,
    flows::{allow_loopback, refusal},
};

async fn ask(app: &TestApp, id: ExecutionId, verb: &str) -> Result<Execution> {
    let scope = app.scope();
    match verb {
        "paused" => app.engine.pause_execution(scope, id).await,
        "resumed" => app.engine.resume_execution(scope, id).await,
        "cancelled" => app.engine.cancel_execution(scope, id, None).await,
        "retried" => app.engine.retry_execution(scope, id, None).await,
        "resumed from its failure" => app.engine.resume_failed_execution(scope, id, None).await,
        other => panic!("`{other}` cannot be asked"),
    }
}

async fn refuses(app: &TestApp, id: ExecutionId, status: Status, verbs: &[&str]) {
    let before = app.kinds(id).await;
    for verb in verbs {
        let refused = refusal(ask(app, id, verb).await);
        assert_eq!(refused.code, Code::Conflict);
        let expected = format!("the execution is {status} and cannot be {verb}: it would have to be ");
        assert!(refused.message.starts_with(&expected), "{}", refused.message);
    }
    assert_eq!(app.kinds(id).await, before, "a refusal leaves no trace");
}

#[tokio::test]
async fn a_refusal_names_the_state() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let (service, gate) = Service::gated().await;
    let broken = Service::start(|_, _| (400, "{}".to_owned())).await;
    app.agent("Caller", Kind::Http, service.config()).await;
    app.agent("Broken", Kind::Http, broken.config()).await;
    let workflow = app.workflow(json!({"name": "Once", "steps": [{"key": "one", "agent": "Caller"}]})).await;
    let failing = app.workflow(json!({"name": "Fails", "steps": [{"key": "one", "agent": "Broken"}]})).await;

    let id = app.start_execution(workflow, json!({})).await;
    service.wait_for_calls(1).await;
    refuses(&app, id, Status::Running, &["resumed", "retried", "resumed from its failure"]).await;
    ask(&app, id, "paused").await.expect("paused");
    refuses(&app, id, Status::Paused, &["paused", "retried", "resumed from its failure"]).await;
    ask(&app, id, "cancelled").await.expect("cancelled");
    let every = ["paused", "resumed", "cancelled"];
    refuses(&app, id, Status::Cancelled, &every).await;
    refuses(&app, id, Status::Cancelled, &["resumed from its failure"]).await;

    // One more than is needed: the call that was cut off may have taken a permit before its service noticed.
    gate.add_permits(2);
    let id = app.start_execution(workflow, json!({})).await;
    app.ends(id, CompletionReason::Success).await;
    refuses(&app, id, Status::Completed, &every).await;

    let id = app.start_execution(failing, json!({})).await;
    app.ends(id, CompletionReason::Failed).await;
    refuses(&app, id, Status::Failed, &every).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn executions_of_other_workspaces_do_not_exist() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for(id, Status::Running).await;
    let other = countersign::domain::access::Scope::system(app.create_workspace("other").await.id);
    let engine = &app.engine;
    let answers = [
        engine.cancel_execution(other, id, None).await,
        engine.pause_execution(other, id).await,
        engine.resume_execution(other, id).await,
        engine.retry_execution(other, id, None).await,
        engine.resume_failed_execution(other, id, None).await,
        engine.fork_execution(other, id, "work", None, None).await,
    ];
    for answer in answers {
        let refused = refusal(answer);
        assert_eq!(refused.code, Code::NotFound);
        assert_eq!(refused.message, format!("there is no execution `{id}` in this workspace"));
    }
    app.wait_for(id, Status::Running).await;
    app.assert_sound().await;
}

#[tokio::test]
async fn a_reason_that_cannot_be_kept_is_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    app.wait_for(id, Status::Running).await;
    for reason in ["a\0b", "\u{1b}[2J", &"x".repeat(1_001)] {
        let answer = app.engine.cancel_execution(app.scope(), id, Some(reason)).await;
        assert!(matches!(answer, Err(Error::Refused(_))), "{answer:?}");
    }
    app.wait_for(id, Status::Running).await;
    app.assert_sound().await;
}
