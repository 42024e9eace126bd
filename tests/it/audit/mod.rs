//! The audit log: what it records, and that it proves itself.

mod decisions;
mod erasure;
mod export;
mod processes;
mod records;
mod signing;
mod tampering;
mod upgrade;

use countersign::{
    domain::audit::{Broken, Fault, Line, Report, Trust, Verifier},
    store::{Store, audit::Period, workspaces::Workspace},
};
use futures_util::TryStreamExt;

use crate::support::TestApp;

/// The whole log of the default workspace, as an export has it.
pub async fn lines(app: &TestApp) -> Vec<Line> {
    lines_of(app.engine.store(), &app.workspace).await
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
