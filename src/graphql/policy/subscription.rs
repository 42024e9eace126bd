//! Watching the rules.

use async_graphql::{Context, Object, Subscription};
use futures_util::{Stream, StreamExt};

use super::Policy;
use crate::{
    domain::role::Role,
    graphql::{
        audit::{Entry, Told, told, words},
        caller::ContextExt,
        error::Result,
    },
};

words! {
    /// What happened to the rules.
    PolicyEventType {
        /// Another version of the policy is in force.
        Changed = PolicyChanged,
        /// Nothing is approved without people any more.
        EmergencyStopSet = EmergencyStopSet,
        /// Rules may approve again.
        EmergencyStopLifted = EmergencyStopLifted,
        /// A rule in the shadow has earned it: from now on it approves by itself.
        RulePromoted = RulePromoted,
        /// People disagreed with a rule too often: from now on it decides on paper only.
        RuleDemoted = RuleDemoted,
    }
}

/// Something happened to the rules that say when people are asked.
pub struct PolicyEvent(Told<PolicyEventType>);

/// Something happened to the rules that say when people are asked.
#[Object]
impl PolicyEvent {
    /// What every one tells.
    #[graphql(flatten)]
    async fn entry(&self, _ctx: &Context<'_>) -> &Entry {
        &self.0.entry
    }

    /// What happened.
    async fn r#type(&self) -> PolicyEventType {
        self.0.word
    }

    /// The rule that was promoted or demoted.
    async fn rule(&self) -> Option<&str> {
        self.0.entry.0.details.get("rule")?.as_str()
    }

    /// With how many of the last decisions the rule agreed.
    async fn agreed(&self) -> Option<i64> {
        self.0.entry.0.details.get("agreed")?.as_i64()
    }

    /// Of how many.
    async fn of(&self) -> Option<i64> {
        self.0.entry.0.details.get("of")?.as_i64()
    }

    /// The policy as it is now.
    async fn policy(&self, ctx: &Context<'_>) -> Result<Policy> {
        let scope = ctx.require(Role::Viewer)?;
        Policy::find(ctx, scope).await
    }
}

#[derive(Default)]
pub struct PolicySubscription;

#[Subscription]
impl PolicySubscription {
    /// What happens to the rules: new versions, emergency stops, and what becomes of rules by themselves. First
    /// everything after the cursor, if one is given, then what comes.
    async fn policy_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<PolicyEvent>>> {
        Ok(told(ctx, after.as_deref())?.map(|told| told.map(PolicyEvent)))
    }
}
