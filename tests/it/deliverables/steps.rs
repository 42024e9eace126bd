//! Outputs that a workflow keeps.

use countersign::domain::{
    agent::Kind,
    execution::{CompletionReason, Event},
    role::Role,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{FIELDS, Rig, sha256};
use crate::support::{Database, Service, TestApp, at, flows::allow_loopback, text};

async fn kept(rig: &Rig, execution: &str) -> Vec<Value> {
    let query = format!("query($id: ID!) {{ execution(id: $id) {{ deliverables {{ nodes {{ {FIELDS} }} }} }} }}");
    let answer = rig.graphql(&query, json!({"id": execution})).await;
    at(&answer, "/data/execution/deliverables/nodes").as_array().expect("nodes").clone()
}

#[rstest]
#[tokio::test]
async fn what_a_definition_names_is_kept_with_the_steps_completion(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let fields = json!({"report": "'# Report\\n\\n- ' + input.who + '\\n- x\\n'", "rows": "[[1, 2]]", "logo": "'iVBORw0KGgoAAAANSUhEUg=='"});
    rig.app.agent("Reporter", Kind::Transform, json!({"fields": fields})).await;
    let steps = json!([{"key": "report", "agent": "Reporter", "deliverables": [
        {"name": "report.md", "from": "output.report", "description": "for people"},
        {"name": "rows.json", "type": "DATA", "from": "output.rows"},
        {"name": "logo.png", "from": "output.logo", "encoding": "BASE64"},
        {"name": "all.json"},
        {"name": "none.txt", "from": "has(output.none) ? output.none : null"},
        {"name": "broken.txt", "from": "output.rows[5]"},
    ]}]);
    let workflow = rig.app.workflow(json!({"name": "Report", "steps": steps})).await;
    let execution = rig.app.start_execution(workflow, json!({"who": "Ada"})).await;
    rig.app.ends(execution, CompletionReason::Success).await;
    let found = kept(&rig, &execution.to_string()).await;
    let names: Vec<&str> = found.iter().map(|one| text(one, "/name")).collect();
    assert_eq!(names, ["report.md", "rows.json", "logo.png", "all.json"]);
    for (one, mime_type) in
        found.iter().zip(["text/markdown; charset=utf-8", "application/json", "image/png", "application/json"])
    {
        assert_eq!(one["version"]["mimeType"], mime_type);
        assert_eq!((&one["stepKey"], &one["agent"]["name"]), (&json!("report"), &json!("Reporter")));
        assert_eq!((&one["status"], &one["createdBy"]["kind"]), (&json!("DRAFT"), &json!("SYSTEM")));
    }
    assert_eq!(rig.content(text(&found[0], "/id")).await, b"# Report\n\n- Ada\n- x\n");
    assert_eq!(rig.content(text(&found[1], "/id")).await, b"[[1,2]]");
    // All in one commit: its lines have one time, and nothing comes in between.
    let journal = rig.app.whole_journal(execution).await;
    let completed = journal.iter().position(|entry| entry.kind() == "step.completed").expect("completed");
    let ended = journal.iter().position(|entry| entry.kind() == "execution.completed").expect("ended");
    let created: Vec<_> = journal.iter().filter(|entry| entry.kind() == "deliverable.created").collect();
    assert_eq!(created.len(), 4);
    assert!(created.iter().all(|entry| entry.at == journal[completed].at && entry.at == journal[ended].at));
    let said = journal.iter().find_map(|entry| match &entry.event {
        Ok(Event::StepLogged { message, .. }) => Some(message.clone()),
        _ => None,
    });
    assert!(said.expect("a line of the log").contains("`broken.txt` was not kept"));
    rig.app.assert_sound().await;
}

#[rstest]
#[tokio::test]
async fn a_large_answer_is_kept_in_a_file(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let rig = Rig { token: app.token(Role::Operator).await, app };
    let body = "a line of a long text\n".repeat(100_000);
    let service = {
        let answer = json!({"text": body}).to_string();
        Service::start(move |_, _| (200, answer.clone())).await
    };
    rig.app.agent("Caller", Kind::Http, service.config()).await;
    let steps =
        json!([{"key": "get", "agent": "Caller", "deliverables": [{"name": "long.txt", "from": "output.text"}]}]);
    let workflow = rig.app.workflow(json!({"name": "Get", "steps": steps})).await;
    let execution = rig.app.start_execution(workflow, json!({})).await;
    rig.app.ends(execution, CompletionReason::Success).await;
    let found = kept(&rig, &execution.to_string()).await;
    assert_eq!(
        (&found[0]["version"]["storage"], &found[0]["version"]["sha256"]),
        (&json!("FILE"), &json!(sha256(body.as_bytes())))
    );
    assert_eq!(rig.content(text(&found[0], "/id")).await, body.as_bytes());
    assert_eq!(rig.files().len(), 1);
}

#[rstest]
#[tokio::test]
async fn a_workers_output_is_kept_too(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    rig.app.agent("Writer", Kind::Worker, json!({"queue": "q"})).await;
    let steps =
        json!([{"key": "write", "agent": "Writer", "deliverables": [{"name": "out.txt", "from": "output.text"}]}]);
    let workflow = rig.app.workflow(json!({"name": "Write", "steps": steps})).await;
    let execution = rig.app.start_execution(workflow, json!({})).await;
    let task = rig.app.claim_next("q").await;
    rig.app.complete(&task, r#"{"text": "done"}"#).await.expect("completed");
    rig.app.ends(execution, CompletionReason::Success).await;
    let found = kept(&rig, &execution.to_string()).await;
    assert_eq!(rig.content(text(&found[0], "/id")).await, b"done");
}

#[tokio::test]
async fn what_is_wrong_with_it_is_told_at_its_place() {
    let rig = Rig::new(Database::Sqlite).await;
    rig.app.agent("Reporter", Kind::Transform, json!({"fields": {"a": "1"}})).await;
    let schema = json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false});
    let definition = json!({"name": "Bad", "steps": [{"key": "a", "agent": "Reporter", "outputSchema": schema,
    "deliverables": [
        {"name": "a/b"}, {"name": "x", "from": "1 +"}, {"name": "y", "from": "input.a"}, {"name": "x", "type": "BOOK"},
        {"name": "z", "from": "output.b"},
    ]}]});
    let query = "query($definition: JSON!) { validateWorkflow(definition: $definition) { valid problems { path code message } } }";
    let answer = rig.graphql(query, json!({"definition": definition})).await;
    let problems = at(&answer, "/data/validateWorkflow/problems").as_array().expect("problems");
    let found: Vec<&str> = problems.iter().map(|problem| text(problem, "/path")).collect();
    let place = |rest: &str| format!("/steps/0/deliverables/{rest}");
    for rest in ["0/name", "1/from", "2/from", "3/type", "3/name", "4/from"] {
        assert!(found.contains(&place(rest).as_str()), "{rest} in {problems:#?}");
    }
}
