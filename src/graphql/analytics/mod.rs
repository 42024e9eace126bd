//! Analytics: figures about what happened, from rollups.

mod agents;
mod checkpoints;
mod durations;
mod executions;
mod outcomes;
mod people;
mod queries;
mod usage;

use std::sync::Arc;

use async_graphql::{Context, Enum, Object};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use tokio::sync::OnceCell;

use super::{
    caller::ContextExt,
    connection::{PageArgs, page_cost},
    error::{Fault, Result},
};
use crate::{
    domain::{
        access::Scope,
        analytics::{self, Bucket, Measure, buckets},
    },
    store::rollups::{Cell, Dimension, Figure, Selection},
};
use agents::AgentFigures;
use checkpoints::CheckpointAnalytics;
use executions::ExecutionAnalytics;
use usage::UsageAnalytics;

pub use queries::AnalyticsQuery;

/// What a series costs: more buckets than most have.
const SERIES_COST: usize = 100;

/// How long a bucket of a series is, by the clock of the time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "analytics::Span")]
pub enum TimeBucket {
    /// An hour.
    Hour,
    /// A day: where the clocks change, it has 23 or 25 hours.
    Day,
    /// A week from Monday on.
    Week,
    /// A month.
    Month,
}

/// What is asked, and what was found for it so far: each part is looked up once, however many fields show it.
pub struct Question {
    scope: Scope,
    selection: Selection,
    zone: Tz,
    span: analytics::Span,
    checkpoints: OnceCell<Vec<Figure>>,
    people: OnceCell<Vec<Figure>>,
    attempts: OnceCell<Vec<Figure>>,
    executions: OnceCell<Vec<Figure>>,
}

impl Question {
    fn new(scope: Scope, selection: Selection, zone: Tz, span: analytics::Span) -> Self {
        let [checkpoints, people, attempts, executions] = std::array::from_fn(|_| OnceCell::new());
        Self { scope, selection, zone, span, checkpoints, people, attempts, executions }
    }

    async fn look_up<'a>(
        &'a self,
        ctx: &Context<'_>,
        part: &'a OnceCell<Vec<Figure>>,
        measures: &[Measure],
        by: &[Dimension],
    ) -> Result<&'a [Figure]> {
        let store = ctx.engine().store();
        let found = part.get_or_try_init(|| store.figures(self.scope, &self.selection, measures, by)).await?;
        Ok(found)
    }

    async fn checkpoints(&self, ctx: &Context<'_>) -> Result<&[Figure]> {
        let measures = [Measure::Checkpoint, Measure::Decision];
        self.look_up(ctx, &self.checkpoints, &measures, &[Dimension::Workflow, Dimension::Rule]).await
    }

    async fn people(&self, ctx: &Context<'_>) -> Result<&[Figure]> {
        let measures = [Measure::PersonCheckpoint, Measure::PersonDecision];
        self.look_up(ctx, &self.people, &measures, &[Dimension::Person]).await
    }

    async fn attempts(&self, ctx: &Context<'_>) -> Result<&[Figure]> {
        let measures = [Measure::Attempt, Measure::Error];
        self.look_up(ctx, &self.attempts, &measures, &[Dimension::Workflow, Dimension::Agent]).await
    }

    async fn executions(&self, ctx: &Context<'_>) -> Result<&[Figure]> {
        self.look_up(ctx, &self.executions, &[self.measure_of_executions()], &[]).await
    }

    /// An execution is counted once for itself, and once for each of its agents.
    fn measure_of_executions(&self) -> Measure {
        if self.selection.agent.is_some() { Measure::AgentExecution } else { Measure::Execution }
    }

    /// The buckets in order, each with what was counted in it.
    async fn series(&self, ctx: &Context<'_>, measure: Measure) -> Result<Vec<(Bucket, Vec<Cell>)>> {
        let buckets = buckets(self.selection.covered, self.span, self.zone)?;
        let cells = ctx.engine().store().series(self.scope, &self.selection, measure, &buckets).await?;
        let mut series: Vec<(Bucket, Vec<Cell>)> = buckets.into_iter().map(|bucket| (bucket, Vec::new())).collect();
        for cell in cells {
            if let Some((_, found)) = series.get_mut(cell.bucket) {
                found.push(cell);
            }
        }
        Ok(series)
    }
}

/// Figures about what happened in a range of time. Executions in TEST mode are left out.
pub struct Analytics(Arc<Question>);

/// Figures about what happened in a range of time. Executions in TEST mode are left out.
#[Object]
impl Analytics {
    /// Where the range begins: at or before what was asked for, at a whole quarter of an hour.
    async fn from(&self) -> DateTime<Utc> {
        self.0.selection.covered.from.begin()
    }

    /// Where it ends: at or after what was asked for, at a whole quarter of an hour. What happens then is not counted.
    async fn until(&self) -> DateTime<Utc> {
        self.0.selection.covered.until.begin()
    }

    /// The time zone of the buckets.
    async fn time_zone(&self) -> &'static str {
        self.0.zone.name()
    }

    /// How long the buckets are.
    async fn bucket(&self) -> TimeBucket {
        self.0.span.into()
    }

    /// False while what happened before an upgrade, or a repair, is still being counted.
    async fn complete(&self, ctx: &Context<'_>) -> Result<bool> {
        Ok(ctx.engine().store().is_rolled_up().await?)
    }

    /// What people and rules decided, and how long that took.
    async fn checkpoints(&self) -> CheckpointAnalytics {
        CheckpointAnalytics(Arc::clone(&self.0))
    }

    /// How agents did their work, those with the most attempts first.
    #[graphql(complexity = "page_cost(first, None, child_complexity)")]
    async fn agents(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most so many: 1 to 100, 50 when absent.")] first: Option<i32>,
    ) -> Result<Vec<AgentFigures>> {
        Ok(agents::by_agent(self.0.attempts(ctx).await?, most(first)?))
    }

    /// How executions ended.
    async fn executions(&self) -> ExecutionAnalytics {
        ExecutionAnalytics(Arc::clone(&self.0))
    }

    /// What work cost.
    async fn usage(&self) -> UsageAnalytics {
        UsageAnalytics(Arc::clone(&self.0))
    }
}

/// How many lines of a list are wanted.
fn most(first: Option<i32>) -> Result<usize> {
    let (size, _) = PageArgs { first, ..PageArgs::default() }.size()?;
    usize::try_from(size).map_err(|_| Fault::Internal)
}

/// The lines of a list with the most, at most so many. Those with the same number are in the order of their keys.
fn ranked<T, N: Ord>(lines: impl IntoIterator<Item = T>, most: usize, number: impl Fn(&T) -> N) -> Vec<T> {
    let mut lines: Vec<T> = lines.into_iter().collect();
    lines.sort_by_key(|line| std::cmp::Reverse(number(line)));
    lines.truncate(most);
    lines
}

/// A number as the API has them.
fn int(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
