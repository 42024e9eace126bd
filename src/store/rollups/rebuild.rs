//! Counting what is in the journal and not in the rollups yet, and all of it anew.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, IsolationLevel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, TransactionOptions, TransactionTrait,
    sea_query::{Expr, ExprTrait, Query},
};
use uuid::Uuid;

use super::{Rollups, write};
use crate::{
    domain::{
        analytics::facts,
        execution::{Event, State},
    },
    store::{
        Error, Result, Store, grouped,
        journal::{self, Entry},
    },
};

/// How many executions are counted at once: the more, the seldomer a row is written; but writers wait for these.
const BATCH: u64 = 500;
/// Of how many the events are in memory at the same time.
const HISTORIES: usize = 100;

/// The rollups as they were at one position of the journal.
#[derive(Debug)]
pub struct Kept {
    rollups: Rollups,
    position: i64,
    /// The number of each execution's event up to which nothing is counted yet.
    backlog: HashMap<Uuid, u64>,
}

impl Kept {
    /// Adds to `derived` what should be in these rollups of an execution with this history.
    pub fn derive(&self, history: &[Entry], derived: &mut Rollups) {
        let Some(first) = history.first() else { return };
        let uncounted = self.backlog.get(&first.execution.0).copied().unwrap_or(0);
        let by_then: Vec<&Entry> = history.iter().filter(|entry| entry.position <= self.position).collect();
        let begun = by_then.partition_point(|entry| entry.seq.is_some_and(|seq| seq <= uncounted));
        let (before, counted) = by_then.split_at(begun);
        let before = State::fold(known(before.iter().copied()));
        derived.add(first.workspace, &facts(before.as_ref(), known(counted.iter().copied())));
    }

    /// Where these rollups differ from all that is derived, in words.
    pub fn differences(&self, mut derived: Rollups) -> Vec<String> {
        let fortnights = derived.fortnights(&self.rollups.added_up());
        derived.0.extend(fortnights.0);
        self.rollups.differences(&derived)
    }
}

/// The events up to the first one that a newer version of the server wrote.
fn known<'a>(
    entries: impl Iterator<Item = &'a Entry>,
) -> impl Iterator<Item = (chrono::DateTime<chrono::Utc>, &'a Event)> {
    entries.map_while(|entry| Some((entry.at, entry.event.as_ref().ok()?)))
}

impl Store {
    /// All rollups, and what they are of.
    pub async fn rollups(&self) -> Result<Kept> {
        let db = self.snapshot().await?;
        let position = journal::latest_position(&db).await?;
        let backlog = entity::rollup_backlog::Entity::find().all(&db).await?;
        let backlog = backlog.into_iter().map(|row| (row.execution_id, row.seq.unsigned_abs())).collect();
        let rollups = write::read_all(&db).await?;
        db.rollback().await?;
        Ok(Kept { rollups, position, backlog })
    }

    /// A transaction that sees one state, whatever is written meanwhile.
    pub(super) async fn snapshot(&self) -> Result<DatabaseTransaction> {
        // On SQLite every transaction does.
        let isolation_level = (self.0.backend == DbBackend::Postgres).then_some(IsolationLevel::RepeatableRead);
        let options = TransactionOptions { isolation_level, ..Default::default() };
        Ok(self.0.background.begin_with_options(options).await?)
    }

    /// Whether all of the journal is counted.
    pub async fn is_rolled_up(&self) -> Result<bool> {
        let one = entity::rollup_backlog::Entity::find().limit(1);
        Ok(one.count(self.read()).await? == 0)
    }

    /// Counts some of the executions that are not counted yet, and says how many these were.
    pub async fn roll_up(&self) -> Result<usize> {
        use entity::rollup_backlog::{Column, Entity};
        let some = Entity::find().order_by_asc(Column::ExecutionId).limit(BATCH);
        loop {
            let backlog = some.clone().all(&self.0.background).await?;
            if backlog.is_empty() {
                return Ok(0);
            }
            // What is behind does not change, so nobody has to wait while it is read.
            let added = self.count_up_to(&backlog).await?;
            let (_turn, db) = self.begin_append().await?;
            if some.clone().all(&db).await? != backlog {
                // Another server has counted, or is to count anew.
                continue;
            }
            write::add(&db, added).await?;
            let counted = backlog.iter().map(|row| row.execution_id);
            Entity::delete_many().filter(Column::ExecutionId.is_in(counted)).exec(&db).await?;
            db.commit().await?;
            return Ok(backlog.len());
        }
    }

    /// What the events of these executions tell, as far as they are not counted yet.
    async fn count_up_to(&self, backlog: &[entity::rollup_backlog::Model]) -> Result<Rollups> {
        let mut added = Rollups::default();
        for some in backlog.chunks(HISTORIES) {
            let ids: Vec<Uuid> = some.iter().map(|row| row.execution_id).collect();
            let mut histories = histories(&self.0.background, &ids).await?;
            for row in some {
                let history = histories.remove(&row.execution_id).unwrap_or_default();
                let Some(first) = history.first() else { continue };
                let up_to =
                    history.iter().take_while(|entry| entry.seq.is_some_and(|seq| seq <= row.seq.unsigned_abs()));
                added.add(first.workspace, &facts(None, known(up_to)));
            }
        }
        Ok(added)
    }

    /// Forgets all rollups: everything is to be counted anew.
    pub async fn forget_rollups(&self) -> Result<()> {
        use entity::{journal, rollup, rollup_backlog};
        let (_turn, db) = self.begin_append().await?;
        rollup::Entity::delete_many().exec(&db).await?;
        rollup_backlog::Entity::delete_many().exec(&db).await?;
        let last = Query::select()
            .column(journal::Column::ExecutionId)
            .expr(Expr::col(journal::Column::Seq).max())
            .from(journal::Entity)
            .and_where(journal::Column::Seq.is_not_null())
            .group_by_col(journal::Column::ExecutionId)
            .to_owned();
        let mut all = Query::insert();
        all.into_table(rollup_backlog::Entity)
            .columns([rollup_backlog::Column::ExecutionId, rollup_backlog::Column::Seq])
            .select_from(last)
            .map_err(|error| Error::Unexpected(error.to_string()))?;
        db.execute(&all).await?;
        Ok(db.commit().await?)
    }
}

/// The numbered events of executions of any workspace, each list in order.
async fn histories(db: &impl ConnectionTrait, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<Entry>>> {
    use entity::journal::{Column, Entity};
    let query = Entity::find()
        .filter(Column::ExecutionId.is_in(ids.iter().copied()))
        .filter(Column::Seq.is_not_null())
        .order_by_asc(Column::ExecutionId)
        .order_by_asc(Column::Seq);
    let entries = query.all(db).await?.into_iter().flat_map(journal::entries);
    Ok(grouped(entries.map(|entry| (entry.execution.0, entry))))
}
