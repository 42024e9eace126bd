//! The audit log: what it records, and that it proves itself.

mod beside;
mod contents;
mod decisions;
mod erasure;
mod export;
mod processes;
mod records;
mod rewriting;
mod signing;
mod tampering;
mod unreadable;
mod upgrade;
mod witness;

use countersign::{
    config::Settings,
    domain::{
        agent::{Kind, RiskLevel},
        audit::{Broken, Fault, Line, Report, Trust, Verifier},
        execution::CompletionReason,
        role::Role,
    },
    engine::{
        Origin,
        commands::{AgentFields, DecideCheckpoint},
    },
    store::{Store, audit::Period, workspaces::Workspace},
};
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use crate::support::{TestApp, policies::approving};

/// A workflow of one step that must be approved.
pub async fn payment(app: &TestApp) -> countersign::domain::id::WorkflowId {
    let fields = AgentFields {
        config: Some(json!({"output": "/input"})),
        operation_type: Some(Some("pay".to_owned())),
        risk_level: Some(Some(RiskLevel::High)),
        ..AgentFields::default()
    };
    app.agent_with("Pay", Kind::Transform, fields).await;
    app.workflow(json!({"name": "Payment", "steps": [{"key": "pay", "agent": "Pay"}]})).await
}

/// A payment that somebody has approved or rejected.
pub async fn decided(app: &TestApp, email: &str, input: Value, approve: bool) {
    let workflow = payment(app).await;
    let person = app.approver(email, &[Role::Approver], &[]).await;
    let id = app.start_execution(workflow, input).await;
    let row = app.waiting(id).await;
    if approve {
        app.approve(person, &row).await.expect("approved");
        app.ends(id, CompletionReason::Success).await;
    } else {
        let command = DecideCheckpoint {
            verdict: countersign::domain::checkpoint::Verdict::Reject,
            comment: Some("No.".to_owned()),
            ..approving(&row)
        };
        app.engine.decide_checkpoint(person, command, &Origin::default()).await.expect("rejected");
        app.ends(id, CompletionReason::Rejected).await;
    }
}

/// The whole log of the default workspace, as an export has it.
pub async fn lines(app: &TestApp) -> Vec<Line> {
    lines_of(app.engine.store(), &app.workspace).await
}

/// The same after the server has stopped.
pub async fn lines_left(app: &TestApp) -> Vec<Line> {
    let settings = Settings { database_url: Some(app.database.url.clone()), ..Settings::default() };
    let store = Store::open_to_read(&settings).await.expect("the database");
    let lines = lines_of(&store, &app.workspace).await;
    store.close().await;
    lines
}

pub async fn lines_of(store: &Store, workspace: &Workspace) -> Vec<Line> {
    let now = "2026-01-01T00:00:00Z".parse().expect("a time");
    store.audit_lines(workspace.clone(), Period::default(), now).try_collect().await.expect("a log")
}

/// The same after it was written to a file and read again.
pub fn through_a_file(lines: &[Line]) -> Vec<Line> {
    lines.iter().map(|line| Line::parse(&line.to_json().to_string()).expect("a line")).collect()
}

pub fn verify(lines: &[Line], trust: Trust) -> Result<Report, Broken> {
    let Some(Line::Head(head)) = lines.first() else { panic!("no head: {lines:?}") };
    let mut verifier = Verifier::new(trust, head);
    for line in &lines[1..] {
        verifier.take(line)?;
    }
    verifier.finish()
}

/// What is wrong, of a log that is broken.
#[track_caller]
pub fn broken(lines: &[Line], trust: Trust) -> (Fault, i64) {
    let broken = verify(lines, trust).expect_err("a broken log");
    (broken.fault, broken.sequence)
}

#[track_caller]
pub fn sound(lines: &[Line]) -> Report {
    let report = verify(lines, Trust::default()).unwrap_or_else(|broken| panic!("{broken}"));
    let exported = verify(&through_a_file(lines), Trust::default()).unwrap_or_else(|broken| panic!("{broken}"));
    assert_eq!(report, exported);
    report
}
