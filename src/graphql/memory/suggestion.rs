//! Rules that people always follow.

use async_graphql::{Context, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::backtest::{BACKTEST_COST, Backtest, range};
use crate::{
    domain::role::Role,
    engine::memory::{Suggestion, Suggestions},
    graphql::{
        caller::ContextExt,
        error::{Fault, Result, outcome},
    },
};

/// A rule that people have always followed, for a person to accept.
#[derive(SimpleObject)]
pub struct PolicyRuleSuggestion {
    /// The name that it would have.
    name: String,
    /// Why it is suggested, such as `people approved 212 of 212 `refund` with `amount` up to 50`.
    description: String,
    /// How many decisions it is based on: all of them approvals of exactly what was proposed.
    cases: i32,
    /// The rule as an item of `auto_approval.rules`, in YAML. It begins in the shadow.
    rule: String,
    /// The policy that is in force with this rule at the beginning of its auto-approval rules, for `savePolicy`. Null
    /// if it is written in a way that leaves no place to put it: add `rule` by hand.
    document: Option<String>,
    /// What would have been if it had approved, beside the rules that are in force; without them if `document` is null.
    backtest: Backtest,
}

impl From<Suggestion> for PolicyRuleSuggestion {
    fn from(suggestion: Suggestion) -> Self {
        Self {
            name: suggestion.name,
            description: suggestion.description,
            cases: i32::try_from(suggestion.cases).unwrap_or(i32::MAX),
            rule: suggestion.rule,
            document: suggestion.document,
            backtest: Backtest(suggestion.backtest),
        }
    }
}

#[derive(Default)]
pub struct SuggestionQuery;

#[Object]
impl SuggestionQuery {
    /// Looks through what people decided for rules that they always follow, those with the most cases first: at most
    /// 10. Needs the role AUTHOR.
    #[graphql(complexity = "child_complexity.saturating_mul(10).saturating_add(BACKTEST_COST)")]
    async fn suggest_policy_rules(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Only proposals from this time on.")] from: Option<DateTime<Utc>>,
        #[graphql(desc = "Only proposals before this time.")] until: Option<DateTime<Utc>>,
        #[graphql(desc = "How many decisions a rule must be based on: 5 to 10,000.", default = 20)] minimum_cases: i32,
    ) -> Result<Vec<PolicyRuleSuggestion>> {
        let scope = ctx.require(Role::Author)?;
        let fewest = usize::try_from(minimum_cases).ok().filter(|fewest| (5..=10_000).contains(fewest));
        let fewest =
            fewest.ok_or_else(|| Fault::BadInput(format!("`minimumCases` is {minimum_cases}: give 5 to 10000")))?;
        let wanted = Suggestions { range: range(from, until, None, 100)?, fewest };
        let found = outcome(ctx.engine().suggest_policy_rules(scope, wanted).await)?.map_err(|_| Fault::Internal)?;
        Ok(found.into_iter().map(PolicyRuleSuggestion::from).collect())
    }
}
