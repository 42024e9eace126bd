//! Things move: the simulated worker works and asks, colleagues follow or make room, the agent answers.

use countersign::{
    domain::{
        checkpoint::{Kind, Status},
        execution::{self, Mode},
        json::Json,
    },
    engine::{Origin, commands::StartExecution},
    store::executions,
};
use serde_json::json;

use super::{demo, listed, of_kind, pending, pending_of, ready, robin, until};
use crate::support::{Database, TestApp};

#[tokio::test]
async fn the_worker_works_and_asks() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    ready(&app).await;
    let store = app.engine.store();
    let of = async |name: &str| {
        let workflow = store.workflow_by_name(app.scope(), name).await.expect("a lookup").map(|workflow| workflow.id);
        let filter = executions::Filter { workflow, ..Default::default() };
        let all = listed(&app, &filter).await;
        all.into_iter().find(|one| one.correlation_id.as_deref().is_none_or(|name| !name.starts_with("Demo")))
    };

    // A report leaves something of each kind behind.
    let report = until(&app, "a report", async || {
        of("Monthly support report").await.filter(|report| report.status == execution::Status::Completed)
    });
    let report = report.await;
    let token = app.token(countersign::domain::role::Role::Viewer).await;
    let query = "query($id: ID!) { execution(id: $id) { deliverables { nodes { status version { number preview { kind } } } } } }";
    let answer = app.graphql(&token, query, json!({"id": report.id.to_string()})).await.to_string();
    for kind in ["MARKDOWN", "TABLE", "IMAGE", "CODE", "DIFF", "JSON", "PDF"] {
        assert!(answer.contains(kind), "no {kind} in {answer}");
    }
    assert!(answer.contains(r#""status":"FINAL","version":{"number":2"#), "{answer}");

    // In the middle of its task, the worker asks; once somebody approves, it goes on.
    let asked = until(&app, "a question of the worker", async || {
        let prices = of("Supplier price update").await?;
        let rows = pending_of(&app, &prices).await;
        of_kind(&rows, Kind::External).first().map(|row| (*row).clone())
    });
    let asked = asked.await;
    app.approve(robin(&app).await, &asked).await.expect("an approval");
    until(&app, "the end of the price update", async || {
        of("Supplier price update").await.filter(|prices| prices.status == execution::Status::Completed)
    })
    .await;
}

#[tokio::test]
async fn a_colleague_takes_the_second_seat() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    ready(&app).await;
    let workflow = app.engine.store().workflow_by_name(app.scope(), "Refund request").await.expect("a lookup");
    let input = json!({"order": "A-9045", "reason": "arrived broken", "asked": 980}).to_string();
    let command = StartExecution {
        workflow: workflow.expect("a workflow").id,
        version: None,
        input: Json::parse(&input).expect("JSON"),
        mode: Mode::Live,
        correlation_id: None,
        idempotency_key: None,
    };
    let started = app.engine.start_execution(app.scope(), command).await.expect("an execution");
    let asked = until(&app, "the refund", async || pending_of(&app, &started).await.pop()).await;
    assert_eq!((asked.approvals, asked.approvals_needed), (0, 2));
    app.approve(robin(&app).await, &asked).await.expect("an approval");
    until(&app, "the end of the refund", async || {
        let now = app.engine.store().execution(app.scope(), started.id).await.expect("a lookup")?;
        Some(now).filter(|now| now.status == execution::Status::Completed)
    })
    .await;
    assert_eq!(app.checkpoint(asked.id).await.status, Status::Approved);
}

#[tokio::test]
async fn the_agent_answers_and_proposes_something_more_careful() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    ready(&app).await;
    let waiting = pending(&app).await;
    let (step, alone) = (of_kind(&waiting, Kind::Step)[0], of_kind(&waiting, Kind::External)[0]);
    let robin = robin(&app).await;
    for row in [step, alone] {
        let question = "Who is told before?";
        app.engine.ask_about_checkpoint(robin, row.id, question, &Origin::default()).await.expect("a question");
    }
    // An answer is a revision, and so is what the agent proposes then.
    until(&app, "the answers", async || {
        let step = app.checkpoint(step.id).await.revision;
        let alone = app.checkpoint(alone.id).await.revision;
        Some(()).filter(|()| (step, alone) == (2, 3))
    })
    .await;
}

#[tokio::test]
async fn colleagues_make_room_so_that_things_keep_moving() {
    let app = TestApp::start_with(Database::Sqlite, demo).await;
    ready(&app).await;
    let token = app.token(countersign::domain::role::Role::Operator).await;
    let ask = r#"mutation { requestApproval(input: {description: "Once more", operationType: "demo.more", parameters: {}, riskLevel: LOW}) { userErrors { message } } }"#;
    for _ in 0..40 {
        app.graphql(&token, ask, json!({})).await;
    }
    let oldest = pending(&app).await.remove(0);
    let decided = until(&app, "a decision about the oldest", async || {
        Some(app.checkpoint(oldest.id).await).filter(|row| row.status != Status::Pending)
    });
    assert_eq!(decided.await.status, Status::Approved);
    until(&app, "room for more", async || Some(pending(&app).await.len()).filter(|waiting| *waiting <= 30)).await;
}
