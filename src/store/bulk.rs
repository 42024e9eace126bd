//! Many rows, keys and conditions in few statements that the database has seen before.
//!
//! The text of a statement depends on how it takes its rows. There are few such texts, so each is built once and
//! prepared once, and from then on only values are sent.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use sea_orm::{
    ActiveModelTrait, DbBackend, EntityTrait, IdenStatic, IntoActiveModel, Iterable, ModelTrait, QueryTrait, Statement,
    Value, sea_query::OnConflict,
};

use super::{Result, session::Session};

/// The most rows of one statement. More would hardly be faster, and both databases bound a statement's values.
const MOST_ROWS: usize = 32;

/// A row that is written together with others of its table.
pub trait Row: ModelTrait<Entity = Self::Table> + IntoActiveModel<Self::Fill> + Sync {
    type Table: EntityTrait<Model = Self, ActiveModel = Self::Fill> + 'static;
    type Fill: ActiveModelTrait<Entity = Self::Table> + Send;

    /// Its values in the order of the columns.
    fn values(&self) -> impl Iterator<Item = Value> {
        <Self::Table as EntityTrait>::Column::iter().map(|column| self.get(column))
    }
}

impl<M, E, A> Row for M
where
    M: ModelTrait<Entity = E> + IntoActiveModel<A> + Sync,
    E: EntityTrait<Model = M, ActiveModel = A> + 'static,
    A: ActiveModelTrait<Entity = E> + Send,
{
    type Table = E;
    type Fill = A;
}

/// How a statement takes its rows, value by value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// So many.
    Sqlite(usize),
    Postgres(usize),
}

/// What becomes of rows that are there already, always the same for a table; nothing where rows are known to be new.
pub type Otherwise = Option<fn() -> OnConflict>;

/// The texts of insertions by table and form, and by whether the rows may be there already.
static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

type Texts = HashMap<(TypeId, Form, bool), Arc<str>>;

/// The text of an insertion into the table of a row, written by `write` if it is not known yet.
fn text<M: Row>(form: Form, otherwise: Otherwise, write: impl FnOnce() -> Result<String>) -> Result<Arc<str>> {
    let texts = || TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (TypeId::of::<M::Table>(), form, otherwise.is_some());
    let known = texts().get(&key).cloned();
    if let Some(text) = known {
        return Ok(text);
    }
    let text: Arc<str> = write()?.into();
    texts().insert(key, Arc::clone(&text));
    Ok(text)
}

/// Inserts rows, or does otherwise where they are there already.
pub async fn insert<'a, M: Row + 'a>(
    db: &impl Session,
    rows: impl IntoIterator<Item = &'a M>,
    otherwise: Otherwise,
) -> Result<()> {
    let rows: Vec<&M> = rows.into_iter().collect();
    if rows.is_empty() { Ok(()) } else { db.insert(&rows, otherwise).await }
}

/// The same in statements of 1, 2, 4, … rows, on a connection that knows no better way.
pub async fn insert_in_portions<M: Row>(db: &impl Session, mut rows: &[&M], otherwise: Otherwise) -> Result<()> {
    while !rows.is_empty() {
        let (portion, others) = rows.split_at(portion(rows.len()));
        rows = others;
        let form = match db.backend() {
            DbBackend::Postgres => Form::Postgres(portion.len()),
            _ => Form::Sqlite(portion.len()),
        };
        let text = insertion(form, db.backend(), portion, otherwise)?;
        let values: Vec<Value> = portion.iter().flat_map(|row| row.values()).collect();
        db.run(Statement::from_sql_and_values(db.backend(), &*text, values)).await?;
    }
    Ok(())
}

/// The text that inserts as many rows as there are, value by value.
pub fn insertion<M: Row>(form: Form, backend: DbBackend, rows: &[&M], otherwise: Otherwise) -> Result<Arc<str>> {
    text::<M>(form, otherwise, || {
        let mut insert = M::Table::insert_many(rows.iter().map(|row| (*row).clone().into_active_model()));
        if let Some(otherwise) = otherwise {
            insert = insert.on_conflict(otherwise());
        }
        Ok(insert.build(backend).sql)
    })
}

/// The largest power of two that is neither more than there are nor too much.
fn portion(count: usize) -> usize {
    let most = count.min(MOST_ROWS);
    1 << most.ilog2()
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
