//! Adding to rollups.

use std::collections::BTreeSet;

use entity::rollup::{Column, Entity};
use sea_orm::{
    ConnectionTrait, DbBackend, EntityTrait, Iterable, Statement, Value,
    sea_query::{Expr, ExprTrait, Query, ValueTuple},
};

use uuid::Uuid;

use super::{Fortnight, Key, Rollups};
use crate::{
    domain::{
        analytics::{Amounts, Sketch},
        execution::Usage,
    },
    store::{Result, bulk, fixed::Fixed, session::Session},
};

/// How many rows one statement finds or writes: both databases bound its values.
const AT_ONCE: usize = 500;

const KEY: [Column; 9] = [
    Column::WorkspaceId,
    Column::Resolution,
    Column::Measure,
    Column::Slot,
    Column::WorkflowId,
    Column::AgentId,
    Column::PersonId,
    Column::Rule,
    Column::Word,
];

/// Adds to the rows that are there. Whoever calls holds the journal's lock: nobody else adds meanwhile.
pub(in crate::store) async fn add(db: &impl Session, mut added: Rollups) -> Result<()> {
    let fortnights: BTreeSet<Fortnight> = added.0.keys().map(Key::fortnight).collect();
    let keys: Vec<Key> = added.0.keys().cloned().chain(fortnights.into_iter().map(Key::added_up)).collect();
    let mut there = find(db, &keys).await?;
    let added_up = there.added_up();
    if !added_up.is_empty() {
        // What comes late is part of them, too: a clock is wrong, or an old journal is counted.
        let late = added.fortnights(&added_up);
        let keys: Vec<Key> = late.0.keys().cloned().collect();
        there.0.extend(find(db, &keys).await?.0);
        added.0.extend(late.0);
    }
    for (key, amounts) in &mut added.0 {
        if let Some(there) = there.0.get(key) {
            amounts.add(there);
        }
    }
    put(db, added).await
}

/// Writes rows in the place of those with the same keys.
pub(super) async fn put(db: &impl Session, rollups: Rollups) -> Result<()> {
    let rows: Vec<entity::rollup::Model> = rollups.0.into_iter().map(|(key, amounts)| row(key, &amounts)).collect();
    bulk::insert(db, &rows, Some(|| bulk::replacing::<Entity>(&KEY))).await
}

/// Those of the rows that are there.
pub(super) async fn find(db: &impl Session, keys: &[Key]) -> Result<Rollups> {
    let mut found = Rollups::default();
    for chunk in keys.chunks(AT_ONCE) {
        found.0.extend(db.models::<Entity>(with_keys(db.backend(), chunk)).await?.into_iter().map(read_row));
    }
    Ok(found)
}

/// The rows with these keys. A list to join costs the databases as much as it has keys; conditions in a row would cost
/// them the square of it.
fn with_keys(backend: DbBackend, keys: &[Key]) -> Statement {
    static WITH_KEYS: Fixed = Fixed::new();
    let nobody = keys.last().map(|key| Key { workspace: Uuid::nil(), ..key.clone() });
    // Few different numbers of keys, so that the databases have seen the statement before.
    let more = number_like(keys.len()) - keys.len();
    let keys = || keys.iter().chain(std::iter::repeat_n(&nobody, more).flatten());
    WITH_KEYS.statement(backend, keys().flat_map(columns).collect(), || {
        let values = keys().map(|key| ValueTuple::Many(columns(key).into()));
        let mut query = Query::select();
        query.columns(Column::iter().map(|column| (Entity, column))).from_values(values, "wanted").cross_join(Entity);
        for (number, column) in KEY.into_iter().enumerate() {
            // Both databases give the columns of a list such names.
            let wanted = Expr::col(("wanted", format!("column{}", number + 1)));
            query.and_where(Expr::col((Entity, column)).eq(wanted));
        }
        backend.build(&query)
    })
}

/// A number that is not less, of which there are few: powers of two, and what is halfway between these.
fn number_like(count: usize) -> usize {
    let power = count.next_power_of_two();
    let halfway = power / 4 * 3;
    if halfway >= count { halfway } else { power }
}

/// A key as the values of its columns.
fn columns(key: &Key) -> [Value; KEY.len()] {
    [
        key.workspace.into(),
        key.resolution.as_ref().into(),
        key.measure.as_ref().into(),
        key.slot.into(),
        key.workflow.into(),
        key.agent.into(),
        key.person.into(),
        key.rule.as_str().into(),
        key.word.as_ref().into(),
    ]
}

fn row(key: Key, amounts: &Amounts) -> entity::rollup::Model {
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    entity::rollup::Model {
        workspace_id: key.workspace,
        resolution: key.resolution.into_owned(),
        measure: key.measure.into_owned(),
        slot: key.slot,
        workflow_id: key.workflow,
        agent_id: key.agent,
        person_id: key.person,
        rule: key.rule,
        word: key.word.into_owned(),
        count: signed(amounts.count),
        micros: signed(amounts.micros),
        llm_calls: signed(amounts.usage.llm_calls),
        tokens: signed(amounts.usage.tokens),
        cost_micros: signed(amounts.usage.cost_micros),
        durations: amounts.durations.to_bytes(),
    }
}

pub(super) fn read_row(row: entity::rollup::Model) -> (Key, Amounts) {
    let usage = Usage {
        llm_calls: unsigned(row.llm_calls),
        tokens: unsigned(row.tokens),
        cost_micros: unsigned(row.cost_micros),
    };
    let durations = read_durations(&row.durations);
    let amounts = Amounts { count: unsigned(row.count), micros: unsigned(row.micros), usage, durations };
    let key = Key {
        workspace: row.workspace_id,
        resolution: row.resolution.into(),
        measure: row.measure.into(),
        slot: row.slot,
        workflow: row.workflow_id,
        agent: row.agent_id,
        person: row.person_id,
        rule: row.rule,
        word: row.word.into(),
    };
    (key, amounts)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// What somebody broke must not keep executions from going on: `countersign doctor` finds it.
pub(super) fn read_durations(bytes: &[u8]) -> Sketch {
    Sketch::from_bytes(bytes).unwrap_or_else(|| {
        tracing::error!("the durations of a rollup cannot be read; `countersign doctor --repair` derives them anew");
        Sketch::default()
    })
}

/// All rows of the table.
pub(super) async fn read_all(db: &impl ConnectionTrait) -> Result<Rollups> {
    let rows = Entity::find().all(db).await?;
    Ok(Rollups(rows.into_iter().map(read_row).collect()))
}

#[cfg(test)]
mod tests {
    use super::number_like;

    #[test]
    fn numbers_of_keys_are_few() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 500].map(number_like), [1, 2, 3, 4, 6, 6, 8, 12, 12, 16, 512]);
    }
}
