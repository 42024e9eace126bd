//! What is refused before anything is written.

use countersign::{
    domain::{
        agent::Kind,
        id::{ExecutionId, WorkflowId},
        json::Json,
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::{
        Error,
        commands::{AgentFields, CreateWorkflow, Document, SavedWorkflow, StartExecution},
    },
};
use serde_json::json;
use uuid::Uuid;

use crate::support::{
    Database, TestApp, at,
    flows::{refusal, starting},
};

async fn checked(app: &TestApp) -> WorkflowId {
    app.agent("Nothing", Kind::Transform, json!({"output": {}})).await;
    let schema = json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 1}}});
    let steps = json!([{"key": "a", "agent": "Nothing"}]);
    app.workflow(json!({"name": "Checked", "inputSchema": schema, "steps": steps})).await
}

async fn nothing_written(app: &TestApp) {
    assert!(app.engine.store().execution_ids(None, 1).await.expect("a list").is_empty());
    assert_eq!(app.engine.store().journal_extent().await.expect("an extent").entries, 0);
}

#[tokio::test]
async fn unknown_things_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = checked(&app).await;
    let nowhere = WorkflowId(Uuid::new_v4());
    let refused = refusal(app.engine.start_execution(app.scope(), starting(nowhere, "{}")).await);
    assert_eq!(refused.code, Code::NotFound);
    assert_eq!(refused.message, format!("there is no workflow `{nowhere}` in this workspace"));
    for version in [0, 2, -1, i32::MAX, i32::MIN] {
        let command = StartExecution { version: Some(version), ..starting(workflow, r#"{"n":1}"#) };
        let refused = refusal(app.engine.start_execution(app.scope(), command).await);
        assert_eq!(refused.code, Code::NotFound);
        assert_eq!(refused.message, format!("the workflow has no version {version}: its versions are 1 to 1"));
    }
    let id = ExecutionId(Uuid::new_v4());
    let refused = refusal(app.engine.cancel_execution(app.scope(), id, None).await);
    assert_eq!(refused.message, format!("there is no execution `{id}` in this workspace"));
    nothing_written(&app).await;
}

#[tokio::test]
async fn inputs_that_do_not_fit_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = checked(&app).await;
    let start = async |input: &str| app.engine.start_execution(app.scope(), starting(workflow, input)).await;
    for input in ["null", "[]", "1", "\"text\"", "true", "[{\"n\":1}]"] {
        let refused = refusal(start(input).await);
        assert_eq!((refused.code, refused.path.join("/").as_str()), (Code::Invalid, "input/input"));
        assert_eq!(refused.message, format!("`input` must be an object, not `{input}`"));
    }
    for (input, word) in [("{}", "\"n\""), (r#"{"n":"1"}"#, "/n"), (r#"{"n":0}"#, "/n"), (r#"{"n":1.5}"#, "/n")] {
        let refused = refusal(start(input).await);
        assert_eq!(refused.code, Code::Invalid);
        assert!(refused.message.starts_with("`input` does not fit the workflow's schema: "), "{}", refused.message);
        assert!(refused.message.contains(word), "{}", refused.message);
    }
    nothing_written(&app).await;
    start(r#"{"n":1.0}"#).await.expect("a whole number");
}

#[tokio::test]
async fn values_that_cannot_be_kept_are_not_even_read() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for text in [r#"{"a":"\u0000"}"#, r#"{"\u0000":1}"#, r#"{"a":1,"a":2}"#, "{", "", "{}{}", "NaN", &deep(121)] {
        Json::parse(text).expect_err(text);
    }
    Json::parse(&deep(120)).expect("the deepest");
}

#[tokio::test]
async fn the_deepest_input_runs() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Copies", Kind::Transform, json!({"output": "/input/a"})).await;
    let workflow = app.workflow(json!({"name": "Deep", "steps": [{"key": "a", "agent": "Copies"}]})).await;
    let input = format!(r#"{{"a":{}{}}}"#, "[".repeat(119), "]".repeat(119));
    let id = app.engine.start_execution(app.scope(), starting(workflow, &input)).await.expect("started").id;
    app.ends(id, countersign::domain::execution::CompletionReason::Success).await;
    app.assert_sound().await;
}

/// A value that is mapped into a field is one level deeper than it came.
#[tokio::test]
async fn the_deepest_value_can_be_mapped_and_shown() {
    let app = TestApp::start(Database::Sqlite).await;
    let fields = AgentFields {
        config: Some(json!({"output": "/input/within/a"})),
        input_schema: Some(Some(json!({"type": "object", "properties": {"within": {"type": "object"}}}))),
        ..AgentFields::default()
    };
    app.agent_with("Copies", Kind::Transform, fields).await;
    let workflow = app
        .workflow(json!({"name": "Deep", "steps": [
            {"key": "a", "agent": "Copies", "input": {"within": "/input"}}]}))
        .await;
    let deepest = format!("{}{}", "[".repeat(119), "]".repeat(119));
    let input = format!(r#"{{"a":{deepest}}}"#);
    let id = app.engine.start_execution(app.scope(), starting(workflow, &input)).await.expect("started").id;
    app.ends(id, countersign::domain::execution::CompletionReason::Success).await;
    let token = app.token(Role::Viewer).await;
    let query = "query($id: ID!) { execution(id: $id) { steps { input output } } }";
    let answer = app.graphql(&token, query, json!({"id": id.to_string()})).await;
    let deepest: serde_json::Value = serde_json::from_str(&deepest).expect("JSON");
    assert_eq!(at(&answer, "/data/execution/steps/0/input/within/a"), &deepest);
    assert_eq!(at(&answer, "/data/execution/steps/0/output"), &deepest);
    app.assert_sound().await;
}

#[tokio::test]
async fn workflows_that_cannot_run_are_refused() {
    let app = TestApp::start(Database::Sqlite).await;
    let workflow = checked(&app).await;
    let command = CreateWorkflow {
        document: Document::Definition(json!({"name": "Draft", "steps": []})),
        draft: true,
        idempotency_key: None,
    };
    let origin = countersign::engine::Origin::default();
    let saved = app.engine.create_workflow(app.scope(), command, &origin).await.expect("a draft");
    let SavedWorkflow::Saved { workflow: draft, .. } = saved else { panic!("a draft") };
    let refused = refusal(app.engine.start_execution(app.scope(), starting(draft.id, "{}")).await);
    assert_eq!(refused.message, "the workflow `Draft` has only a draft: save a valid version first");
    app.engine.archive_workflow(app.scope(), workflow, &origin).await.expect("archived");
    let refused = refusal(app.engine.start_execution(app.scope(), starting(workflow, r#"{"n":1}"#)).await);
    assert_eq!(refused.message, "the workflow `Checked` is archived: take it out of the archive first");
    for correlation_id in ["", "a\0b", &"x".repeat(201)] {
        let command =
            StartExecution { correlation_id: Some(correlation_id.to_owned()), ..starting(workflow, r#"{"n":1}"#) };
        let answer = app.engine.start_execution(app.scope(), command).await;
        assert!(matches!(&answer, Err(Error::Refused(refusals)) if matches!(refusals[..], [Refusal { .. }])));
    }
    nothing_written(&app).await;
}
