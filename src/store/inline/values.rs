//! Values between SQLite and Rust, in the form in which sqlx keeps them, too.

use chrono::{DateTime, SecondsFormat, Utc};
use rusqlite::{
    Row, ToSql,
    types::{ToSqlOutput, Value as Owned, ValueRef},
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ColumnType, DbErr, Iterable, QueryResult, TryGetable, TryGetableMany, TryIntoModel,
    Value, sea_query::ValueType,
};
use uuid::Uuid;

use crate::store::session::Table;

/// A value of a statement.
pub struct Bound<'a>(pub &'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        fn kept<'a, T>(value: Option<T>, form: impl FnOnce(T) -> ToSqlOutput<'a>) -> ToSqlOutput<'a> {
            value.map_or(ToSqlOutput::Borrowed(ValueRef::Null), form)
        }
        let integer = |value: i64| ToSqlOutput::Owned(Owned::Integer(value));
        let text = |value: String| ToSqlOutput::Owned(Owned::Text(value));
        Ok(match self.0 {
            Value::Bool(value) => kept(value.map(i64::from), integer),
            Value::Int(value) => kept(value.map(i64::from), integer),
            Value::BigInt(value) => kept(*value, integer),
            // A limit.
            Value::BigUnsigned(value) => kept(value.and_then(|value| value.try_into().ok()), integer),
            Value::Double(value) => kept(*value, |value| ToSqlOutput::Owned(Owned::Real(value))),
            Value::String(value) => {
                kept(value.as_ref(), |value| ToSqlOutput::Borrowed(ValueRef::Text(value.as_bytes())))
            }
            Value::Bytes(value) => kept(value.as_ref(), |value| ToSqlOutput::Borrowed(ValueRef::Blob(value))),
            Value::Uuid(value) => kept(value.as_ref(), |value| ToSqlOutput::Borrowed(ValueRef::Blob(value.as_bytes()))),
            Value::Json(value) => kept(value.as_ref(), |value| text(value.to_string())),
            Value::ChronoDateTimeUtc(value) => {
                kept(value.as_ref(), |value| text(value.to_rfc3339_opts(SecondsFormat::AutoSi, false)))
            }
            other => {
                let unknown = format!("a value such as {other:?} is never kept in SQLite");
                return Err(rusqlite::Error::ToSqlConversionFailure(unknown.into()));
            }
        })
    }
}

/// Reads the rows of one statement.
pub trait Reads {
    type Row;

    fn read(&self, row: &Row<'_>) -> Result<Self::Row, DbErr>;
}

/// Rows of a table, all of whose columns are there in their order.
pub struct Models<E: Table>(Vec<(E::Column, ColumnType)>);

impl<E: Table> Default for Models<E> {
    fn default() -> Self {
        Self(E::Column::iter().map(|column| (column, column.def().get_column_type().clone())).collect())
    }
}

impl<E: Table> Models<E> {
    /// A row whose columns begin after some others.
    fn read_after(&self, others: usize, row: &Row<'_>) -> Result<E::Model, DbErr> {
        let mut model = <E::Fill as ActiveModelTrait>::default();
        for (number, (column, kind)) in self.0.iter().enumerate() {
            model.try_set(*column, value(row, others + number, kind)?)?;
        }
        model.try_into_model()
    }
}

impl<E: Table> Reads for Models<E> {
    type Row = E::Model;

    fn read(&self, row: &Row<'_>) -> Result<E::Model, DbErr> {
        self.read_after(0, row)
    }
}

/// Rows of two tables that belong together.
pub struct Pairs<E: Table, F: Table>(Models<E>, Models<F>);

impl<E: Table, F: Table> Default for Pairs<E, F> {
    fn default() -> Self {
        Self(Models::default(), Models::default())
    }
}

impl<E: Table, F: Table> Reads for Pairs<E, F> {
    type Row = (E::Model, F::Model);

    fn read(&self, row: &Row<'_>) -> Result<Self::Row, DbErr> {
        Ok((self.0.read(row)?, self.1.read_after(self.0.0.len(), row)?))
    }
}

/// Some columns in the order of the selection.
pub struct Tuples<T>(std::marker::PhantomData<T>);

impl<T> Default for Tuples<T> {
    fn default() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<T: Fields> Reads for Tuples<T> {
    type Row = T;

    fn read(&self, row: &Row<'_>) -> Result<T, DbErr> {
        T::from_row(row)
    }
}

/// A row on either kind of connection, whose columns are told by their position.
pub trait Columns {
    fn column<T: ValueType + TryGetable>(&self, number: usize) -> Result<T, DbErr>;
}

impl Columns for QueryResult {
    fn column<T: ValueType + TryGetable>(&self, number: usize) -> Result<T, DbErr> {
        self.try_get_by_index(number)
    }
}

impl Columns for Row<'_> {
    fn column<T: ValueType + TryGetable>(&self, number: usize) -> Result<T, DbErr> {
        field(self, number)
    }
}

/// What a row of many columns becomes.
pub trait FromColumns: Sized + Send + 'static {
    fn from_columns(row: &impl Columns) -> Result<Self, DbErr>;
}

/// Some columns, whatever is made of them.
pub struct Whole<T>(std::marker::PhantomData<T>);

impl<T> Default for Whole<T> {
    fn default() -> Self {
        Self(std::marker::PhantomData)
    }
}

impl<T: FromColumns> Reads for Whole<T> {
    type Row = T;

    fn read(&self, row: &Row<'_>) -> Result<T, DbErr> {
        T::from_columns(row)
    }
}

/// What a row of a few columns becomes, on either kind of connection.
pub trait Fields: TryGetableMany + Send {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr>;
}

fn field<T: ValueType>(row: &Row<'_>, number: usize) -> Result<T, DbErr> {
    let value = value(row, number, &T::column_type())?;
    T::try_from(value).map_err(|_| DbErr::Type(format!("the column {number} of a result is no {}", T::type_name())))
}

impl Fields for i32 {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        field(row, 0)
    }
}

impl Fields for i64 {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        field(row, 0)
    }
}

impl Fields for Uuid {
    fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
        field(row, 0)
    }
}

macro_rules! fields {
    ($($name:ident $number:literal),*) => {
        impl<$($name: ValueType + TryGetable + Send),*> Fields for ($($name),*) {
            fn from_row(row: &Row<'_>) -> Result<Self, DbErr> {
                Ok(($(field::<$name>(row, $number)?),*))
            }
        }
    };
}

fields!(A 0, B 1);
fields!(A 0, B 1, C 2);
fields!(A 0, B 1, C 2, D 3);
fields!(A 0, B 1, C 2, D 3, E 4, F 5);
fields!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
fields!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

fn value(row: &Row<'_>, number: usize, kind: &ColumnType) -> Result<Value, DbErr> {
    let kept = row.get_ref(number).map_err(|error| DbErr::Type(error.to_string()))?;
    if kept == ValueRef::Null {
        return null(kind);
    }
    read(kept, kind).ok_or_else(|| {
        let (name, found) = (row.as_ref().column_name(number).unwrap_or_default(), kept.data_type());
        DbErr::Type(format!("the column {name} has a value of type {found} that is no {kind:?}"))
    })
}

fn read(kept: ValueRef<'_>, kind: &ColumnType) -> Option<Value> {
    Some(match kind {
        ColumnType::Uuid => Uuid::from_slice(kept.as_blob().ok()?).ok()?.into(),
        ColumnType::Boolean => (kept.as_i64().ok()? != 0).into(),
        ColumnType::Integer => Value::Int(Some(kept.as_i64().ok()?.try_into().ok()?)),
        ColumnType::BigInteger => kept.as_i64().ok()?.into(),
        ColumnType::Double => kept.as_f64().ok()?.into(),
        ColumnType::String(_) | ColumnType::Text => kept.as_str().ok()?.into(),
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => kept.as_blob().ok()?.to_vec().into(),
        ColumnType::Json | ColumnType::JsonBinary => {
            serde_json::from_str::<serde_json::Value>(kept.as_str().ok()?).ok()?.into()
        }
        ColumnType::TimestampWithTimeZone => {
            DateTime::parse_from_rfc3339(kept.as_str().ok()?).ok()?.with_timezone(&Utc).into()
        }
        _ => return None,
    })
}

fn null(kind: &ColumnType) -> Result<Value, DbErr> {
    Ok(match kind {
        ColumnType::Uuid => Value::Uuid(None),
        ColumnType::Boolean => Value::Bool(None),
        ColumnType::Integer => Value::Int(None),
        ColumnType::BigInteger => Value::BigInt(None),
        ColumnType::Double => Value::Double(None),
        ColumnType::String(_) | ColumnType::Text => Value::String(None),
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => Value::Bytes(None),
        ColumnType::Json | ColumnType::JsonBinary => Value::Json(None),
        ColumnType::TimestampWithTimeZone => Value::ChronoDateTimeUtc(None),
        other => return Err(DbErr::Type(format!("no column is a {other:?}"))),
    })
}
