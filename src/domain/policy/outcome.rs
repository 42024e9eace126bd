//! What a policy answers.

use serde::{Deserialize, Serialize};

use super::{
    reason::Reason,
    requirement::{Notification, Requirement},
};

/// What is to happen with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// No rule has anything to say.
    Proceed,
    AutoApproved(Box<AutoApproval>),
    Ask(Box<Requirement>),
}

impl Outcome {
    /// What holds where both do: the stricter one.
    pub fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Ask(one), Outcome::Ask(other)) => Outcome::Ask(Box::new(one.and(&other))),
            (Outcome::Ask(requirement), _) | (_, Outcome::Ask(requirement)) => Outcome::Ask(requirement),
            (Outcome::Proceed, other) => other,
            (approved, _) => approved,
        }
    }
}

/// An approval by a rule, in place of people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutoApproval {
    pub rule: String,
    pub reasons: Vec<Reason>,
    /// The checkpoint rule that would have asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    pub notice: Notice,
    /// Which version of the rule it was; nothing for a checkpoint rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// Who hears of an approval by a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Whether it is written to the audit log.
    pub log: bool,
    /// Nothing: nobody is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notification: Option<Notification>,
}
