//! What work cost: as a whole, over time, and by workflow.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{Question, SERIES_COST, most, ranked};
use crate::{
    domain::{analytics::Measure, execution, id::WorkflowId},
    graphql::{caller::ContextExt, connection::page_cost, error::Result, execution::Usage, workflow::Workflow},
};

/// What work cost in one bucket.
#[derive(Debug, Clone, SimpleObject)]
pub struct UsageBucket {
    /// Where the bucket begins; the first one where the range does.
    from: DateTime<Utc>,
    /// Where it ends; the last one where the range does.
    until: DateTime<Utc>,
    /// What it cost.
    usage: Usage,
}

/// What the work of one workflow cost.
pub struct WorkflowUsage {
    workflow: WorkflowId,
    usage: execution::Usage,
}

/// What the work of one workflow cost.
#[Object]
impl WorkflowUsage {
    /// The workflow.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Option<Workflow>> {
        Ok(ctx.loaders()?.load(self.workflow).await?.map(Workflow))
    }

    /// What it cost.
    async fn usage(&self) -> Usage {
        self.usage.into()
    }
}

/// What work cost. It is counted when an attempt of a step ends.
pub struct UsageAnalytics(pub Arc<Question>);

/// What work cost. It is counted when an attempt of a step ends.
#[Object]
impl UsageAnalytics {
    /// All of it together.
    async fn totals(&self, ctx: &Context<'_>) -> Result<Usage> {
        let mut sum = execution::Usage::default();
        self.0.attempts(ctx).await?.iter().for_each(|figure| sum.add(&figure.amounts.usage));
        Ok(sum.into())
    }

    /// What it cost over time, one bucket after the other, also where it cost nothing.
    #[graphql(complexity = "SERIES_COST * child_complexity")]
    async fn series(&self, ctx: &Context<'_>) -> Result<Vec<UsageBucket>> {
        let series = self.0.series(ctx, Measure::Attempt).await?;
        let buckets = series.into_iter().map(|(bucket, cells)| {
            let mut sum = execution::Usage::default();
            cells.iter().for_each(|cell| sum.add(&cell.usage));
            UsageBucket { from: bucket.from.begin(), until: bucket.until.begin(), usage: sum.into() }
        });
        Ok(buckets.collect())
    }

    /// By workflow, those that cost the most first, and of those the ones with the most tokens.
    #[graphql(complexity = "page_cost(first, None, child_complexity)")]
    async fn by_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most so many: 1 to 100, 50 when absent.")] first: Option<i32>,
    ) -> Result<Vec<WorkflowUsage>> {
        let mut workflows: BTreeMap<WorkflowId, execution::Usage> = BTreeMap::new();
        for figure in self.0.attempts(ctx).await? {
            if let Some(workflow) = figure.workflow {
                workflows.entry(workflow).or_default().add(&figure.amounts.usage);
            }
        }
        let lines = workflows.into_iter().map(|(workflow, usage)| WorkflowUsage { workflow, usage });
        Ok(ranked(lines, most(first)?, |line| (line.usage.cost_micros, line.usage.tokens)))
    }
}
