//! Watching the rules.

use async_graphql::{Context, Enum, Object, Subscription};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use super::Policy;
use crate::{
    domain::{audit::Action, role::Role},
    graphql::{
        audit::{Actor, Told, told},
        caller::ContextExt,
        error::Result,
    },
};

/// What happened to the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum PolicyEventType {
    /// Another version of the policy is in force.
    Changed,
    /// Nothing is approved without people any more.
    EmergencyStopSet,
    /// Rules may approve again.
    EmergencyStopLifted,
    /// A rule in the shadow has earned it: from now on it approves by itself.
    RulePromoted,
    /// People disagreed with a rule too often: from now on it decides on paper only.
    RuleDemoted,
}

impl PolicyEventType {
    fn of(action: Action) -> Option<Self> {
        match action {
            Action::PolicyChanged => Some(Self::Changed),
            Action::EmergencyStopSet => Some(Self::EmergencyStopSet),
            Action::EmergencyStopLifted => Some(Self::EmergencyStopLifted),
            Action::RulePromoted => Some(Self::RulePromoted),
            Action::RuleDemoted => Some(Self::RuleDemoted),
            _ => None,
        }
    }
}

/// Something happened to the rules that say when people are asked.
pub struct PolicyEvent(Told<PolicyEventType>);

/// Something happened to the rules that say when people are asked.
#[Object]
impl PolicyEvent {
    /// Give it as `after` to go on from here without missing or repeating anything.
    async fn cursor(&self) -> String {
        self.0.cursor()
    }

    /// What happened.
    async fn r#type(&self) -> PolicyEventType {
        self.0.r#type
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at()
    }

    /// Who did it: the server itself where a rule was promoted or demoted.
    async fn actor(&self) -> Actor {
        self.0.actor()
    }

    /// The rule that was promoted or demoted.
    async fn rule(&self) -> Option<&str> {
        self.0.entry.details.get("rule")?.as_str()
    }

    /// With how many of the last decisions the rule agreed.
    async fn agreed(&self) -> Option<i64> {
        self.0.entry.details.get("agreed")?.as_i64()
    }

    /// Of how many.
    async fn of(&self) -> Option<i64> {
        self.0.entry.details.get("of")?.as_i64()
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
        Ok(told(ctx, after.as_deref(), PolicyEventType::of)?.map(|told| told.map(PolicyEvent)))
    }
}
