//! Changes that come at the same moment: one wins, and the others are told.

use countersign::domain::role::Role;
use futures_util::future::join_all;
use rstest::rstest;
use serde_json::{Value, json};

use super::{agent, change, document, make_agent, make_workflow, refusals, workflow};
use crate::support::{Database, TestApp, at};

/// One answer must be fine; the others must be conflicts.
#[track_caller]
fn check_one_winner(answers: &[Value], mutation: &str) {
    let refused: Vec<Vec<&str>> = answers.iter().map(|answer| refusals(answer, mutation)).collect();
    let winners = refused.iter().filter(|codes| codes.is_empty()).count();
    let losers = refused.iter().filter(|codes| **codes == ["CONFLICT"]).count();
    assert_eq!((winners, losers), (1, answers.len() - 1), "{refused:?}");
}

#[rstest]
#[tokio::test]
async fn of_changes_from_the_same_version_one_wins(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    let agent_id = make_agent(&app, &author, "Worker").await;
    let workflow_id = make_workflow(&app, &author, "Triage").await;
    for base in 1..=5 {
        let answers = join_all((0..4).map(|n| {
            let input = json!({"agentId": agent_id, "baseVersion": base, "description": format!("{base} {n}")});
            change(&app, &author, "updateAgent", input)
        }));
        check_one_winner(&answers.await, "updateAgent");
        let answers = join_all((0..4).map(|n| {
            let definition = document("Triage", &format!("s{base}_{n}"));
            let input = json!({"workflowId": workflow_id, "baseVersion": base, "definition": definition});
            change(&app, &author, "updateWorkflow", input)
        }));
        check_one_winner(&answers.await, "updateWorkflow");
    }
    assert_eq!(agent(&app, &author, &agent_id).await["version"], 6);
    assert_eq!(at(&workflow(&app, &author, &workflow_id).await, "/latestVersion/number"), 6);
}

#[rstest]
#[tokio::test]
async fn of_twins_without_a_key_one_gets_the_name(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let author = app.token(Role::Author).await;
    make_agent(&app, &author, "Worker").await;
    let create = || change(&app, &author, "createWorkflow", json!({"definition": document("Triage", "x")}));
    let answers = join_all((0..8).map(|_| create())).await;
    let made = answers.iter().filter(|answer| refusals(answer, "createWorkflow").is_empty()).count();
    let taken = answers.iter().filter(|answer| refusals(answer, "createWorkflow") == ["ALREADY_EXISTS"]).count();
    assert_eq!((made, taken), (1, 7));
}
