//! An entry in its place, and the hash that covers it.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::{
    canonical::canonical,
    id::{ApiTokenId, AuditEntryId, ExecutionId, UserId, WorkspaceId},
};

/// What the first entry of a workspace follows.
pub const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Stands in the chain for a personal value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment {
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The SHA-256 of the salt and the value's canonical form.
    pub sha256: String,
}

/// The commitment to a value. The salt keeps those who have only the chain from trying out values.
pub fn commitment(salt: &[u8], value: &Value) -> String {
    let mut hash = Sha256::new();
    hash.update(salt);
    hash.update(canonical(value).as_bytes());
    data_encoding::HEXLOWER.encode(&hash.finalize())
}

/// All that the chain says of an entry, as it is stored: also what this version cannot read is covered.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub workspace: WorkspaceId,
    /// From 1, in the workspace.
    pub sequence: i64,
    /// The hash of the entry before it.
    pub previous: String,
    pub id: AuditEntryId,
    pub at: DateTime<Utc>,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    /// The person behind the actor.
    pub person: Option<UserId>,
    pub on_behalf_of: Option<UserId>,
    pub action: String,
    pub subject: Option<String>,
    pub execution: Option<ExecutionId>,
    pub digest: Option<String>,
    pub details: Value,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// By the names of their parts.
    pub personal: BTreeMap<String, Commitment>,
    /// Stands for the signature under the entry before it, if there is one.
    pub seal: Option<String>,
}

impl Record {
    /// What the hash covers. What is absent is left out, so that later versions can say more.
    pub fn content(&self) -> Map<String, Value> {
        let actor = match (self.actor_kind.as_str(), self.actor_id) {
            (kind, None) => json!({"kind": kind}),
            ("USER", Some(id)) => json!({"kind": "USER", "id": UserId(id).to_string()}),
            ("API_TOKEN", Some(id)) => json!({"kind": "API_TOKEN", "id": ApiTokenId(id).to_string()}),
            (kind, Some(id)) => json!({"kind": kind, "id": id.to_string()}),
        };
        let mut content = Map::new();
        let mut say = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                content.insert(name.to_owned(), value);
            }
        };
        say("workspace", Some(self.workspace.to_string().into()));
        say("sequence", Some(self.sequence.into()));
        say("previous", Some(self.previous.clone().into()));
        say("id", Some(self.id.to_string().into()));
        say("at", Some(self.at.to_rfc3339_opts(SecondsFormat::Micros, true).into()));
        say("action", Some(self.action.clone().into()));
        say("actor", Some(actor));
        say("person", self.person.map(|id| id.to_string().into()));
        say("onBehalfOf", self.on_behalf_of.map(|id| id.to_string().into()));
        say("subject", self.subject.clone().map(Value::from));
        say("execution", self.execution.map(|id| id.to_string().into()));
        say("digest", self.digest.clone().map(Value::from));
        say("details", Some(self.details.clone()));
        say("before", self.before.clone());
        say("after", self.after.clone());
        say("personal", Some(json!(self.personal)));
        say("seal", self.seal.clone().map(Value::from));
        content
    }

    pub fn hash(&self) -> String {
        hash(self.content())
    }
}

/// The hash of what an entry says.
pub(super) fn hash(content: Map<String, Value>) -> String {
    digest_of(&canonical(&Value::Object(content)))
}

/// Stands for a text that is too long to be in the log, such as a policy.
pub fn digest_of(text: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}
