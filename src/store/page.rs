//! Pages by keyset: a page starts after a row, not after a number of rows, so that it costs the same at any depth
//! and is stable while rows are added.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, IntoSimpleExpr, ModelTrait, Order, QueryFilter, QueryOrder, QuerySelect,
    Select, Value,
    sea_query::{Expr, ExprTrait, SimpleExpr, ValueType},
};
use uuid::Uuid;

use super::{Error, Result, Store};
use crate::domain::time;

/// The value that rows are ordered by.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Key {
    #[serde(rename = "s")]
    Text(String),
    #[serde(rename = "t")]
    Time(DateTime<Utc>),
    /// The id itself, which follows the time at which the row was made.
    #[serde(rename = "i")]
    Id(Uuid),
    #[serde(rename = "n")]
    Number(i64),
}

impl Key {
    /// Whether it can stand in a statement: cursors come from outside, and the databases do not take everything.
    fn fits(&self, order: &str) -> bool {
        match self {
            Key::Text(text) => !is_by_time(order) && !is_by_id(order) && !is_by_number(order) && !text.contains('\0'),
            Key::Time(at) => is_by_time(order) && time::is_storable(*at),
            Key::Id(_) => is_by_id(order),
            Key::Number(_) => is_by_number(order),
        }
    }
}

/// The names of orders by time, and only these, end like this.
fn is_by_time(order: &str) -> bool {
    order.ends_with("_at")
}

/// The names of orders by id, and only these, end like this.
fn is_by_id(order: &str) -> bool {
    order.ends_with(".age")
}

/// The names of orders by number, and only these, end like this.
fn is_by_number(order: &str) -> bool {
    order.ends_with(".number")
}

impl From<Key> for SimpleExpr {
    fn from(key: Key) -> Self {
        match key {
            Key::Text(text) => Expr::val(text),
            Key::Time(time) => Expr::val(time),
            Key::Id(id) => Expr::val(id),
            Key::Number(number) => Expr::val(number),
        }
    }
}

/// Where a row stands in an order. Opaque outside.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Cursor {
    /// Which order the cursor belongs to.
    order: String,
    key: Key,
    id: Uuid,
}

impl Cursor {
    pub(super) fn new(order: &str, key: Key, id: Uuid) -> Self {
        Self { order: order.to_owned(), key, id }
    }

    pub fn encode(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        BASE64_URL_SAFE_NO_PAD.encode(json)
    }

    /// Reads a cursor of the given order, or nothing.
    pub fn decode(text: &str, order: &str) -> Option<Self> {
        let json = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let cursor: Self = serde_json::from_slice(&json).ok()?;
        (cursor.order == order && cursor.key.fits(order)).then_some(cursor)
    }
}

/// Which part of a list is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub size: u64,
    /// Whether the last rows are wanted instead of the first.
    pub from_end: bool,
    pub after: Option<Cursor>,
    pub before: Option<Cursor>,
}

impl Page {
    pub fn first(size: u64) -> Self {
        Self { size, from_end: false, after: None, before: None }
    }
}

/// The order of a list: by one column, then by id.
#[derive(Debug, Clone, Copy)]
pub struct OrderBy<C> {
    /// The order's name within cursors.
    pub name: &'static str,
    pub column: C,
    pub id: C,
    pub descending: bool,
}

impl<C> OrderBy<C> {
    /// Whether the id is all that counts.
    fn is_by_id(&self) -> bool {
        is_by_id(self.name)
    }
}

/// A page's rows with their cursors.
#[derive(Debug)]
pub struct Slice<T> {
    pub rows: Vec<(Cursor, T)>,
    pub has_previous: bool,
    pub has_next: bool,
}

impl<T> Slice<T> {
    pub fn map<U>(self, convert: impl Fn(T) -> U) -> Slice<U> {
        let rows = self.rows.into_iter().map(|(cursor, row)| (cursor, convert(row))).collect();
        Slice { rows, has_previous: self.has_previous, has_next: self.has_next }
    }

    pub fn try_map<U, E>(self, convert: impl Fn(T) -> std::result::Result<U, E>) -> std::result::Result<Slice<U>, E> {
        let rows = self
            .rows
            .into_iter()
            .map(|(cursor, row)| Ok((cursor, convert(row)?)))
            .collect::<std::result::Result<_, E>>()?;
        Ok(Slice { rows, has_previous: self.has_previous, has_next: self.has_next })
    }
}

impl Store {
    /// Reads one page of `query`.
    pub(super) async fn page<E: EntityTrait>(
        &self,
        query: Select<E>,
        order: OrderBy<E::Column>,
        page: &Page,
    ) -> Result<Slice<E::Model>> {
        self.page_of(query, order, page, |row| place::<E>(order, row)).await
    }

    /// Reads one page of a `query` that does not select whole rows.
    pub(super) async fn page_of<E: EntityTrait, M: FromQueryResult>(
        &self,
        query: Select<E>,
        order: OrderBy<E::Column>,
        page: &Page,
        place: impl Fn(&M) -> Result<(Key, Uuid)>,
    ) -> Result<Slice<M>> {
        let mut models = cut(query, order, page).into_model::<M>().all(self.read()).await?;
        let more = models.len() as u64 > page.size;
        models.truncate(usize::try_from(page.size).unwrap_or(usize::MAX));
        if page.from_end {
            models.reverse();
        }
        let rows = models.into_iter().map(|model| {
            let (key, id) = place(&model)?;
            Ok((Cursor::new(order.name, key, id), model))
        });
        let (has_previous, has_next) =
            if page.from_end { (more, page.before.is_some()) } else { (page.after.is_some(), more) };
        Ok(Slice { rows: rows.collect::<Result<_>>()?, has_previous, has_next })
    }
}

/// The rows of one page, and one more, which tells whether there is another page.
pub(super) fn cut<E: EntityTrait>(query: Select<E>, order: OrderBy<E::Column>, page: &Page) -> Select<E> {
    let mut query = query;
    if let Some(cursor) = &page.after {
        query = query.filter(beyond(order, cursor, order.descending));
    }
    if let Some(cursor) = &page.before {
        query = query.filter(beyond(order, cursor, !order.descending));
    }
    let direction = if order.descending == page.from_end { Order::Asc } else { Order::Desc };
    let query = if order.is_by_id() {
        query.order_by(order.id, direction)
    } else {
        query.order_by(order.column, direction.clone()).order_by(order.id, direction)
    };
    query.limit(page.size + 1)
}

/// Where a row stands in an order.
fn place<E: EntityTrait>(order: OrderBy<E::Column>, row: &E::Model) -> Result<(Key, Uuid)> {
    let key = match row.get(order.column) {
        Value::String(Some(text)) => Key::Text(text),
        Value::ChronoDateTimeUtc(Some(at)) => Key::Time(at),
        Value::Uuid(Some(id)) => Key::Id(id),
        Value::Int(Some(number)) => Key::Number(number.into()),
        Value::BigInt(Some(number)) => Key::Number(number),
        other => return Err(Error::Unexpected(format!("rows cannot be ordered by {other:?}"))),
    };
    let id = <Uuid as ValueType>::try_from(row.get(order.id)).map_err(|error| Error::Unexpected(error.to_string()))?;
    Ok((key, id))
}

/// A row comparison, which both databases answer from an index on the two columns.
fn beyond<C: ColumnTrait>(order: OrderBy<C>, cursor: &Cursor, descending: bool) -> SimpleExpr {
    if order.is_by_id() {
        let id = order.id.into_simple_expr();
        return if descending { id.lt(cursor.id) } else { id.gt(cursor.id) };
    }
    let row = Expr::tuple([order.column.into_simple_expr(), order.id.into_simple_expr()]);
    let bound = Expr::tuple([cursor.key.clone().into(), Expr::val(cursor.id)]);
    if descending { row.lt(bound) } else { row.gt(bound) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_from_outside_must_fit_its_order() {
        let encode = |order: &str, key: Key| Cursor::new(order, key, Uuid::nil()).encode();
        let time = |text: &str| Key::Time(text.parse().expect("a time"));
        let known = |order: &str, key: Key| Cursor::decode(&encode(order, key), order).is_some();
        assert!(known("user.email", Key::Text("ada".to_owned())));
        assert!(known("user.created_at", time("2024-01-01T00:00:00Z")));
        assert!(!known("user.email", time("2024-01-01T00:00:00Z")));
        assert!(!known("user.created_at", Key::Text("ada".to_owned())));
        assert!(!known("user.email", Key::Text("a\0".to_owned())));
        assert!(known("workflow_version.number", Key::Number(1)));
        assert!(!known("workflow_version.number", Key::Text("1".to_owned())));
        assert!(!known("user.email", Key::Number(1)));
        assert!(!known("user.created_at", time("-200000-01-01T00:00:00Z")));
    }
}
