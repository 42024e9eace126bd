//! Fortnights that are over, added up.
//!
//! While a fortnight lasts, nobody writes rows of it, so that an append costs no more than without them. Afterwards they
//! are added up once from the rows of its days and quarters, and a row of its own says so. From then on whatever is
//! added to these is added to the fortnight as well, see `write`.
//!
//! Nobody has to wait while these rows are read: what is added meanwhile shows in their weight, and then they are read
//! again.

use std::collections::BTreeSet;

use entity::rollup::{Column, Entity};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::Expr,
};
use uuid::Uuid;

use super::{ADDED_UP, Fortnight, Key, Resolution, Rollups, write};
use crate::{
    domain::{
        access::Scope,
        analytics::{Amounts, Covered, Measure, Slot},
    },
    store::{Result, Store},
};

/// What a fortnight comes to, as its days and quarters were when they were read.
#[derive(Debug)]
pub struct Sums {
    fortnight: Fortnight,
    rows: Rollups,
    weight: Option<i64>,
}

/// What became of sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Kept,
    /// Another server has added up the same fortnight meanwhile.
    KeptByAnother,
    /// Something has been added to the fortnight since.
    OutOfDate,
}

impl Store {
    /// Adds up the fortnights that end by then and are not added up yet, and says how many these were.
    pub async fn add_up_fortnights(&self, until: Slot) -> Result<usize> {
        let mut count = 0;
        for fortnight in self.fortnights_to_add_up(until).await? {
            count += usize::from(self.add_up(fortnight).await?);
        }
        Ok(count)
    }

    /// Those in which something has happened, of all workspaces.
    pub async fn fortnights_to_add_up(&self, until: Slot) -> Result<Vec<Fortnight>> {
        let mut found = Vec::new();
        let workspaces = entity::workspace::Entity::find().select_only().column(entity::workspace::Column::Id);
        for workspace in workspaces.into_tuple::<Uuid>().all(&self.0.background).await? {
            let begins = self.not_added_up(workspace, until).await?;
            found.extend(begins.into_iter().map(|begin| (workspace, begin)));
        }
        Ok(found)
    }

    async fn not_added_up(&self, workspace: Uuid, until: Slot) -> Result<BTreeSet<Slot>> {
        let begins = async |query: Select<Entity>| -> Result<BTreeSet<Slot>> {
            let query = query.filter(Column::WorkspaceId.eq(workspace)).filter(Column::Slot.lt(until.fortnight().0));
            let slots = query.select_only().column(Column::Slot).distinct().into_tuple::<i32>();
            Ok(slots.all(&self.0.background).await?.into_iter().map(|slot| Slot(slot).fortnight()).collect())
        };
        let happened = begins(Entity::find().filter(Column::Resolution.eq(Resolution::Day.as_str()))).await?;
        let added_up = begins(added_up()).await?;
        Ok(happened.difference(&added_up).copied().collect())
    }

    /// Says whether nobody else has done it meanwhile.
    async fn add_up(&self, fortnight: Fortnight) -> Result<bool> {
        loop {
            let sums = self.sums_of_fortnight(fortnight).await?;
            match self.keep_sums(sums).await? {
                Outcome::Kept => return Ok(true),
                Outcome::KeptByAnother => return Ok(false),
                Outcome::OutOfDate => {}
            }
        }
    }

    /// Adds up a fortnight as it is now, and writes nothing.
    pub async fn sums_of_fortnight(&self, fortnight: Fortnight) -> Result<Sums> {
        let db = self.snapshot().await?;
        let (workspace, begin) = fortnight;
        let whole = begin.whole_fortnight();
        let weight = weight(&db, fortnight).await?;
        let mut rows = Rollups::default();
        let mut add = |some: Vec<entity::rollup::Model>| {
            let some = Rollups(some.into_iter().map(write::read_row).collect());
            rows.merge(some.fortnights(&BTreeSet::from([fortnight])));
        };
        let (of_all, of_some) = (Measure::ALL.iter().copied(), Measure::ALL.iter().copied());
        let sums = [Resolution::Day, Resolution::QuarterTotal];
        add(parts(workspace, whole, &sums, of_all).all(&db).await?);
        // Of quarters there may be very many, so no more than those of one day are in memory.
        for day in whole.days() {
            let filtered = of_some.clone().filter(|measure| measure.has_filtered_series());
            add(parts(workspace, day, &[Resolution::Quarter], filtered).all(&db).await?);
        }
        db.rollback().await?;
        rows.0.insert(Key::added_up(fortnight), Amounts::default());
        Ok(Sums { fortnight, rows, weight })
    }

    /// Writes what a fortnight came to, unless it has become more since.
    pub async fn keep_sums(&self, Sums { fortnight, rows, weight: before }: Sums) -> Result<Outcome> {
        let (_turn, db) = self.begin_append().await?;
        if !write::find(&db, &[Key::added_up(fortnight)]).await?.0.is_empty() {
            return Ok(Outcome::KeptByAnother);
        }
        if weight(&db, fortnight).await? != before {
            return Ok(Outcome::OutOfDate);
        }
        write::put(&db, rows).await?;
        db.commit().await?;
        Ok(Outcome::Kept)
    }

    /// Where those fortnights begin that are added up and that a range has a part of, in their order. A range that has
    /// most of none is better off with days.
    pub async fn added_up(&self, scope: Scope, covered: Covered) -> Result<Vec<Slot>> {
        if !covered.may_have_fortnights() {
            return Ok(Vec::new());
        }
        let query = added_up()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::Slot.gte(covered.from.fortnight().0))
            .filter(Column::Slot.lt(covered.until.0))
            .order_by_asc(Column::Slot);
        let slots = self.find_columns::<i32, _>(query.select_only().column(Column::Slot)).await?;
        Ok(slots.into_iter().map(Slot).collect())
    }
}

/// The rows that say that fortnights are added up.
fn added_up() -> Select<Entity> {
    let fortnights = Entity::find().filter(Column::Resolution.eq(Resolution::Fortnight.as_str()));
    fortnights.filter(Column::Measure.eq(ADDED_UP))
}

/// Some rows of a fortnight. Measures are named because the key has these before the time.
fn parts(
    workspace: Uuid,
    Covered { from, until }: Covered,
    resolutions: &[Resolution],
    measures: impl Iterator<Item = Measure>,
) -> Select<Entity> {
    Entity::find()
        .filter(Column::WorkspaceId.eq(workspace))
        .filter(Column::Resolution.is_in(resolutions.iter().map(|resolution| resolution.as_str())))
        .filter(Column::Measure.is_in(measures.map(Measure::as_str)))
        .filter(Column::Slot.gte(from.0))
        .filter(Column::Slot.lt(until.0))
}

/// How much a fortnight's days count. It changes with whatever is added to them.
async fn weight(db: &impl ConnectionTrait, (workspace, begin): Fortnight) -> Result<Option<i64>> {
    let sum = Expr::cust("CAST(SUM(rollup.count) AS bigint)");
    let days = parts(workspace, begin.whole_fortnight(), &[Resolution::Day], Measure::ALL.iter().copied());
    let query = days.select_only().expr(sum);
    let row = db.query_one_raw(query.build(db.get_database_backend())).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.flatten())
}
