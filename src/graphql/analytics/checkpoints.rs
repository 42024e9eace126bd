//! Figures of checkpoints: as a whole, over time, and by what they were about.

use std::{collections::BTreeMap, sync::Arc};

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{
    Question, SERIES_COST,
    durations::DurationFigures,
    most,
    outcomes::CheckpointOutcomes,
    people::{GroupFigures, PersonFigures, by_group, by_person},
    ranked,
};
use crate::{
    domain::{
        analytics::{Amounts, Measure, Outcome},
        id::WorkflowId,
        role::Role,
    },
    graphql::{caller::ContextExt, connection::page_cost, error::Result, workflow::Workflow},
    store::rollups::Figure,
};

/// Figures of one kind of checkpoints.
#[derive(Debug, Clone, Default)]
pub struct CheckpointFigures {
    outcomes: CheckpointOutcomes,
    decided: Amounts,
    waited: Amounts,
}

impl CheckpointFigures {
    fn add(&mut self, figure: &Figure) {
        if figure.measure == Measure::Decision {
            self.decided.add(&figure.amounts);
        } else {
            self.outcomes.add(&figure.word, figure.amounts.count);
            self.waited.add(&figure.amounts);
        }
    }

    fn of<'a>(figures: impl IntoIterator<Item = &'a Figure>) -> Self {
        let mut sum = Self::default();
        figures.into_iter().for_each(|figure| sum.add(figure));
        sum
    }

    /// By how many lists are ordered.
    fn size(&self) -> u64 {
        self.outcomes.count(&[Outcome::Asked, Outcome::AutoApproved])
    }
}

/// Figures of one kind of checkpoints.
#[Object]
impl CheckpointFigures {
    /// What happened to them.
    async fn outcomes(&self) -> &CheckpointOutcomes {
        &self.outcomes
    }

    /// From when there was something to decide, the request or what has taken its place since, to each person's decision.
    async fn time_to_decision(&self) -> DurationFigures {
        (&self.decided).into()
    }

    /// From the request to the checkpoint's end, however it ended.
    async fn time_waited(&self) -> DurationFigures {
        (&self.waited).into()
    }
}

/// What happened to checkpoints in one bucket.
#[derive(Debug, Clone, SimpleObject)]
pub struct CheckpointBucket {
    /// Where the bucket begins; the first one where the range does.
    from: DateTime<Utc>,
    /// Where it ends; the last one where the range does.
    until: DateTime<Utc>,
    /// What happened.
    outcomes: CheckpointOutcomes,
}

/// Figures of the checkpoints of one workflow.
pub struct WorkflowCheckpoints {
    workflow: WorkflowId,
    figures: CheckpointFigures,
}

/// Figures of the checkpoints of one workflow.
#[Object]
impl WorkflowCheckpoints {
    /// The workflow.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Option<Workflow>> {
        Ok(ctx.loaders()?.load(self.workflow).await?.map(Workflow))
    }

    /// Its figures.
    async fn figures(&self) -> &CheckpointFigures {
        &self.figures
    }
}

/// Figures of the checkpoints of one rule.
#[derive(SimpleObject)]
pub struct RuleCheckpoints {
    /// The rule of the policy that asked or approved; null for what a workflow or somebody from outside asked for.
    rule: Option<String>,
    /// Its figures.
    figures: CheckpointFigures,
}

/// What people and rules decided, and how long that took.
pub struct CheckpointAnalytics(pub Arc<Question>);

/// What people and rules decided, and how long that took.
#[Object]
impl CheckpointAnalytics {
    /// All of them together.
    async fn totals(&self, ctx: &Context<'_>) -> Result<CheckpointFigures> {
        Ok(CheckpointFigures::of(self.0.checkpoints(ctx).await?))
    }

    /// What happened over time, one bucket after the other, also where nothing did.
    #[graphql(complexity = "SERIES_COST * child_complexity")]
    async fn series(&self, ctx: &Context<'_>) -> Result<Vec<CheckpointBucket>> {
        let series = self.0.series(ctx, Measure::Checkpoint).await?;
        let buckets = series.into_iter().map(|(bucket, cells)| {
            let mut outcomes = CheckpointOutcomes::default();
            cells.iter().for_each(|cell| outcomes.add(&cell.word, cell.count));
            CheckpointBucket { from: bucket.from.begin(), until: bucket.until.begin(), outcomes }
        });
        Ok(buckets.collect())
    }

    /// By workflow, those with the most checkpoints first.
    #[graphql(complexity = "page_cost(first, None, child_complexity)")]
    async fn by_workflow(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most so many: 1 to 100, 50 when absent.")] first: Option<i32>,
    ) -> Result<Vec<WorkflowCheckpoints>> {
        let groups = split(self.0.checkpoints(ctx).await?, |figure| figure.workflow);
        let lines = groups.into_iter().filter_map(|(workflow, figures)| {
            let workflow = workflow?;
            Some(WorkflowCheckpoints { workflow, figures })
        });
        Ok(ranked(lines, most(first)?, |line| line.figures.size()))
    }

    /// By rule of the policy, those with the most checkpoints first.
    #[graphql(complexity = "page_cost(first, None, child_complexity)")]
    async fn by_rule(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most so many: 1 to 100, 50 when absent.")] first: Option<i32>,
    ) -> Result<Vec<RuleCheckpoints>> {
        let groups = split(self.0.checkpoints(ctx).await?, |figure| figure.rule.clone());
        let lines = groups.into_iter().map(|(rule, figures)| RuleCheckpoints { rule, figures });
        Ok(ranked(lines, most(first)?, |line| line.figures.size()))
    }

    /// By person, those with the most decisions first. Needs the role APPROVER.
    #[graphql(complexity = "page_cost(first, None, child_complexity)")]
    async fn by_person(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most so many: 1 to 100, 50 when absent.")] first: Option<i32>,
    ) -> Result<Option<Vec<PersonFigures>>> {
        ctx.require(Role::Approver)?;
        Ok(Some(by_person(self.0.people(ctx).await?, most(first)?)))
    }

    /// By group, with the decisions of those who are its members now, those with the most decisions first.
    /// Needs the role APPROVER.
    #[graphql(complexity = "page_cost(first, None, child_complexity)")]
    async fn by_group(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "At most so many: 1 to 100, 50 when absent.")] first: Option<i32>,
    ) -> Result<Option<Vec<GroupFigures>>> {
        let scope = ctx.require(Role::Approver)?;
        let most = most(first)?;
        Ok(Some(by_group(ctx, scope, self.0.people(ctx).await?, most).await?))
    }
}

fn split<K: Ord>(figures: &[Figure], key: impl Fn(&Figure) -> K) -> BTreeMap<K, CheckpointFigures> {
    let mut groups: BTreeMap<K, CheckpointFigures> = BTreeMap::new();
    for figure in figures {
        groups.entry(key(figure)).or_default().add(figure);
    }
    groups
}
