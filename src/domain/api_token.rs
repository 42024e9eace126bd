//! Whose an API token is, and how far it reaches.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::id::{AgentId, ServiceAccountId, UserId, WorkflowId};

/// Who acts with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A person: the token can do no more than they can.
    User(UserId),
    /// A program under a name of its own. All its tokens are one identity.
    ServiceAccount(ServiceAccountId),
}

/// A right that a token has beside its roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Right {
    /// Stops all approvals without people. Lifting the stop needs a role.
    #[serde(rename = "EMERGENCY_STOP")]
    EmergencyStop,
}

impl Right {
    pub const ALL: [Right; 1] = [Right::EmergencyStop];

    pub fn as_str(self) -> &'static str {
        match self {
            Right::EmergencyStop => "EMERGENCY_STOP",
        }
    }
}

impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A right that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a right: use emergency-stop")]
pub struct UnknownRight(String);

/// Reads a right as the command line writes it (`emergency-stop`) or as the API does.
impl FromStr for Right {
    type Err = UnknownRight;

    fn from_str(text: &str) -> Result<Self, UnknownRight> {
        let written = text.replace('-', "_");
        let mut rights = Right::ALL.into_iter();
        rights.find(|right| right.as_str().eq_ignore_ascii_case(&written)).ok_or_else(|| UnknownRight(text.to_owned()))
    }
}

/// What a token is restricted to. An absent list does not restrict. Workflows and agents are kept by id: one that gets
/// another's name later is not meant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restrictions {
    /// Compared as [`normal_operation_type`] says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_types: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflows: Option<Vec<WorkflowId>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<AgentId>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queues: Option<Vec<String>>,
}

impl Restrictions {
    /// Whether nothing is restricted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn allow_operation_type(&self, name: &str) -> bool {
        let name = normal_operation_type(name);
        allow(&self.operation_types, |allowed| normal_operation_type(allowed) == name)
    }

    pub fn allow_workflow(&self, id: WorkflowId) -> bool {
        allow(&self.workflows, |allowed| *allowed == id)
    }

    pub fn allow_agent(&self, id: AgentId) -> bool {
        allow(&self.agents, |allowed| *allowed == id)
    }

    pub fn allow_queue(&self, queue: &str) -> bool {
        allow(&self.queues, |allowed| allowed == queue)
    }
}

fn allow<T>(list: &Option<Vec<T>>, is_meant: impl FnMut(&T) -> bool) -> bool {
    list.as_ref().is_none_or(|list| list.iter().any(is_meant))
}

/// The form in which names of operation types are compared: the one place that says so for tokens.
pub fn normal_operation_type(name: &str) -> String {
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_absent_list_does_not_restrict() {
        let none = Restrictions::default();
        assert!(none.is_empty());
        assert!(none.allow_operation_type("x") && none.allow_queue("x"));
        assert!(none.allow_agent(AgentId(Uuid::nil())) && none.allow_workflow(WorkflowId(Uuid::nil())));
    }

    #[test]
    fn a_list_allows_only_what_it_names() {
        let some = Restrictions {
            operation_types: Some(vec!["Refund".to_owned()]),
            queues: Some(vec!["billing".to_owned()]),
            agents: Some(Vec::new()),
            ..Restrictions::default()
        };
        assert!(some.allow_operation_type(" REFUND "));
        assert!(!some.allow_operation_type("refunds"));
        assert!(some.allow_queue("billing"));
        assert!(!some.allow_queue("Billing"), "queues are compared as they are written");
        assert!(!some.allow_agent(AgentId(Uuid::nil())), "an empty list allows nothing");
        assert!(some.allow_workflow(WorkflowId(Uuid::nil())));
        let text = serde_json::to_string(&some).expect("JSON");
        assert_eq!(text, r#"{"operation_types":["Refund"],"agents":[],"queues":["billing"]}"#);
        assert_eq!(serde_json::from_str::<Restrictions>(&text).ok(), Some(some));
    }

    #[test]
    fn rights_are_read_as_the_command_line_and_the_api_write_them() {
        assert_eq!("emergency-stop".parse(), Ok(Right::EmergencyStop));
        assert_eq!("EMERGENCY_STOP".parse(), Ok(Right::EmergencyStop));
        let error = "root".parse::<Right>().expect_err("no such right");
        assert_eq!(error.to_string(), "`root` is not a right: use emergency-stop");
    }
}
