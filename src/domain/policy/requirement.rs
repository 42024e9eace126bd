//! Who must approve, by when, and who is told: what a policy asks for.
//!
//! The journal keeps it for ever: fields are added, never renamed or removed.

use serde::{Deserialize, Serialize};

use super::{reason::Reason, shadow::Watched};
use crate::domain::{email::Email, role::Role};

/// What people are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The checkpoint rule that asks; nothing if no rule does and people are asked all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub reasons: Vec<Reason>,
    /// How many of whom must approve. A person takes one seat at most.
    pub seats: Vec<Seat>,
    pub approvers: Approvers,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Excluded>,
    /// Whether whoever started the execution may not decide.
    #[serde(default)]
    pub separation_of_duties: bool,
    /// Without it, the checkpoint waits for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<Escalation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminder_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "Notification::is_empty")]
    pub notification: Notification,
    /// The auto-approval rules that would have approved. What people decide tells whether they are right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watched: Vec<Watched>,
}

impl Requirement {
    /// Whether whoever started the execution may not decide.
    pub fn bars_starter(&self) -> bool {
        self.separation_of_duties || self.exclude.contains(&Excluded::Requester)
    }

    /// Whether whoever wrote the agent may not decide.
    pub fn bars_agent_owner(&self) -> bool {
        self.exclude.contains(&Excluded::AgentOwner)
    }
}

/// One approval by anybody with the role APPROVER.
impl Default for Requirement {
    fn default() -> Self {
        Self {
            rule: None,
            reasons: Vec::new(),
            seats: vec![Seat { count: 1, who: Who::Any }],
            approvers: Approvers::default(),
            exclude: Vec::new(),
            separation_of_duties: false,
            timeout: None,
            escalation: None,
            reminder_seconds: None,
            notification: Notification::default(),
            watched: Vec::new(),
        }
    }
}

/// So many approvals of the same kind of people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    pub count: u32,
    pub who: Who,
}

/// Who can take a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Whoever is among the approvers.
    Any,
    Group(String),
    Role(Role),
    User(Email),
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Who::Any => f.write_str("any"),
            Who::Group(name) => write!(f, "group:{name}"),
            Who::Role(role) => write!(f, "role:{role}"),
            Who::User(email) => write!(f, "user:{}", email.as_str()),
        }
    }
}

/// The people who are asked: in one of the groups, named, or with one of the roles. Nobody, where the seats say
/// already who is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approvers {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<Email>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<Role>,
}

impl Approvers {
    pub fn nobody() -> Self {
        Self { groups: Vec::new(), users: Vec::new(), roles: Vec::new() }
    }
}

/// Everybody with the role APPROVER.
impl Default for Approvers {
    fn default() -> Self {
        Self { roles: vec![Role::Approver], ..Self::nobody() }
    }
}

/// Who may not count, by what they have to do with the execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Excluded {
    /// Whoever started the execution.
    Requester,
    /// Whoever owns the agent.
    AgentOwner,
}

/// Until when people may decide, and what happens then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeout {
    pub after_seconds: u64,
    pub then: OnTimeout,
}

/// What happens when nobody has decided in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnTimeout {
    Cancel,
    Reject,
    Approve,
    Escalate,
}

/// Who else is asked when nobody has decided for some time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escalation {
    /// Nothing: at the timeout only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_seconds: Option<u64>,
    pub to: Vec<Contact>,
}

/// Somebody who can be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contact {
    Email(Email),
    Group(String),
}

impl std::fmt::Display for Contact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Contact::Email(email) => write!(f, "user:{}", email.as_str()),
            Contact::Group(name) => write!(f, "group:{name}"),
        }
    }
}

/// Who is told, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification {
    /// In lower case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<Contact>,
}

impl Notification {
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty() && self.recipients.is_empty()
    }
}
