//! What an evaluation found, rule by rule, for whoever wants to know why.

use std::sync::Arc;

use super::{
    comparison::Operator,
    outcome::Outcome,
    reason::{Aspect, Reason},
};
use crate::domain::json::Json;

/// What a policy says about a proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    pub outcome: Outcome,
    /// Why a caller may not even ask.
    pub refused: Option<String>,
    /// Every checkpoint rule, in the order in which they are looked at.
    pub checkpoints: Vec<RuleReport>,
    /// Every auto-approval rule, in the order of the document.
    pub auto_approvals: Vec<RuleReport>,
}

/// What was found about one rule.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleReport {
    pub name: Arc<str>,
    /// Only checkpoint rules have one, and not all of them.
    pub priority: Option<i64>,
    /// Whether the document lets it take part.
    pub enabled: bool,
    /// Whether it only says what it would do.
    pub shadow: bool,
    /// Whether all conditions hold.
    pub matched: bool,
    /// Whether it is the one of its kind that counts: the first that matched and may take part.
    pub applied: bool,
    pub conditions: Vec<ConditionReport>,
    /// Why a rule that matched and would approve may not.
    pub blocked: Vec<Reason>,
}

impl RuleReport {
    /// Why the rule matched.
    pub fn reasons(&self) -> Vec<Reason> {
        self.conditions.iter().map(|condition| Reason::of_condition(&self.name, condition)).collect()
    }

    /// The first condition that held only because it could not be judged, as what blocks an approval.
    pub fn doubt(&self) -> Option<Reason> {
        let doubtful = self.conditions.iter().find(|condition| condition.held && condition.note.is_some())?;
        let message = format!("`{}` would have approved, but it is not certain that it matches", self.name);
        Some(Reason::new(Some(&self.name), doubtful.condition, message))
    }
}

/// What was found about one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionReport {
    pub condition: Aspect,
    /// Where the value is looked for.
    pub field: Option<Arc<str>>,
    pub operator: Option<Operator>,
    /// What the rule names; an expression as its text.
    pub expected: Json,
    /// What was found, unless nothing was or it is too large to show.
    pub actual: Option<Json>,
    pub held: bool,
    /// What else there is to say: why a value could not be judged, or that there is none.
    pub note: Option<String>,
}
