//! Many rows, keys and conditions in few statements that the database has seen before.
//!
//! The text of a statement depends on how many rows it has. With portions of 1, 2, 4, … rows there are few different
//! texts: each is built once and prepared once, and from then on only values are sent.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use sea_orm::{
    DbBackend, EntityTrait, IdenStatic, IntoActiveModel, Iterable, ModelTrait, QueryTrait, Statement, Value,
    sea_query::OnConflict,
};

use super::{Result, session::Session};

/// The most rows of one statement. More would hardly be faster, and both databases bound a statement's values.
pub const MOST_ROWS: usize = 32;

/// The texts of insertions by table and number of rows. Each table is written in one way only.
static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

type Texts = HashMap<(TypeId, usize, Backend), Arc<str>>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Backend {
    Sqlite,
    Postgres,
}

/// Inserts rows, or does what `conflict` says where they are there already.
pub async fn insert<'a, M>(
    db: &impl Session,
    rows: impl IntoIterator<Item = &'a M>,
    conflict: impl Fn() -> Option<OnConflict>,
) -> Result<()>
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel> + 'a,
    M::Entity: EntityTrait<Model = M> + 'static,
    <M::Entity as EntityTrait>::ActiveModel: Send,
{
    let rows: Vec<&M> = rows.into_iter().collect();
    let mut rest = rows.as_slice();
    while !rest.is_empty() {
        let (portion, others) = rest.split_at(portion(rest.len()));
        rest = others;
        db.run(insertion(db.backend(), portion, &conflict)).await?;
    }
    Ok(())
}

/// The largest power of two that is neither more than there are nor too much.
fn portion(count: usize) -> usize {
    let most = count.min(MOST_ROWS);
    1 << most.ilog2()
}

fn insertion<M>(backend: DbBackend, rows: &[&M], conflict: &impl Fn() -> Option<OnConflict>) -> Statement
where
    M: ModelTrait + IntoActiveModel<<M::Entity as EntityTrait>::ActiveModel>,
    M::Entity: EntityTrait<Model = M> + 'static,
    <M::Entity as EntityTrait>::ActiveModel: Send,
{
    let dialect = if backend == DbBackend::Postgres { Backend::Postgres } else { Backend::Sqlite };
    let key = (TypeId::of::<M::Entity>(), rows.len(), dialect);
    let known = TEXTS.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    let Some(text) = known else {
        let active = rows.iter().map(|row| (*row).clone().into_active_model());
        let mut insert = M::Entity::insert_many(active);
        if let Some(conflict) = conflict() {
            insert = insert.on_conflict(conflict);
        }
        let statement = insert.build(backend);
        TEXTS.lock().unwrap_or_else(PoisonError::into_inner).insert(key, statement.sql.as_str().into());
        return statement;
    };
    let columns = || <M::Entity as EntityTrait>::Column::iter();
    let values: Vec<Value> = rows.iter().flat_map(|row| columns().map(|column| row.get(column))).collect();
    Statement::from_sql_and_values(backend, &*text, values)
}

/// Puts rows in the place of those with the same keys.
pub fn replacing<E: EntityTrait>(keys: &[E::Column]) -> OnConflict {
    let is_key = |column: &E::Column| keys.iter().any(|key| key.as_str() == column.as_str());
    let others = E::Column::iter().filter(|column| !is_key(column));
    OnConflict::columns(keys.iter().copied()).update_columns(others).to_owned()
}

/// Keys for a condition `IN (…)`, the last one repeated until their number is a power of two.
pub fn padded<K: Clone>(keys: impl IntoIterator<Item = K>) -> Vec<K> {
    let mut keys: Vec<K> = keys.into_iter().collect();
    if let Some(last) = keys.last().cloned() {
        keys.resize(keys.len().next_power_of_two(), last);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_few() {
        assert_eq!([1, 2, 3, 7, 31, 32, 500].map(portion), [1, 2, 2, 4, 16, 32, 32]);
        assert_eq!(padded([1, 2, 3]), [1, 2, 3, 3]);
        assert_eq!(padded([1]), [1]);
        assert_eq!(padded::<i32>([]), [0; 0]);
    }
}
