//! Watching the library.

use countersign::domain::{access::Scope, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::{change, document, done, make_agent, make_workflow};
use crate::{
    identity::newest,
    support::{Database, Socket, TestApp, at, text},
};

const WATCH: &str = "subscription($after: String) { libraryEvents(after: $after) {
    cursor type actor { kind } agent { id version archivedAt } workflow { id latestVersion { number } draft { definition } } } }";

async fn event(socket: &mut Socket) -> Value {
    at(&socket.next().await, "/payload/data/libraryEvents").clone()
}

#[rstest]
#[tokio::test]
async fn everybody_sees_what_happens_to_agents_and_workflows(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let (author, admin) = (app.token(Role::Author).await, app.token(Role::Admin).await);
    let start = newest(&app, &admin).await;
    let mut watching = Socket::open(&app, &app.token(Role::Viewer).await).await;
    watching.subscribe("1", WATCH, start.clone()).await;

    let worker = make_agent(&app, &author, "Worker").await;
    let first = event(&mut watching).await;
    assert_eq!((text(&first, "/type"), text(&first, "/actor/kind")), ("AGENT_CREATED", "API_TOKEN"));
    assert_eq!(at(&first, "/agent"), &json!({"id": worker, "version": 1, "archivedAt": null}));
    assert_eq!(at(&first, "/workflow"), &Value::Null);

    let triage = make_workflow(&app, &author, "Triage").await;
    let second = event(&mut watching).await;
    assert_eq!((text(&second, "/type"), text(&second, "/workflow/id")), ("WORKFLOW_CREATED", triage.as_str()));
    assert_eq!(at(&second, "/agent"), &Value::Null);

    let next = json!({"workflowId": triage, "baseVersion": 1, "definition": document("Triage", "second")});
    let mut draft = next.clone();
    draft["draft"] = json!(true);
    for (mutation, input, expected, path, value) in [
        (
            "updateAgent",
            json!({"agentId": worker, "baseVersion": 1, "description": "Sorts"}),
            "AGENT_UPDATED",
            "/agent/version",
            json!(2),
        ),
        ("archiveAgent", json!({"agentId": worker}), "AGENT_ARCHIVED", "/agent/version", json!(2)),
        ("unarchiveAgent", json!({"agentId": worker}), "AGENT_UNARCHIVED", "/agent/archivedAt", Value::Null),
        ("updateWorkflow", draft, "WORKFLOW_DRAFT_SAVED", "/workflow/draft/definition", document("Triage", "second")),
        (
            "discardWorkflowDraft",
            json!({"workflowId": triage}),
            "WORKFLOW_DRAFT_DISCARDED",
            "/workflow/draft",
            Value::Null,
        ),
        ("updateWorkflow", next, "WORKFLOW_UPDATED", "/workflow/latestVersion/number", json!(2)),
        (
            "restoreWorkflowVersion",
            json!({"workflowId": triage, "version": 1, "baseVersion": 2}),
            "WORKFLOW_VERSION_RESTORED",
            "/workflow/latestVersion/number",
            json!(3),
        ),
        ("archiveWorkflow", json!({"workflowId": triage}), "WORKFLOW_ARCHIVED", "/workflow/id", json!(triage)),
        ("unarchiveWorkflow", json!({"workflowId": triage}), "WORKFLOW_UNARCHIVED", "/workflow/id", json!(triage)),
    ] {
        done(&change(&app, &author, mutation, input).await, mutation);
        let told = event(&mut watching).await;
        assert_eq!(text(&told, "/type"), expected);
        assert_eq!(at(&told, path), &value, "{expected}");
    }

    // Whoever was away goes on after the last event that they saw.
    let mut back = Socket::open(&app, &app.token(Role::Viewer).await).await;
    back.subscribe("1", WATCH, json!({"after": at(&first, "/cursor")})).await;
    let missed = event(&mut back).await;
    assert_eq!(at(&missed, "/cursor"), at(&second, "/cursor"));
    assert_eq!(at(&missed, "/workflow/latestVersion/number"), 3, "objects are as they are now");
    assert_eq!(text(&event(&mut back).await, "/type"), "AGENT_UPDATED");
}

#[rstest]
#[tokio::test]
async fn nobody_sees_another_workspace_or_another_part_of_the_log(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let (author, admin) = (app.token(Role::Author).await, app.token(Role::Admin).await);
    let other = Scope::system(app.create_workspace("other").await.id);
    let stranger = app.token_in(other, Role::Author).await;
    let mut watching = Socket::open(&app, &app.token(Role::Viewer).await).await;
    watching.subscribe("1", WATCH, newest(&app, &admin).await).await;

    make_agent(&app, &stranger, "Worker").await;
    make_workflow(&app, &stranger, "Triage").await;
    app.token(Role::Operator).await;
    let own = make_agent(&app, &author, "Worker").await;
    let seen = event(&mut watching).await;
    assert_eq!((text(&seen, "/type"), text(&seen, "/agent/id")), ("AGENT_CREATED", own.as_str()));

    // Cursors are places in one log, so a stranger can have ours: it shows them nothing of what happened here.
    let mut theirs = Socket::open(&app, &app.token_in(other, Role::Viewer).await).await;
    theirs.subscribe("1", WATCH, json!({"after": at(&seen, "/cursor")})).await;
    make_agent(&app, &author, "Second").await;
    let only = make_agent(&app, &stranger, "Third").await;
    assert_eq!(text(&event(&mut theirs).await, "/agent/id"), only);
}
