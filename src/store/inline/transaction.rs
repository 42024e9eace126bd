//! A write of several statements.

use sea_orm::{DbBackend, Statement};

use super::{
    Fields, Turn,
    values::{Models, Pairs, Tuples},
};
use crate::store::{
    Result,
    bulk::{self, Form, Otherwise, Row},
    session::{Session, Table},
};

/// An open transaction. Dropping it undoes everything.
pub struct Transaction {
    turn: Turn,
    open: bool,
}

impl Transaction {
    pub fn begin(turn: Turn) -> Result<Self> {
        // At once the writer, so that nothing fails when it turns from reading to writing.
        turn.run_text("BEGIN IMMEDIATE")?;
        Ok(Self { turn, open: true })
    }

    /// Waits for the disk.
    pub fn commit(mut self) -> Result<()> {
        self.turn.run_text("COMMIT")?;
        self.open = false;
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.open {
            let undone = self.turn.run_text("ROLLBACK");
            if let Err(error) = undone {
                // SQLite itself has undone it, as after an error of the disk.
                tracing::debug!(%error, "a transaction was over before it was undone");
            }
        }
    }
}

impl Session for Transaction {
    fn backend(&self) -> DbBackend {
        DbBackend::Sqlite
    }

    async fn run(&self, statement: Statement) -> Result<u64> {
        Ok(self.turn.run(&statement)?)
    }

    async fn insert<M: Row>(&self, rows: &[&M], otherwise: Otherwise) -> Result<()> {
        // One row after the other: nothing is sent anywhere, and a short text is found sooner than a long one.
        let first = rows.get(..1).unwrap_or_default();
        let text = bulk::insertion(Form::Sqlite(1), DbBackend::Sqlite, first, otherwise)?;
        Ok(self.turn.run_for_each(&text, rows.iter().map(|row| row.values()))?)
    }

    async fn models<E: Table>(&self, statement: Statement) -> Result<Vec<E::Model>> {
        Ok(self.turn.rows(&statement, &Models::<E>::default())?)
    }

    async fn pairs<E: Table, F: Table>(&self, statement: Statement) -> Result<Vec<(E::Model, F::Model)>> {
        Ok(self.turn.rows(&statement, &Pairs::<E, F>::default())?)
    }

    async fn tuples<T: Fields>(&self, statement: Statement) -> Result<Vec<T>> {
        Ok(self.turn.rows(&statement, &Tuples::default())?)
    }
}
