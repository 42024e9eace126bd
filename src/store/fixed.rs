//! Statements that are asked again and again: their text is built once, and from then on only values are sent.
//!
//! To build a text takes about as long as SQLite takes to answer.

use std::sync::{Arc, Mutex, PoisonError};

use sea_orm::{DbBackend, Statement, Value};

/// One statement. Its text depends on nothing but the database and the number of its values.
pub struct Fixed(Mutex<Vec<(DbBackend, usize, Arc<str>)>>);

impl Fixed {
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The statement with these values, which are those of what `build` gives, in their order.
    pub fn statement(&self, backend: DbBackend, values: Vec<Value>, build: impl Fn() -> Statement) -> Statement {
        debug_assert_eq!(build().values.map(|values| values.0), Some(values.clone()), "the values of {}", build().sql);
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = texts.iter().find(|(of, count, _)| *of == backend && *count == values.len());
        let text = match known {
            Some((_, _, text)) => Arc::clone(text),
            None => {
                let text: Arc<str> = build().sql.into();
                texts.push((backend, values.len(), Arc::clone(&text)));
                text
            }
        };
        drop(texts);
        Statement::from_sql_and_values(backend, &*text, values)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_text_is_built_once_for_each_database_and_number_of_values() {
        let (fixed, built) = (Fixed::new(), Cell::new(0));
        let ask = |backend: DbBackend, ids: &[i64]| {
            let values: Vec<Value> = ids.iter().map(|id| (*id).into()).collect();
            let before = built.get();
            let statement = fixed.statement(backend, values.clone(), || {
                built.set(built.get() + 1);
                Statement::from_sql_and_values(backend, format!("{backend:?} {}", values.len()), values.clone())
            });
            assert_eq!(statement.values.map(|values| values.0), Some(values));
            // Builds that only compare values are always made here.
            (statement.sql, built.get() - before)
        };
        let compared = ask(DbBackend::Sqlite, &[1, 2]).1 - 1;
        assert_eq!(ask(DbBackend::Sqlite, &[3, 4]), ("Sqlite 2".to_owned(), compared));
        assert_eq!(ask(DbBackend::Sqlite, &[3]), ("Sqlite 1".to_owned(), compared + 1));
        assert_eq!(ask(DbBackend::Postgres, &[3]), ("Postgres 1".to_owned(), compared + 1));
        assert_eq!(ask(DbBackend::Sqlite, &[5]), ("Sqlite 1".to_owned(), compared));
    }
}
