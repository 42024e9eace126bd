//! Values that do not fit.

use countersign::{
    domain::{
        agent::Kind,
        execution::{CompletionReason, Event, Failure, FailureCode},
        id::ExecutionId,
        role::Role,
    },
    engine::commands::AgentFields,
};
use serde_json::{Value, json};

use crate::support::{Database, Service, TestApp, flows::allow_loopback};

async fn failure(app: &TestApp, id: ExecutionId) -> Failure {
    app.ends(id, CompletionReason::Failed).await;
    match app.events(id).await.pop() {
        Some(Event::Failed { failure, step: Some(0), .. }) => failure,
        other => panic!("the first step failed, not {other:?}"),
    }
}

fn numbered() -> Value {
    json!({"type": "object", "properties": {"n": {"type": "integer"}, "m": {"maximum": 5}}, "required": ["n"]})
}

#[tokio::test]
async fn an_output_that_breaks_the_agents_schema_fails_its_step() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (200, r#"{"n":"seven","m":6}"#.to_owned())).await;
    let fields =
        AgentFields { config: Some(service.config()), output_schema: Some(Some(numbered())), ..AgentFields::default() };
    app.agent_with("Caller", Kind::Http, fields).await;
    let workflow = app.workflow(json!({"name": "Own", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let failed = failure(&app, app.start_execution(workflow, json!({})).await).await;
    assert_eq!((failed.code, failed.retryable), (FailureCode::BadOutput, false));
    let details = failed.details.expect("all that is wrong");
    for word in ["/n", "integer", "\"seven\"", "/m", "5", "6"] {
        assert!(details.contains(word), "`{word}` in {details}");
    }
    for word in ["output", "/n", "integer", "\"seven\"", "(and 1 more)"] {
        assert!(failed.message.contains(word), "`{word}` in {}", failed.message);
    }
    assert_eq!(service.calls().len(), 1, "it is not tried again");
    app.assert_sound().await;
}

#[tokio::test]
async fn a_steps_own_schema_counts_instead_of_the_agents() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (200, r#"{"n":"seven"}"#.to_owned())).await;
    let fields =
        AgentFields { config: Some(service.config()), output_schema: Some(Some(numbered())), ..AgentFields::default() };
    app.agent_with("Caller", Kind::Http, fields).await;
    let with = |name: &str, kind: &str| {
        let schema = json!({"type": "object", "properties": {"n": {"type": kind}}});
        json!({"name": name, "steps": [{"key": "call", "agent": "Caller", "outputSchema": schema}]})
    };
    let fits = app.workflow(with("Fits", "string")).await;
    let breaks = app.workflow(with("Breaks", "boolean")).await;
    app.ends(app.start_execution(fits, json!({})).await, CompletionReason::Success).await;
    let failed = failure(&app, app.start_execution(breaks, json!({})).await).await;
    assert_eq!(failed.code, FailureCode::BadOutput);
    assert!(failed.message.contains("boolean"), "{failed:?}");
    app.assert_sound().await;
}

#[tokio::test]
async fn an_input_that_breaks_the_agents_schema_is_not_sent() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (200, "{}".to_owned())).await;
    let fields =
        AgentFields { config: Some(service.config()), input_schema: Some(Some(numbered())), ..AgentFields::default() };
    app.agent_with("Caller", Kind::Http, fields).await;
    let workflow = app.workflow(json!({"name": "Own", "steps": [{"key": "call", "agent": "Caller"}]})).await;
    let failed = failure(&app, app.start_execution(workflow, json!({"n": 1.5})).await).await;
    assert_eq!((failed.code, failed.retryable), (FailureCode::BadInput, false));
    for word in ["input", "/n", "integer", "1.5"] {
        assert!(failed.message.contains(word), "`{word}` in {}", failed.message);
    }
    assert!(service.calls().is_empty());
    app.assert_sound().await;
}

#[tokio::test]
async fn a_worker_is_not_given_an_input_that_breaks_the_agents_schema() {
    let app = TestApp::start(Database::Sqlite).await;
    let fields = AgentFields {
        config: Some(json!({"queue": "q"})),
        input_schema: Some(Some(numbered())),
        ..AgentFields::default()
    };
    app.agent_with("Worker", Kind::Worker, fields).await;
    let workflow = app.workflow(json!({"name": "Own", "steps": [{"key": "work", "agent": "Worker"}]})).await;
    let id = app.start_execution(workflow, json!({"n": "one"})).await;
    app.wait_for_event(id, "step.scheduled 0", 1).await;
    assert!(app.claim("q", 1).await.is_empty());
    let failed = failure(&app, id).await;
    assert_eq!((failed.code, failed.retryable), (FailureCode::BadInput, false));
    app.assert_sound().await;
}

#[tokio::test]
async fn formats_are_kept_on_every_way() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let service = Service::start(|_, _| (200, r#"{"on":"tomorrow"}"#.to_owned())).await;
    let object = |name: &str, format: &str| json!({"type": "object", "properties": {name: {"type": "string", "format": format}}});
    let fields = AgentFields {
        config: Some(service.config()),
        input_schema: Some(Some(object("to", "email"))),
        output_schema: Some(Some(object("on", "date"))),
        ..AgentFields::default()
    };
    app.agent_with("Caller", Kind::Http, fields).await;
    let steps = json!([{"key": "call", "agent": "Caller", "input": {"to": "/input/to"}}]);
    let workflow = app.workflow(json!({"name": "Mail", "inputSchema": object("link", "uri"), "steps": steps})).await;

    let operator = app.token(Role::Operator).await;
    let start = "mutation($input: StartExecutionInput!) { startExecution(input: $input) {
        userErrors { code message path } } }";
    let input = json!({"input": {"workflowId": workflow.to_string(), "input": {"link": "not a link"}}});
    let answer = app.graphql(&operator, start, input).await;
    let message = answer["data"]["startExecution"]["userErrors"][0]["message"].to_string();
    for word in ["/link", "uri", "not a link"] {
        assert!(message.contains(word), "`{word}` in {answer}");
    }

    let failed = failure(&app, app.start_execution(workflow, json!({"to": "nobody"})).await).await;
    assert_eq!(failed.code, FailureCode::BadInput);
    for word in ["/to", "the format \"email\"", "\"nobody\""] {
        assert!(failed.message.contains(word), "`{word}` in {}", failed.message);
    }
    assert!(service.calls().is_empty());
    let failed = failure(&app, app.start_execution(workflow, json!({"to": "ada@example.com"})).await).await;
    assert_eq!(failed.code, FailureCode::BadOutput);
    for word in ["/on", "the format \"date\"", "\"tomorrow\""] {
        assert!(failed.message.contains(word), "`{word}` in {}", failed.message);
    }
    app.assert_sound().await;
}

#[tokio::test]
async fn what_cannot_be_computed_fails_its_step() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Adds", Kind::Transform, json!({"fields": {"sum": "input.a + 1"}})).await;
    let cases = [
        ("Type", json!({"a": "/input/text"}), "input.a + 1"),
        ("Division", json!({"a": "input.n / input.zero"}), "input.n / input.zero"),
        ("Path", json!({"a": "/input/nowhere"}), "no such field `nowhere` in `/input`"),
        ("Name", json!({"a": "input.nowhere"}), "no such key `nowhere`"),
    ];
    for (name, input, word) in cases {
        let definition = json!({"name": name, "steps": [{"key": "add", "agent": "Adds", "input": input}]});
        let workflow = app.workflow(definition).await;
        let id = app.start_execution(workflow, json!({"n": 1, "zero": 0, "text": "t"})).await;
        let failed = failure(&app, id).await;
        assert_eq!((failed.code, failed.retryable), (FailureCode::Expression, false), "{name}");
        assert!(failed.message.contains(word), "{name}: {}", failed.message);
    }
    app.assert_sound().await;
}
