//! Figures of executions: how they ended.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{Question, SERIES_COST, durations::DurationFigures, int, ranked};
use crate::{
    domain::{analytics::Amounts, execution},
    graphql::{error::Result, execution::CompletionReason},
};

/// How many executions ended one way.
#[derive(Debug, Clone, SimpleObject)]
pub struct OutcomeCount {
    /// Why they ended.
    reason: CompletionReason,
    /// How many.
    count: i32,
}

/// How executions ended in one bucket.
#[derive(Debug, Clone, SimpleObject)]
pub struct ExecutionBucket {
    /// Where the bucket begins; the first one where the range does.
    from: DateTime<Utc>,
    /// Where it ends; the last one where the range does.
    until: DateTime<Utc>,
    /// How many ended.
    ended: i32,
    /// How they ended, the most frequent way first.
    by_outcome: Vec<OutcomeCount>,
}

/// How executions ended.
pub struct ExecutionAnalytics(pub Arc<Question>);

/// How executions ended.
#[Object]
impl ExecutionAnalytics {
    /// How many ended.
    async fn ended(&self, ctx: &Context<'_>) -> Result<i32> {
        Ok(int(self.0.executions(ctx).await?.iter().map(|figure| figure.amounts.count).sum()))
    }

    /// How they ended, the most frequent way first.
    async fn by_outcome(&self, ctx: &Context<'_>) -> Result<Vec<OutcomeCount>> {
        let figures = self.0.executions(ctx).await?;
        Ok(by_outcome(figures.iter().map(|figure| (figure.word.as_str(), figure.amounts.count))))
    }

    /// From when an execution was asked for to its end, waiting included.
    async fn duration(&self, ctx: &Context<'_>) -> Result<DurationFigures> {
        let mut sum = Amounts::default();
        self.0.executions(ctx).await?.iter().for_each(|figure| sum.add(&figure.amounts));
        Ok((&sum).into())
    }

    /// How they ended over time, one bucket after the other, also where none did.
    #[graphql(complexity = "SERIES_COST * child_complexity")]
    async fn series(&self, ctx: &Context<'_>) -> Result<Vec<ExecutionBucket>> {
        let series = self.0.series(ctx, self.0.measure_of_executions()).await?;
        let buckets = series.into_iter().map(|(bucket, cells)| ExecutionBucket {
            from: bucket.from.begin(),
            until: bucket.until.begin(),
            ended: int(cells.iter().map(|cell| cell.count).sum()),
            by_outcome: by_outcome(cells.iter().map(|cell| (cell.word.as_str(), cell.count))),
        });
        Ok(buckets.collect())
    }
}

fn by_outcome<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Vec<OutcomeCount> {
    let mut outcomes: BTreeMap<execution::CompletionReason, u64> = BTreeMap::new();
    for (word, count) in counts {
        if let Ok(reason) = word.parse() {
            *outcomes.entry(reason).or_default() += count;
        }
    }
    let outcomes = ranked(outcomes, usize::MAX, |(_, count)| *count);
    outcomes.into_iter().map(|(reason, count)| OutcomeCount { reason: reason.into(), count: int(count) }).collect()
}
