//! What workers give back.

use chrono::TimeDelta;
use countersign::{
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, FailureCode, StepStatus, Usage},
        refusal::Code,
    },
    engine::commands::{AgentFields, CompleteTask, FailTask},
};
use rstest::rstest;
use serde_json::json;

use crate::support::{
    Database, TestApp,
    flows::refusal,
    worker::{completing, failing},
};

#[tokio::test]
async fn an_output_that_breaks_its_schema_fails_the_step_and_tells_the_worker() {
    let app = TestApp::start(Database::Sqlite).await;
    let fields = AgentFields {
        config: Some(json!({"queue": "q"})),
        output_schema: Some(Some(json!({"type": "object", "properties": {"n": {"type": "integer"}}}))),
        ..AgentFields::default()
    };
    app.agent_with("Worker", Kind::Worker, fields).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let refused = refusal(app.complete(&task, r#"{"n":"seven"}"#).await);
    assert_eq!(refused.code, Code::Invalid);
    assert_eq!(refused.path, ["input", "output"]);
    app.ends(id, CompletionReason::Failed).await;
    let Some(Event::Failed { failure, .. }) = app.events(id).await.pop() else { panic!("it failed") };
    assert_eq!((failure.code, failure.retryable), (FailureCode::BadOutput, false));
    assert_eq!(failure.message, refused.message);
    assert!(failure.message.contains("/n") && failure.message.contains("\"seven\""), "{}", failure.message);
    app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_worker_says_whether_trying_again_can_help(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let first = app.claim_next("q").await;
    let execution = app.fail(&first, true).await.expect("taken");
    assert_eq!((execution.status.as_str(), app.steps(id).await), ("RUNNING", vec![(0, StepStatus::Retrying)]));
    assert!(app.claim("q", 1).await.is_empty(), "not before its time");
    assert_eq!(refusal(app.complete(&first, "{}").await).code, Code::Expired);
    app.clock.advance(TimeDelta::seconds(1));
    let second = app.claim_next("q").await;
    assert_eq!(
        [&first, &second].map(|task| task.idempotency_key.clone()),
        [1, 2].map(|attempt| format!("{id}:work:{attempt}"))
    );
    let command = FailTask { stack: Some("at line 7\n\tin main".to_owned()), ..failing(&second, false) };
    app.engine.fail_task(app.scope(), command).await.expect("taken");
    app.ends(id, CompletionReason::Failed).await;
    let Some(Event::Failed { failure, .. }) = app.events(id).await.pop() else { panic!("it failed") };
    assert_eq!((failure.code, failure.message.as_str()), (FailureCode::Worker, "no luck"));
    assert_eq!(failure.details.as_deref(), Some("at line 7\n\tin main"));
    app.assert_sound().await;
}

#[tokio::test]
async fn usage_adds_up() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let steps = json!([{"key": "one", "agent": "Worker"}, {"key": "two", "agent": "Worker"}]);
    let workflow = app.workflow(json!({"name": "Work", "steps": steps})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let usage = |number: u64| Usage { llm_calls: number, tokens: 100 * number, cost_micros: 1_000 * number };
    let first = app.claim_next("q").await;
    let command = FailTask { usage: usage(1), ..failing(&first, true) };
    app.engine.fail_task(app.scope(), command).await.expect("taken");
    app.clock.advance(TimeDelta::seconds(1));
    for number in [2, 4] {
        let task = app.claim_next("q").await;
        let command = CompleteTask {
            usage: usage(number),
            confidence: Some(0.5),
            reasoning: Some("because\nso".to_owned()),
            ..completing(&task, "{}")
        };
        app.engine.complete_task(app.scope(), command).await.expect("taken");
    }
    let execution = app.ends(id, CompletionReason::Success).await;
    assert_eq!(execution.usage, usage(7));
    let runs = app.engine.store().step_runs(app.scope(), &[id]).await.expect("steps");
    let of_steps: Vec<Usage> = runs[&id].iter().map(|run| run.usage).collect();
    assert_eq!(of_steps, [usage(3), usage(4)]);
    app.assert_sound().await;
}

#[tokio::test]
async fn results_that_make_no_sense_are_refused_and_the_task_stays_held() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({"queue": "q"})).await;
    let workflow = app.workflow(json!({"name": "Work", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({})).await;
    let task = app.claim_next("q").await;
    let much = Usage { tokens: Usage::MOST + 1, ..Usage::default() };
    let bad = [
        CompleteTask { usage: much, ..completing(&task, "{}") },
        CompleteTask { confidence: Some(-0.1), ..completing(&task, "{}") },
        CompleteTask { confidence: Some(f64::NAN), ..completing(&task, "{}") },
        CompleteTask { confidence: Some(f64::INFINITY), ..completing(&task, "{}") },
        CompleteTask { reasoning: Some("\0".to_owned()), ..completing(&task, "{}") },
    ];
    for command in bad {
        assert_eq!(refusal(app.engine.complete_task(app.scope(), command).await).code, Code::Invalid);
    }
    let bad = [
        FailTask { usage: much, ..failing(&task, true) },
        FailTask { message: "\0".to_owned(), ..failing(&task, true) },
        FailTask { message: "x".repeat(10_001), ..failing(&task, true) },
        FailTask { stack: Some("x".repeat(100_001)), ..failing(&task, true) },
    ];
    for command in bad {
        assert_eq!(refusal(app.engine.fail_task(app.scope(), command).await).code, Code::Invalid);
    }
    let most = Usage { llm_calls: Usage::MOST, tokens: Usage::MOST, cost_micros: Usage::MOST };
    let command = CompleteTask { usage: most, ..completing(&task, "null") };
    app.engine.complete_task(app.scope(), command).await.expect("taken");
    assert_eq!(app.ends(id, CompletionReason::Success).await.usage, most);
    app.assert_sound().await;
}
