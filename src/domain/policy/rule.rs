//! The rules of a policy, ready to be applied.

use std::sync::Arc;

use super::{
    condition::{Condition, InDoubt, Test},
    facts::Sight,
    hours::BusinessHours,
    operation_types::Objection,
    outcome::Notice,
    reason::{Aspect, Reason},
    report::RuleReport,
    requirement::Requirement,
    rollout::Rollout,
    shadow::{Mode, Threshold},
};
use crate::domain::{agent::RiskLevel, document::Place, json::Json, workflow::Gate};

/// A rule that asks people, or approves by itself.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    pub rule: Rule,
    /// The lowest is first. Rules without one come after all that have one.
    pub priority: Option<i64>,
    pub auto_approve: bool,
    /// Whether what it approves by itself is written to the audit log.
    pub log: bool,
    /// What it asks for; the reasons are not known yet.
    pub requirement: Requirement,
}

/// The rules that approve in place of people, and when they may.
#[derive(Debug, Clone, Default)]
pub struct AutoApprovals {
    /// Whether the rules take part. The settings hold in any case.
    pub enabled: bool,
    pub settings: Settings,
    pub rules: Vec<AutoRule>,
}

#[derive(Debug, Clone)]
pub struct AutoRule {
    pub rule: Rule,
    pub enabled: bool,
    pub auto_approve: bool,
    pub notice: Notice,
    /// Nothing: all that match.
    pub rollout: Option<Rollout>,
    /// What the document says.
    pub declared: Mode,
    /// As it is now: it may have earned or lost the right to approve since the document was written.
    pub mode: Mode,
    /// When a rule in the shadow begins to approve by itself. Nothing: never.
    pub promote_at: Option<Threshold>,
    /// When a rule that approves goes into the shadow. Nothing: never.
    pub demote_below: Option<Threshold>,
    /// The same for the same conditions.
    pub fingerprint: Arc<str>,
}

impl AutoRule {
    /// Whether the document lets it take part, live or in the shadow.
    pub fn takes_part(&self) -> bool {
        self.enabled && self.auto_approve
    }

    pub fn name(&self) -> &str {
        &self.rule.name
    }
}

/// A name and conditions, all of which must hold.
#[derive(Debug, Clone)]
pub struct Rule {
    pub name: Arc<str>,
    /// Where in the document it is.
    pub place: Place,
    /// An expression is the last one.
    pub conditions: Vec<Condition>,
}

impl Rule {
    /// Whether it can match such an action. The operation type is as it is compared.
    pub fn may_concern(&self, operation_type: &str, risk: RiskLevel) -> bool {
        self.conditions.iter().all(|condition| match &condition.test {
            Test::Risk(levels) => levels.contains(&risk),
            Test::Operation(types) => types.iter().any(|name| name == operation_type),
            Test::Confidence(_) | Test::Parameter(..) | Test::Anywhere(..) | Test::Expression(_) => true,
        })
    }

    /// Whether it only matches operation types that it names.
    pub fn names_operations(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition.test, Test::Operation(_)))
    }

    /// Whether it looks at more than the proposal.
    pub fn looks_around(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition.test, Test::Anywhere(..) | Test::Expression(_)))
    }

    pub fn look(&self, sight: &Sight<'_>, in_doubt: InDoubt) -> RuleReport {
        let mut matched = true;
        let mut conditions = Vec::with_capacity(self.conditions.len());
        for condition in &self.conditions {
            let report = condition.look(sight, in_doubt, matched);
            matched &= report.held;
            conditions.push(report);
        }
        RuleReport {
            name: self.name.clone(),
            priority: None,
            enabled: true,
            shadow: false,
            matched,
            applied: false,
            conditions,
            blocked: Vec::new(),
        }
    }
}

/// When nothing is approved without people.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub emergency_stop: bool,
    /// Nothing: at any hour.
    pub hours: Option<BusinessHours>,
}

impl Settings {
    /// Why a rule that would approve may not.
    pub fn blocks(
        &self,
        rule: &Rule,
        rollout: Option<Rollout>,
        sight: &Sight<'_>,
        objections: &[Objection],
    ) -> Vec<Reason> {
        let facts = sight.facts;
        let mut blocked = Vec::new();
        let mut block = |aspect: Aspect, why: String, value: Option<Json>| {
            let message = format!("`{}` would have approved, but {why}", rule.name);
            blocked.push(Reason { value, ..Reason::new(Some(&rule.name), aspect, message) });
        };
        if facts.gate == Gate::Always {
            block(Aspect::Gate, "the step always asks for approval".to_owned(), None);
        }
        if self.emergency_stop || facts.emergency_stop {
            block(Aspect::EmergencyStop, "the emergency stop is on".to_owned(), None);
        }
        if let Some(hours) = self.hours.filter(|hours| !hours.is_open(facts.now)) {
            let clock = hours.clock(facts.now);
            let why = format!("it is outside business hours: {clock} in {}", hours.zone);
            block(Aspect::BusinessHours, why, Some(Json::string(&clock)));
        }
        for objection in objections.iter().filter(|objection| objection.concerns(rule)) {
            let value = Some(sight.operation_type().1.clone());
            block(Aspect::OperationTypes, objection.message.clone(), value);
        }
        if let Some(rollout) = rollout.filter(|rollout| !rollout.includes(&rule.name, sight.rollout_key())) {
            block(Aspect::Rollout, format!("this one is not among the {rollout}% of its rollout"), None);
        }
        blocked
    }
}
