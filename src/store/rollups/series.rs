//! Answering from rollups what happened over time.

use std::collections::BTreeMap;

use entity::rollup::{Column, Entity};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr,
    sea_query::{Expr, Query},
};
use uuid::Uuid;

use super::{
    Resolution, Selection,
    read::{Piece, by_piece, number, of, usage},
    write::{read_durations, unsigned},
};
use crate::{
    domain::{
        access::Scope,
        analytics::{Amounts, Balance, Bucket, Measure, Slot, quarters},
        execution::Usage,
    },
    store::{
        Result, Store,
        inline::{Columns, FromColumns},
    },
};

/// What was counted of one kind in one bucket.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its position among the buckets that were asked for.
    pub bucket: usize,
    pub word: String,
    pub count: u64,
    pub usage: Usage,
}

/// What cells add up, by bucket and word.
type Cells = BTreeMap<(usize, String), Balance>;

/// What is asked of each bucket, one after the other.
struct Question<'a> {
    scope: Scope,
    selection: &'a Selection,
    measure: Measure,
    buckets: &'a [Bucket],
}

impl Question<'_> {
    /// What makes up the buckets, as far as they are not in a fortnight that is added up.
    fn beside_fortnights(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (bucket, slots) in self.buckets.iter().enumerate() {
            for left in slots.without(&self.selection.fortnights) {
                if self.selection.is_filtered() {
                    pieces.extend(Piece::of(bucket, left, self.selection.now, &[]));
                } else {
                    // There are rows that hold nothing else.
                    let resolution = Resolution::QuarterTotal;
                    pieces.push(Piece { bucket, resolution, slots: left, taken_away: false });
                }
            }
        }
        pieces
    }

    /// The rows of fortnights by quarter. Those of all workflows together have none.
    fn in_fortnights(&self) -> Condition {
        let begins = self.selection.fortnights.iter().map(|begin| begin.0);
        let total = (!self.selection.is_filtered()).then(|| Column::WorkflowId.eq(Uuid::nil()));
        of(self.scope, self.selection, &[self.measure])
            .add(Column::Resolution.eq(Resolution::FortnightTotal.as_str()))
            .add(Column::Slot.is_in(begins))
            .add_option(total)
    }
}

impl Store {
    /// What was counted in each of some buckets, which follow each other.
    pub async fn series(
        &self,
        scope: Scope,
        selection: &Selection,
        measure: Measure,
        buckets: &[Bucket],
    ) -> Result<Vec<Cell>> {
        let question = Question { scope, selection, measure, buckets };
        let mut cells = Cells::new();
        self.add_pieces(&question, &question.beside_fortnights(), &mut cells).await?;
        self.add_fortnights(&question, &mut cells).await?;
        let cells = cells.into_iter().map(|((bucket, word), mut balance)| {
            let Amounts { count, usage, .. } = balance.finish();
            Cell { bucket, word, count, usage }
        });
        Ok(cells.filter(|cell| cell.count > 0).collect())
    }

    async fn add_pieces(&self, question: &Question<'_>, pieces: &[Piece], cells: &mut Cells) -> Result<()> {
        if pieces.is_empty() {
            return Ok(());
        }
        let sum = |column: &str| Expr::cust(format!("CAST(SUM({column}) AS bigint)"));
        let mut columns = Query::select();
        columns.column(Column::Word);
        for (column, name) in [
            ("rollup.count", "count"),
            ("llm_calls", "llm_calls"),
            ("tokens", "tokens"),
            ("cost_micros", "cost_micros"),
        ] {
            columns.expr_as(sum(column), name);
        }
        columns.cond_where(of(question.scope, question.selection, &[question.measure]));
        let query = by_piece(self.0.backend, pieces, columns, Some(Column::Word));
        for row in self.read().query_all_raw(self.0.backend.build(&query)).await? {
            let (word, count, llm_calls, tokens, cost_micros, piece) = row.try_get_many_by_index()?;
            let Some(piece) = number(piece).and_then(|piece| pieces.get(piece)) else { continue };
            let usage = usage(llm_calls, tokens, cost_micros);
            let amounts = Amounts { count: unsigned(count), usage, ..Amounts::default() };
            piece.put(&amounts, cells.entry((piece.bucket, word)).or_default());
        }
        Ok(())
    }

    /// Adds those quarters of fortnights that are in a bucket.
    async fn add_fortnights(&self, question: &Question<'_>, cells: &mut Cells) -> Result<()> {
        if question.selection.fortnights.is_empty() {
            return Ok(());
        }
        let columns = [Column::Slot, Column::Word, Column::Durations];
        let query = Query::select().columns(columns).from(Entity).cond_where(question.in_fortnights()).to_owned();
        for Total { fortnight, word, amounts } in self.find_many(self.0.backend.build(&query)).await? {
            for (bucket, amounts) in by_bucket(quarters(fortnight, &amounts), question.buckets) {
                cells.entry((bucket, word.clone())).or_default().add(&amounts);
            }
        }
        Ok(())
    }
}

/// What was counted of one word in a fortnight, by quarter.
struct Total {
    fortnight: Slot,
    word: String,
    amounts: Amounts,
}

impl FromColumns for Total {
    fn from_columns(row: &impl Columns) -> std::result::Result<Self, DbErr> {
        let durations = read_durations(&row.column::<Vec<u8>>(2)?);
        let amounts = Amounts { durations, ..Amounts::default() };
        Ok(Self { fortnight: Slot(row.column(0)?), word: row.column(1)?, amounts })
    }
}

/// What is counted in each bucket that has some of these quarters. Buckets and quarters are in the order of time.
fn by_bucket(quarters: impl Iterator<Item = (Slot, Amounts)>, buckets: &[Bucket]) -> Vec<(usize, Amounts)> {
    let mut sums: Vec<(usize, Amounts)> = Vec::new();
    for (slot, amounts) in quarters {
        let at = buckets.partition_point(|bucket| bucket.until <= slot);
        if buckets.get(at).is_none_or(|bucket| slot < bucket.from) {
            continue;
        }
        match sums.last_mut() {
            Some((last, sum)) if *last == at => {
                sum.count += amounts.count;
                sum.usage.add(&amounts.usage);
            }
            _ => sums.push((at, amounts)),
        }
    }
    sums
}
