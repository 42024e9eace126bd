//! Asking for figures.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::{DateTime, TimeDelta, Utc};
use chrono_tz::Tz;

use super::{Analytics, Question, TimeBucket};
use crate::{
    domain::{
        analytics::{Covered, Slot},
        id::{AgentId, WorkflowId},
        role::Role,
        time,
    },
    graphql::{
        caller::ContextExt,
        error::{Fault, Result, argument_id},
    },
    store::rollups::Selection,
};

const DEFAULT_RANGE: TimeDelta = TimeDelta::days(30);
/// Longer than any name of a zone.
const SHOWN: usize = 60;

/// What figures are about: what fits everything given.
#[derive(Debug, Default, InputObject)]
pub struct AnalyticsFilter {
    /// Executions of this workflow.
    workflow_id: Option<ID>,
    /// What this agent did or wanted to do, and the executions in which it had a part.
    agent_id: Option<ID>,
}

#[derive(Default)]
pub struct AnalyticsQuery;

#[Object]
impl AnalyticsQuery {
    /// Figures about what happened in a range of time. Figures of people ask for a role of their own.
    async fn analytics(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "From when on; 30 days before `until` when absent.")] from: Option<DateTime<Utc>>,
        #[graphql(desc = "Until when; now when absent.")] until: Option<DateTime<Utc>>,
        #[graphql(
            desc = "Whose hours, days, weeks and months the buckets are, as in `Europe/Berlin`; UTC when absent."
        )]
        time_zone: Option<String>,
        #[graphql(desc = "How long the buckets of series are; a day when absent.")] bucket: Option<TimeBucket>,
        #[graphql(desc = "What the figures are about; everything when absent.")] filter: Option<AnalyticsFilter>,
    ) -> Result<Analytics> {
        let scope = ctx.require(Role::Viewer)?;
        let now = ctx.engine().clock().now();
        let until = until.map_or(Ok(now), |until| time::check("until", until))?;
        let from = from.map_or_else(|| Ok(until - DEFAULT_RANGE), |from| time::check("from", from))?;
        if from >= until {
            return Err(Fault::BadInput(format!("`from` is {from}, which is not before `until`, {until}")));
        }
        let filter = filter.unwrap_or_default();
        let workflow = filter.workflow_id.map(|id| argument_id::<WorkflowId>("filter.workflowId", &id)).transpose()?;
        let agent = filter.agent_id.map(|id| argument_id::<AgentId>("filter.agentId", &id)).transpose()?;
        let zone = time_zone.map_or(Ok(Tz::UTC), |name| zone(&name))?;
        let span = bucket.unwrap_or(TimeBucket::Day).into();
        let covered = Covered::of(from, until);
        let fortnights = ctx.engine().store().added_up(scope, covered).await?;
        let selection = Selection { covered, fortnights, now: Slot::of(now), workflow, agent };
        Ok(Analytics(Question::new(scope, selection, zone, span).into()))
    }
}

fn zone(name: &str) -> Result<Tz> {
    name.parse().map_err(|_| {
        let shown: String = name.chars().take(SHOWN).collect();
        Fault::BadInput(format!(
            "`timeZone` is `{shown}`, which is no zone: give a name of the IANA database, such as `Europe/Berlin` or `UTC`"
        ))
    })
}
