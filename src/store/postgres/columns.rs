//! Rows of one or more tables in one statement that PostgreSQL has seen before.
//!
//! Rows go as one list for each column, so that the text depends on nothing but the tables. What goes to several tables
//! is one statement, too: `WITH one AS (INSERT …), another AS (INSERT …) INSERT …`. None of them sees what the others
//! insert, and keys are looked for at the end of it.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use sea_orm::{
    ColumnTrait, ColumnType, EntityTrait, Iterable, Value,
    sea_query::{Expr, Func, PostgresQueryBuilder, Query},
    sqlx::{Arguments, postgres::PgArguments},
};
use uuid::Uuid;

use crate::store::{
    Error, Result,
    bulk::{Otherwise, Row},
};

/// Rows of one table, by column.
pub struct Insertion {
    table: TypeId,
    otherwise: Otherwise,
    lists: Vec<List>,
    /// Its text, when so many lists come before its own.
    write: fn(Otherwise, usize) -> Result<String>,
}

impl Insertion {
    pub fn of<M: Row>(rows: &[&M], otherwise: Otherwise) -> Result<Self> {
        let columns = <M::Table as EntityTrait>::Column::iter();
        let lists =
            columns.map(|column| List::of(column.def().get_column_type(), rows.iter().map(|row| row.get(column))));
        let lists = lists.collect::<Result<_>>()?;
        Ok(Self { table: TypeId::of::<M::Table>(), otherwise, lists, write: write::<M::Table> })
    }
}

/// The texts by tables, and by whether their rows may be there already.
static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

type Texts = HashMap<Vec<(TypeId, bool)>, Arc<str>>;

/// The statement that makes some insertions, of which there is at least one.
pub fn text(insertions: &[Insertion]) -> Result<Arc<str>> {
    let texts = || TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let key = insertions.iter().map(|one| (one.table, one.otherwise.is_some())).collect();
    let known = texts().get(&key).cloned();
    if let Some(text) = known {
        return Ok(text);
    }
    let mut parts = Vec::new();
    let mut before = 0;
    for insertion in insertions {
        parts.push((insertion.write)(insertion.otherwise, before)?);
        before += insertion.lists.len();
    }
    let last = parts.pop().unwrap_or_default();
    let others: Vec<String> = (0..).zip(parts).map(|(number, part)| format!("part{number} AS ({part})")).collect();
    let text = if others.is_empty() { last } else { format!("WITH {} {last}", others.join(", ")) };
    let text: Arc<str> = text.into();
    texts().insert(key, Arc::clone(&text));
    Ok(text)
}

/// What goes with the text of the same insertions.
pub fn values(insertions: Vec<Insertion>) -> Result<PgArguments> {
    let mut values = PgArguments::default();
    for list in insertions.into_iter().flat_map(|insertion| insertion.lists) {
        list.add_to(&mut values)?;
    }
    Ok(values)
}

/// Inserts what lists of the columns' values add up to, row by row.
fn write<E: EntityTrait>(otherwise: Otherwise, before: usize) -> Result<String> {
    let mut rows = Query::select();
    for (number, column) in (before + 1..).zip(E::Column::iter()) {
        let kind = list_type(column.def().get_column_type())?;
        rows.expr(Func::cust("unnest").arg(Expr::cust(format!("${number}::{kind}[]"))));
    }
    let mut insert = Query::insert();
    insert.into_table(E::default()).columns(E::Column::iter());
    insert.select_from(rows.to_owned()).map_err(|error| Error::Unexpected(error.to_string()))?;
    if let Some(otherwise) = otherwise {
        insert.on_conflict(otherwise());
    }
    Ok(insert.to_string(PostgresQueryBuilder))
}

/// What PostgreSQL calls a column's type.
fn list_type(kind: &ColumnType) -> Result<&'static str> {
    Ok(match kind {
        ColumnType::Uuid => "uuid",
        ColumnType::Boolean => "boolean",
        ColumnType::Integer => "integer",
        ColumnType::BigInteger => "bigint",
        ColumnType::Double => "double precision",
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => "bytea",
        ColumnType::Char(_) | ColumnType::String(_) | ColumnType::Text => "text",
        other => return Err(Error::Unexpected(format!("a column of type {other:?} is never written in bulk"))),
    })
}

/// The values of one column.
enum List {
    Uuids(Vec<Option<Uuid>>),
    Bools(Vec<Option<bool>>),
    Ints(Vec<Option<i32>>),
    BigInts(Vec<Option<i64>>),
    Doubles(Vec<Option<f64>>),
    Bytes(Vec<Option<Vec<u8>>>),
    Texts(Vec<Option<String>>),
}

impl List {
    fn of(kind: &ColumnType, values: impl Iterator<Item = Value>) -> Result<Self> {
        macro_rules! list {
            ($list:path, $value:path) => {
                $list(
                    values
                        .map(|value| match value {
                            $value(value) => Ok(value),
                            other => Err(Error::Unexpected(format!("{other:?} in a column of type {kind:?}"))),
                        })
                        .collect::<Result<_>>()?,
                )
            };
        }
        Ok(match kind {
            ColumnType::Uuid => list!(List::Uuids, Value::Uuid),
            ColumnType::Boolean => list!(List::Bools, Value::Bool),
            ColumnType::Integer => list!(List::Ints, Value::Int),
            ColumnType::BigInteger => list!(List::BigInts, Value::BigInt),
            ColumnType::Double => list!(List::Doubles, Value::Double),
            ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => list!(List::Bytes, Value::Bytes),
            _ => list!(List::Texts, Value::String),
        })
    }

    fn add_to(self, values: &mut PgArguments) -> Result<()> {
        let added = match self {
            List::Uuids(list) => values.add(list),
            List::Bools(list) => values.add(list),
            List::Ints(list) => values.add(list),
            List::BigInts(list) => values.add(list),
            List::Doubles(list) => values.add(list),
            List::Bytes(list) => values.add(list),
            List::Texts(list) => values.add(list),
        };
        added.map_err(|error| Error::Unexpected(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use entity::{audience, rule_evidence};

    use super::*;
    use crate::store::bulk;

    fn audiences(names: &[&str], otherwise: Otherwise) -> Insertion {
        let row = |name: &&str| audience::Model {
            workspace_id: Uuid::nil(),
            name: (*name).to_owned(),
            members: String::new(),
            barred: String::new(),
        };
        let rows: Vec<audience::Model> = names.iter().map(row).collect();
        Insertion::of(&rows.iter().collect::<Vec<_>>(), otherwise).expect("lists")
    }

    fn evidence() -> Insertion {
        Insertion::of::<rule_evidence::Model>(&[], None).expect("lists")
    }

    #[test]
    fn one_table_is_a_plain_insertion() {
        insta::assert_snapshot!(text(&[audiences(&["a", "b"], None)]).expect("a text"), @r#"INSERT INTO "audience" ("workspace_id", "name", "members", "barred") SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[])"#);
    }

    #[test]
    fn several_tables_are_one_statement_whose_lists_go_on_counting() {
        let replace = || bulk::replacing::<audience::Entity>(&[audience::Column::WorkspaceId, audience::Column::Name]);
        let both = [evidence(), audiences(&["a"], Some(replace))];
        insta::assert_snapshot!(text(&both).expect("a text"), @r#"WITH part0 AS (INSERT INTO "rule_evidence" ("checkpoint_id", "rule", "workspace_id", "execution_id", "fingerprint", "agreed", "at") SELECT unnest($1::uuid[]), unnest($2::text[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::text[]), unnest($6::boolean[]), unnest($7::bigint[])) INSERT INTO "audience" ("workspace_id", "name", "members", "barred") SELECT unnest($8::uuid[]), unnest($9::text[]), unnest($10::text[]), unnest($11::text[]) ON CONFLICT ("workspace_id", "name") DO UPDATE SET "members" = "excluded"."members", "barred" = "excluded"."barred""#);
        let lists = both.iter().map(|one| one.lists.len()).sum::<usize>();
        assert_eq!(values(both.into()).expect("values").len(), lists);
    }

    #[test]
    fn a_text_is_known_by_its_tables_alone() {
        let same = |one: Insertion, other: Insertion| {
            let [one, other] = [one, other].map(|insertion| text(&[insertion]).expect("a text"));
            Arc::ptr_eq(&one, &other)
        };
        assert!(same(audiences(&["a"], None), audiences(&["b", "c"], None)));
        let leave = || bulk::replacing::<audience::Entity>(&[audience::Column::Name]);
        assert!(!same(audiences(&["a"], None), audiences(&["a"], Some(leave))));
    }
}
