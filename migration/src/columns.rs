//! What the tables of every migration have in common.

use sea_orm_migration::{
    prelude::*,
    schema::{string, timestamp_with_time_zone},
};

pub const ACTOR_KINDS: [&str; 3] = ["USER", "API_TOKEN", "SYSTEM"];

pub fn time(name: &'static str) -> ColumnDef {
    timestamp_with_time_zone(name)
}

pub fn time_null(name: &'static str) -> ColumnDef {
    let mut column = ColumnDef::new(name);
    column.timestamp_with_time_zone().null();
    column
}

/// A column that holds one of a few words.
pub fn word(name: &'static str, words: impl IntoIterator<Item = &'static str>) -> ColumnDef {
    let mut column = string(name);
    column.check(Expr::col(name).is_in(words));
    column
}

/// A column that names a row of `table` and goes with it.
pub fn owned_by(table: &'static str, column: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from_col(column).to(table, "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}

pub fn index(name: &'static str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(table);
    for column in columns {
        index.col(*column);
    }
    index
}
