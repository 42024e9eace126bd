//! Rows of many executions in few statements.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, OnConflict},
};

use uuid::Uuid;

use super::decision::{Append, Prolonged};
use crate::{
    domain::id::TaskId,
    store::{Result, bulk, fixed::Fixed, micros, session::Session, tasks},
};

/// Both databases bound the values of one statement: this many rows of our widest table stay below.
const ROWS: usize = 500;

/// Rows in portions that fit a statement.
pub(in crate::store) fn chunks<T>(rows: impl IntoIterator<Item = T>) -> Vec<Vec<T>> {
    let mut rows = rows.into_iter().peekable();
    let mut chunks = Vec::new();
    while rows.peek().is_some() {
        chunks.push(rows.by_ref().take(ROWS).collect());
    }
    chunks
}

/// Rows that cannot be there yet because their execution is new, and others: databases need not look for the former.
fn by_age<'a, M>(
    accepted: &[&Append],
    rows: impl Iterator<Item = &'a M>,
    execution: impl Fn(&M) -> Uuid,
) -> (Vec<&'a M>, Vec<&'a M>) {
    let begun = accepted.iter().filter(|append| append.expected == Some(0));
    let begun: HashSet<Uuid> = begun.map(|append| append.execution.0).collect();
    rows.partition(|row| begun.contains(&execution(row)))
}

/// The latest row of each execution: several appends to one may be written together.
pub(super) async fn write_executions(db: &impl Session, accepted: &[&Append]) -> Result<()> {
    use entity::execution::Column;
    let mut rows: indexmap::IndexMap<Uuid, &entity::execution::Model> = indexmap::IndexMap::new();
    for projection in accepted.iter().filter_map(|append| append.projection.as_deref()) {
        rows.insert(projection.execution.id, &projection.execution);
    }
    let (new, known) = by_age(accepted, rows.into_values(), |row| row.id);
    bulk::insert(db, new, None).await?;
    let change = || {
        let changing = [
            Column::Status,
            Column::CompletionReason,
            Column::Seq,
            Column::StepsDone,
            Column::StartedAt,
            Column::FinishedAt,
            Column::RanFor,
            Column::RunningSince,
            Column::WakeAt,
            Column::LlmCalls,
            Column::Tokens,
            Column::CostMicros,
        ];
        OnConflict::column(Column::Id).update_columns(changing).to_owned()
    };
    bulk::insert(db, known, Some(change)).await
}

pub(super) async fn write_journal(db: &impl Session, rows: Vec<entity::journal::Model>) -> Result<()> {
    bulk::insert(db, &rows, None).await
}

pub(super) async fn write_steps(db: &impl Session, accepted: &[&Append]) -> Result<()> {
    use entity::step_run::{Column, Entity};
    let mut rows = indexmap::IndexMap::new();
    for projection in accepted.iter().filter_map(|append| append.projection.as_deref()) {
        rows.extend(projection.steps.iter().map(|row| ((row.execution_id, row.step), row)));
    }
    let (new, known) = by_age(accepted, rows.into_values(), |row| row.execution_id);
    bulk::insert(db, new, None).await?;
    bulk::insert(db, known, Some(|| bulk::replacing::<Entity>(&[Column::ExecutionId, Column::Step]))).await
}

pub(super) async fn write_tasks(db: &impl Session, accepted: &[&Append]) -> Result<()> {
    use entity::task::{Column, Entity};
    let mut gone = indexmap::IndexSet::new();
    let mut rows = indexmap::IndexMap::new();
    for projection in accepted.iter().filter_map(|append| append.projection.as_deref()) {
        for id in &projection.gone_tasks {
            rows.shift_remove(id);
            gone.insert(*id);
        }
        for row in &projection.tasks {
            rows.insert(row.id, row);
        }
    }
    for chunk in chunks(gone) {
        static GONE: Fixed = Fixed::new();
        let ids = bulk::padded(chunk);
        let gone = GONE.statement(db.backend(), ids.iter().map(|id| (*id).into()).collect(), || {
            Entity::delete_many().filter(Column::Id.is_in(ids.iter().copied())).build(db.backend())
        });
        db.run(gone).await?;
    }
    bulk::insert(db, rows.into_values(), Some(|| bulk::replacing::<Entity>(&[Column::Id]))).await
}

/// The latest row of each checkpoint, and who may decide about it.
pub(super) async fn write_checkpoints(db: &impl Session, accepted: &[&Append]) -> Result<()> {
    use entity::checkpoint::{Column, Entity};
    let mut rows = indexmap::IndexMap::new();
    let mut audiences = indexmap::IndexMap::new();
    for projection in accepted.iter().filter_map(|append| append.projection.as_deref()) {
        rows.extend(projection.checkpoints.iter().map(|row| (row.id, row)));
        audiences.extend(projection.audiences.iter().map(|row| ((row.workspace_id, &row.name), row)));
    }
    insert_audiences(db, audiences.into_values()).await?;
    bulk::insert(db, rows.into_values(), Some(|| bulk::replacing::<Entity>(&[Column::Id]))).await
}

/// What was learned from decisions. A checkpoint teaches the same for ever, but what a rule approved can be overridden.
pub(super) async fn write_lessons(db: &impl Session, accepted: &[&Append]) -> Result<()> {
    let projections = || accepted.iter().filter_map(|append| append.projection.as_deref());
    let cases = projections().flat_map(|projection| &projection.cases);
    let cases: indexmap::IndexMap<_, _> = cases.map(|row| (row.id, row)).collect();
    insert_cases(db, cases.into_values()).await?;
    insert_evidence(db, projections().flat_map(|projection| &projection.evidence)).await
}

pub(in crate::store) async fn insert_cases(
    db: &impl Session,
    cases: impl IntoIterator<Item = &entity::learning_case::Model>,
) -> Result<()> {
    use entity::learning_case::{Column, Entity};
    bulk::insert(db, cases, Some(|| bulk::replacing::<Entity>(&[Column::Id]))).await
}

pub(in crate::store) async fn insert_evidence(
    db: &impl Session,
    evidence: impl IntoIterator<Item = &entity::rule_evidence::Model>,
) -> Result<()> {
    use entity::rule_evidence::Column;
    let leave = || OnConflict::columns([Column::CheckpointId, Column::Rule]).do_nothing().to_owned();
    bulk::insert(db, evidence, Some(leave)).await
}

/// Audiences never change: those that are there already stay.
pub(in crate::store) async fn insert_audiences(
    db: &impl Session,
    audiences: impl IntoIterator<Item = &entity::audience::Model>,
) -> Result<()> {
    use entity::audience::Column;
    let leave = || OnConflict::columns([Column::WorkspaceId, Column::Name]).do_nothing().to_owned();
    bulk::insert(db, audiences, Some(leave)).await
}

/// Whether a worker's lease has run out.
pub(super) async fn has_lapsed(db: &impl Session, task: TaskId, lease: Uuid, now: DateTime<Utc>) -> Result<bool> {
    use entity::task::{Column, Entity};
    let held = Entity::find_by_id(task.0)
        .filter(Column::LeaseId.eq(lease))
        .filter(Column::LeaseUntil.gt(micros::from_time(now)))
        .filter(Column::LeaseUntil.lte(tasks::latest_end(now)));
    Ok(db.model::<Entity>(held.build(db.backend())).await?.is_none())
}

/// Whether a task is in the hands of whoever has this lease.
pub(super) async fn is_held(db: &impl Session, task: TaskId, lease: Uuid) -> Result<bool> {
    use entity::task::{Column, Entity};
    let held = Entity::find_by_id(task.0).filter(Column::LeaseId.eq(lease));
    Ok(db.model::<Entity>(held.build(db.backend())).await?.is_some())
}

/// Moves the end of a lease, if its holder still has it.
pub(super) async fn prolong(db: &impl Session, lease: &Prolonged) -> Result<bool> {
    use entity::task::{Column, Entity};
    let mut update = Entity::update_many()
        .col_expr(Column::LeaseUntil, Expr::value(micros::from_time(lease.until)))
        .filter(Column::Id.eq(lease.task.0))
        .filter(Column::LeaseId.eq(lease.lease));
    if let Some(progress) = lease.progress {
        update = update.col_expr(Column::Progress, Expr::value(progress));
    }
    Ok(db.run(update.build(db.backend())).await? > 0)
}
