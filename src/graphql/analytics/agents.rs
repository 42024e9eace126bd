//! Figures of agents: how often they failed, why, and how long they worked.

use std::collections::BTreeMap;

use async_graphql::{Context, Object, SimpleObject};

use super::{durations::DurationFigures, int, ranked};
use crate::{
    domain::{
        analytics::{Amounts, Attempted, Measure},
        execution,
        id::AgentId,
    },
    graphql::{
        agent::Agent,
        caller::ContextExt,
        error::Result,
        execution::{FailureCode, Usage},
    },
    store::rollups::Figure,
};

/// How often attempts failed for one reason.
#[derive(Debug, Clone, SimpleObject)]
pub struct ErrorCount {
    /// What kind of failure it was.
    code: FailureCode,
    /// How many attempts.
    count: i32,
}

/// How an agent did its work.
pub struct AgentFigures {
    agent: AgentId,
    attempts: BTreeMap<String, Amounts>,
    errors: BTreeMap<String, u64>,
}

impl AgentFigures {
    fn count(&self, how: &[Attempted]) -> u64 {
        how.iter().filter_map(|how| self.attempts.get(how.as_str())).map(|amounts| amounts.count).sum()
    }

    fn all(&self) -> Amounts {
        let mut sum = Amounts::default();
        self.attempts.values().for_each(|amounts| sum.add(amounts));
        sum
    }
}

/// How an agent did its work.
#[Object]
impl AgentFigures {
    /// The agent.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        Ok(ctx.loaders()?.load(self.agent).await?.map(Agent))
    }

    /// How many attempts of steps ended.
    async fn attempts(&self) -> i32 {
        int(self.count(Attempted::ALL))
    }

    /// How many gave their output.
    async fn completed(&self) -> i32 {
        int(self.count(&[Attempted::Completed]))
    }

    /// How many failed, also those after which the step was tried again.
    async fn errors(&self) -> i32 {
        int(self.count(&[Attempted::Retried, Attempted::Failed]))
    }

    /// After how many of these the step was tried again.
    async fn retried(&self) -> i32 {
        int(self.count(&[Attempted::Retried]))
    }

    /// How many were stopped with their execution.
    async fn cancelled(&self) -> i32 {
        int(self.count(&[Attempted::Cancelled]))
    }

    /// The part of those that failed among those that completed or failed, from 0 to 1. Null where there were none.
    async fn error_rate(&self) -> Option<f64> {
        let failed = self.count(&[Attempted::Retried, Attempted::Failed]);
        let whole = failed + self.count(&[Attempted::Completed]);
        (whole > 0).then(|| failed as f64 / whole as f64)
    }

    /// Why they failed, the most frequent reason first.
    async fn errors_by_code(&self) -> Vec<ErrorCount> {
        let known = self.errors.iter().filter_map(|(code, count)| {
            let code = code.parse::<execution::FailureCode>().ok()?;
            Some((code, *count))
        });
        let known = ranked(known, usize::MAX, |(_, count)| *count);
        known.into_iter().map(|(code, count)| ErrorCount { code: code.into(), count: int(count) }).collect()
    }

    /// How long the agent worked on an attempt that completed or failed. Waiting for people, for a worker or for the
    /// next attempt does not count, nor does the time in which the execution was paused.
    async fn duration(&self) -> DurationFigures {
        (&self.all()).into()
    }

    /// What its work cost.
    async fn usage(&self) -> Usage {
        self.all().usage.into()
    }
}

pub fn by_agent(figures: &[Figure], most: usize) -> Vec<AgentFigures> {
    let mut agents: BTreeMap<AgentId, AgentFigures> = BTreeMap::new();
    for figure in figures {
        // A step can fail before it is known who would have done it.
        let Some(agent) = figure.agent else { continue };
        let line = agents.entry(agent);
        let line = line.or_insert_with(|| AgentFigures { agent, attempts: BTreeMap::new(), errors: BTreeMap::new() });
        if figure.measure == Measure::Error {
            *line.errors.entry(figure.word.clone()).or_default() += figure.amounts.count;
        } else {
            line.attempts.entry(figure.word.clone()).or_default().add(&figure.amounts);
        }
    }
    ranked(agents.into_values(), most, |line| line.count(Attempted::ALL))
}
