//! Who must approve, by when, and who is told: what a policy asks for.
//!
//! The journal keeps it for ever: fields are added, never renamed or removed.

use serde::{Deserialize, Serialize};

use super::{
    reason::{Aspect, Reason},
    shadow::Watched,
};
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
    /// What other rules ask for as well, since the proposal or the policy has changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Part>,
    /// What no one could meet any more, and an admin replaced: the rules do not ask for it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Part>,
}

/// What one rule asks of people. A person takes one seat at most in each part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    pub seats: Vec<Seat>,
    pub approvers: Approvers,
    /// Who can stand in for these people once it was escalated to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stand_ins: Vec<Contact>,
}

impl Part {
    /// How many people it needs.
    pub fn people(&self) -> u32 {
        self.seats.iter().filter(|seat| seat.who.is_person()).map(|seat| seat.count).sum()
    }

    /// How many approvals by programs it needs.
    fn programs(&self) -> u32 {
        self.seats.iter().filter(|seat| !seat.who.is_person()).map(|seat| seat.count).sum()
    }
}

impl Requirement {
    /// What each rule asks for. Seats are numbered through all parts.
    pub fn parts(&self) -> Vec<Part> {
        let stand_ins = self.escalation.iter().flat_map(|escalation| escalation.to.clone()).collect();
        let (rule, seats, approvers) = (self.rule.clone(), self.seats.clone(), self.approvers.clone());
        std::iter::once(Part { rule, seats, approvers, stand_ins }).chain(self.also.iter().cloned()).collect()
    }

    /// The seats of all parts, in the order of their numbers.
    pub fn all_seats(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().chain(self.also.iter().flat_map(|part| &part.seats))
    }

    /// Everybody who can stand in for others once it was escalated.
    pub fn stand_ins(&self) -> impl Iterator<Item = Contact> {
        let mut contacts: Vec<Contact> = Vec::new();
        for contact in self.parts().into_iter().flat_map(|part| part.stand_ins) {
            if !contacts.contains(&contact) {
                contacts.push(contact);
            }
        }
        contacts.into_iter()
    }

    /// The fewest approvals that can meet it.
    pub fn approvals(&self) -> u32 {
        let parts = self.parts();
        let most = |count: fn(&Part) -> u32| parts.iter().map(count).max().unwrap_or_default();
        most(Part::people) + most(Part::programs)
    }

    /// Whether whoever started the execution may not decide.
    pub fn bars_starter(&self) -> bool {
        self.separation_of_duties || self.exclude.contains(&Excluded::Requester)
    }

    /// What is asked for where a program asks and no rule has anything to say.
    pub fn of_request() -> Self {
        let reasons = vec![Reason::new(None, Aspect::Gate, "an agent asks for approval")];
        Self { reasons, ..Self::default() }
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
            also: Vec::new(),
            replaced: Vec::new(),
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
    /// A program, by the name of its service account. Only a seat that names it is filled by it.
    ServiceAccount(String),
}

impl Who {
    pub fn is_person(&self) -> bool {
        match self {
            Who::Any | Who::Group(_) | Who::Role(_) | Who::User(_) => true,
            Who::ServiceAccount(_) => false,
        }
    }
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Who::Any => f.write_str("any"),
            Who::Group(name) => write!(f, "group:{name}"),
            Who::Role(role) => write!(f, "role:{role}"),
            Who::User(email) => write!(f, "user:{}", email.as_str()),
            Who::ServiceAccount(name) => write!(f, "service_account:{name}"),
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

/// Who they are, such as `group:finance, role:ADMIN`.
impl std::fmt::Display for Approvers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let groups = self.groups.iter().map(|name| Who::Group(name.clone()));
        let users = self.users.iter().map(|email| Who::User(email.clone()));
        let roles = self.roles.iter().map(|role| Who::Role(*role));
        let named: Vec<String> = groups.chain(users).chain(roles).map(|who| who.to_string()).collect();
        f.write_str(&named.join(", "))
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
