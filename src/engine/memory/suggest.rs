//! Rules that people always follow, each tried on the past, for a person to accept.

use std::collections::BTreeMap;

use super::{
    backtest::{Backtest, BacktestRange},
    past::Actual,
};
use crate::{
    domain::{
        access::Scope,
        policy::{
            Mode, Policy,
            suggest::{Sample, rules_in, with_rule},
        },
    },
    engine::{Engine, Error, Result},
    store::checkpoints::Past,
};

/// How many proposals are read at once, and how many at most.
const BATCH: u64 = 1_000;
const MOST_SAMPLES: usize = 50_000;
/// How many rules are suggested: each costs a look at the past.
const MOST_SUGGESTIONS: usize = 10;

/// What is looked at for suggestions.
#[derive(Debug, Clone, Copy)]
pub struct Suggestions {
    pub range: BacktestRange,
    /// How many decisions a rule must be based on.
    pub fewest: usize,
}

/// A rule that people always followed.
#[derive(Debug, Clone)]
pub struct Suggestion {
    pub name: String,
    pub description: String,
    /// As an item of `auto_approval.rules`.
    pub rule: String,
    /// The policy in force with this rule, ready to be saved; nothing if it is written in a way that leaves no place.
    pub document: Option<String>,
    pub cases: usize,
    /// What would have been if it had approved, beside the rules that are in force.
    pub backtest: Backtest,
}

impl Engine {
    /// Looks for rules that people always followed, those with the most cases first.
    pub async fn suggest_policy_rules(&self, scope: Scope, wanted: Suggestions) -> Result<Vec<Suggestion>> {
        let in_force = self.store().policy_in_force(scope).await?;
        let version = match in_force.version {
            Some(number) => self.store().policy_version(scope, number).await?,
            None => None,
        };
        let document = version.map_or_else(|| Policy::DEFAULT_TEXT.to_owned(), |version| version.document);
        let mut found = Vec::new();
        for (operation_type, samples) in self.samples(scope, wanted.range).await? {
            found.extend(rules_in(&operation_type, &samples, wanted.fewest));
        }
        found.sort_by_key(|found| std::cmp::Reverse(found.cases));
        let mut suggestions = Vec::new();
        for found in found.into_iter().take(MOST_SUGGESTIONS) {
            let (name, rule) = (found.name(), found.document());
            let with = with_rule(&document, &rule).filter(|document| Policy::read(document).is_ok());
            let tried = with.clone().or_else(|| with_rule("version: '1.0'", &rule)).unwrap_or_default();
            let mut policy = Policy::read(&tried)
                .map_err(|problems| Error::Internal(format!("a suggested rule cannot be read: {problems:?}")))?;
            policy.set_modes(|auto| (auto.name() == name).then_some(Mode::Live));
            suggestions.push(Suggestion {
                name,
                description: found.description(),
                document: with,
                cases: found.cases,
                backtest: self.backtest(scope, policy, wanted.range).await?.finish().await?,
                rule,
            });
        }
        Ok(suggestions)
    }

    /// What people decided on, by the kind of operation.
    async fn samples(&self, scope: Scope, range: BacktestRange) -> Result<BTreeMap<String, Vec<Sample>>> {
        let past = Past { from: range.from, until: range.until, workflow: range.workflow, tests: false };
        let mut samples: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
        let (mut above, mut count) = (None, 0);
        loop {
            let batch = self.past_proposals(scope, &past, above, BATCH, false).await?;
            let Some(last) = batch.last() else { return Ok(samples) };
            above = Some(last.row.id);
            for past in &batch {
                let Some(approved) = Actual::of(&past.row).approves() else { continue };
                if count >= MOST_SAMPLES {
                    return Ok(samples);
                }
                count += 1;
                let params = past.contents.parameters.to_value();
                let sample = Sample::new(past.proposal.risk_level, past.proposal.confidence, &params, approved);
                samples.entry(past.proposal.operation_type.clone()).or_default().push(sample);
            }
        }
    }
}
