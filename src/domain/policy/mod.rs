//! Policies: the rules that turn a proposal into "go on", "a rule approves" or "these people must approve".
//!
//! A policy is a document that people write. It is read once, with every problem told at its line, and then asked as
//! often as there are proposals: everything that it needs is in the [`Facts`], so the same facts give the same answer.

mod check;
mod comparison;
mod condition;
mod evaluate;
mod facts;
mod feasible;
mod field;
mod hours;
mod number;
mod operation_types;
mod outcome;
mod quorum;
mod read;
mod reason;
mod report;
mod requirement;
mod rollout;
mod rule;
mod shadow;
mod stricter;
pub mod suggest;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use check::{Directory, Findings};
pub use comparison::Operator;
pub use facts::{Asker, Facts, Requester};
pub use feasible::{may_decide, unfillable, unfillable_after_escalation};
pub use outcome::{AutoApproval, Notice, Outcome};
pub use quorum::Approver;
pub use reason::{Aspect, Reason};
pub use report::{ConditionReport, Evaluation, RuleReport};
pub use requirement::{
    Approvers, Contact, Escalation, Excluded, Notification, OnTimeout, Part, Requirement, Seat, Timeout, Who,
};
pub use rule::AutoRule;
pub use shadow::{Agreement, Mode, Threshold, Watched, next_mode};

use super::{
    agent::RiskLevel,
    document::{self, MOST_PROBLEMS, Place, Problem, ProblemCode},
    operation_type,
};
use condition::Condition;
use operation_types::OperationTypes;
use rule::{AutoApprovals, Checkpoint, Rule};

/// How large a policy's text may be.
pub const LARGEST_TEXT: usize = 1 << 20;

/// How many rules a policy may have, checkpoints and auto-approvals together.
pub const MOST_RULES: usize = 500;

/// A policy that is ready to be asked.
#[derive(Debug, Clone)]
pub struct Policy {
    /// In the order in which they are looked at.
    checkpoints: Vec<Checkpoint>,
    auto_approvals: AutoApprovals,
    operation_types: OperationTypes,
}

impl Policy {
    /// The policy of a workspace that has not written its own.
    pub const DEFAULT_TEXT: &str = include_str!("default.yaml");

    /// Reads a policy's text, which is YAML or JSON, or tells everything that is wrong with it, each with its line and
    /// column.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        if text.len() > LARGEST_TEXT {
            let message = format!("the policy has {} bytes: at most {LARGEST_TEXT} are allowed", text.len());
            return Err(vec![Place::default().problem(ProblemCode::TooMany, message)]);
        }
        let document = document::read_text(text).map_err(|problem| vec![problem])?;
        read::read(&document).map_err(|mut problems| {
            document::locate(text, &mut problems);
            problems.truncate(MOST_PROBLEMS);
            problems
        })
    }

    /// Reads a policy's document, or tells everything that is wrong with it.
    pub fn from_value(document: &Value) -> Result<Self, Vec<Problem>> {
        read::read(document).map_err(|mut problems| {
            problems.truncate(MOST_PROBLEMS);
            problems
        })
    }

    /// Whether a rule can have anything to say about such an action: what it looks at beside costs more to find out.
    pub fn may_concern(&self, operation_type: &str, risk: RiskLevel) -> bool {
        let operation_type = &operation_type::comparable(operation_type);
        let rules = self.checkpoints.iter().map(|checkpoint| &checkpoint.rule);
        let automatic = self.auto_approvals.rules.iter().map(|automatic| &automatic.rule);
        rules.chain(automatic).any(|rule| rule.may_concern(operation_type, risk))
            || self.operation_types.may_object(operation_type)
    }

    /// How risky an action counts that is said to be this risky: whoever says so can only raise it.
    pub fn risk_of(&self, operation_type: &str, said: RiskLevel) -> RiskLevel {
        let least = self.operation_types.minimum_risk(&operation_type::comparable(operation_type));
        least.map_or(said, |least| said.max(least))
    }

    /// Whether it matters who wants something to be done.
    pub fn looks_at_identity(&self) -> bool {
        self.has_rollout() || self.looks_at_requester()
    }

    /// Whether it matters which groups and roles they have.
    pub fn looks_at_requester(&self) -> bool {
        self.operation_types.names_requesters()
    }

    fn has_rollout(&self) -> bool {
        self.auto_approvals.rules.iter().any(|auto| auto.rollout.is_some())
    }

    /// The rules that approve in place of people, in the order of the document.
    pub fn auto_rules(&self) -> &[AutoRule] {
        &self.auto_approvals.rules
    }

    /// Lets rules approve, or not, as they have earned it.
    pub fn set_modes(&mut self, earned: impl Fn(&AutoRule) -> Option<Mode>) {
        for auto in &mut self.auto_approvals.rules {
            auto.mode = earned(auto).unwrap_or(auto.declared);
        }
    }

    /// Whether a rule looks at more than the parameters: at items, the execution's input or the step's context.
    pub fn looks_around(&self) -> bool {
        let rules = self.checkpoints.iter().map(|checkpoint| &checkpoint.rule);
        let automatic = self.auto_approvals.rules.iter().map(|auto| &auto.rule);
        rules.chain(automatic).any(Rule::looks_around) || self.has_rollout()
    }

    /// Whether it has no rule at all.
    pub fn is_empty(&self) -> bool {
        self.checkpoints.is_empty() && self.auto_approvals.rules.is_empty()
    }
}

/// What [`Policy::DEFAULT_TEXT`] says, without the need to read it.
impl Default for Policy {
    fn default() -> Self {
        let name = "High and critical risk";
        let conditions = vec![Condition::risk(vec![RiskLevel::High, RiskLevel::Critical])];
        let requirement = Requirement { rule: Some(name.to_owned()), ..Requirement::default() };
        let place = Place::default().child("checkpoints").child(0);
        let rule = Rule { name: name.into(), place, conditions };
        let checkpoint = Checkpoint { rule, priority: Some(1), auto_approve: false, log: true, requirement };
        Self {
            checkpoints: vec![checkpoint],
            auto_approvals: AutoApprovals::default(),
            operation_types: OperationTypes::default(),
        }
    }
}
