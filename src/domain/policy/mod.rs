//! Policies: the rules that turn a proposal into "go on", "a rule approves" or "these people must approve".
//!
//! A policy is a document that people write. It is read once, with every problem told at its line, and then asked as
//! often as there are proposals: everything that it needs is in the [`Facts`], so the same facts give the same answer.

mod comparison;
mod condition;
mod evaluate;
mod facts;
mod field;
mod hours;
mod number;
mod outcome;
mod quorum;
mod read;
mod reason;
mod report;
mod requirement;
mod rollout;
mod rule;
mod shadow;
pub mod suggest;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use comparison::Operator;
pub use facts::Facts;
pub use outcome::{AutoApproval, Notice, Outcome};
pub use quorum::{Approver, missing};
pub use reason::{Aspect, Reason};
pub use report::{ConditionReport, Evaluation, RuleReport};
pub use requirement::{
    Approvers, Contact, Escalation, Excluded, Notification, OnTimeout, Requirement, Seat, Timeout, Who,
};
pub use rule::AutoRule;
pub use shadow::{Agreement, Mode, Threshold, Watched, next_mode};

use super::{
    agent::RiskLevel,
    document::{self, MOST_PROBLEMS, Place, Problem, ProblemCode},
};
use condition::Condition;
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
        let rules = self.checkpoints.iter().map(|checkpoint| &checkpoint.rule);
        let automatic = self.auto_approvals.rules.iter().map(|automatic| &automatic.rule);
        rules.chain(automatic).any(|rule| rule.may_concern(operation_type, risk))
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

    /// Whether a rule looks at more than the proposal: at the execution's input or the step's context.
    pub fn looks_around(&self) -> bool {
        let rules = self.checkpoints.iter().map(|checkpoint| &checkpoint.rule);
        rules.chain(self.auto_approvals.rules.iter().map(|auto| &auto.rule)).any(Rule::looks_around)
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
        let rule = Rule { name: name.into(), conditions };
        let checkpoint = Checkpoint { rule, priority: Some(1), auto_approve: false, requirement };
        Self { checkpoints: vec![checkpoint], auto_approvals: AutoApprovals::default() }
    }
}
