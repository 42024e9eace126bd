//! How auto-approval rules stand with people.

use async_graphql::{Enum, Object, SimpleObject};
use chrono::{DateTime, Utc};

use crate::{
    domain::policy::{Mode, Threshold},
    engine::memory::AutoRuleStanding,
};

/// Whether an auto-approval rule approves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Mode")]
pub enum AutoApprovalMode {
    /// It does.
    Live,
    /// It says what it would do, and people decide.
    Shadow,
}

/// How often people must have agreed.
#[derive(SimpleObject)]
pub struct AgreementThreshold {
    /// From 0 to 1.
    agreement: f64,
    /// Among the last so many decisions.
    over: i32,
}

impl From<Threshold> for AgreementThreshold {
    fn from(threshold: Threshold) -> Self {
        Self { agreement: threshold.agreement, over: small(threshold.over) }
    }
}

fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A rule that approves in place of people, or would.
pub struct AutoApprovalRule(pub AutoRuleStanding);

/// A rule that approves in place of people, or would, and how often people agree with it.
#[Object]
impl AutoApprovalRule {
    /// Its name.
    async fn name(&self) -> &str {
        self.0.rule.name()
    }

    /// Whether the document lets it take part.
    async fn enabled(&self) -> bool {
        self.0.rule.takes_part()
    }

    /// Whether it approves now.
    async fn mode(&self) -> AutoApprovalMode {
        self.0.rule.mode.into()
    }

    /// What the document says. It may have earned or lost the right to approve since.
    async fn declared_mode(&self) -> AutoApprovalMode {
        self.0.rule.declared.into()
    }

    /// Since when it is in another mode than the document says; null if it is not.
    async fn earned_at(&self) -> Option<DateTime<Utc>> {
        self.0.earned.as_ref().map(|earned| earned.since)
    }

    /// Of how many decisions lately is known whether people agreed: those at which the rule would have approved and
    /// people decided, and approvals that somebody overrode.
    async fn decisions(&self) -> i32 {
        small(self.0.agreement.of)
    }

    /// In how many of them people approved exactly what was proposed.
    async fn agreed(&self) -> i32 {
        small(self.0.agreement.agreed)
    }

    /// The part of them, from 0 to 1; null before anybody decided.
    async fn agreement(&self) -> Option<f64> {
        self.0.agreement.rate()
    }

    /// When it begins to approve by itself; null: never.
    async fn promote_at(&self) -> Option<AgreementThreshold> {
        self.0.rule.promote_at.map(AgreementThreshold::from)
    }

    /// When it stops approving by itself; null: never.
    async fn demote_below(&self) -> Option<AgreementThreshold> {
        self.0.rule.demote_below.map(AgreementThreshold::from)
    }
}
