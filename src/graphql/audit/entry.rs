//! One line of the audit log.

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};
use serde_json::Value;

use super::{Actor, AuditAction};
use crate::{
    domain::audit::Part,
    graphql::{
        caller::ContextExt, connection::connection, error::Result, execution::Execution, json::Json, user::User,
    },
    store::audit,
};

/// One line of the audit log. Nothing changes it.
#[derive(Clone)]
pub struct AuditEntry(Box<audit::AuditEntry>);

impl From<audit::AuditEntry> for AuditEntry {
    fn from(entry: audit::AuditEntry) -> Self {
        Self(Box::new(entry))
    }
}

impl AuditEntry {
    /// A text of a personal value, unless it has been erased.
    fn personal(&self, part: Part, name: &str) -> Option<&str> {
        self.0.values.get(&part)?.get(name)?.as_str()
    }

    /// What of a part is for ever, and what of it is personal.
    fn whole(&self, part: Part, lasting: Option<&Value>) -> Option<Json> {
        let value = match (lasting, self.0.values.get(&part)) {
            (Some(Value::Object(lasting)), Some(Value::Object(personal))) => {
                let mut whole = lasting.clone();
                whole.extend(personal.clone());
                whole.into()
            }
            (None, personal) => personal?.clone(),
            (Some(lasting), _) => lasting.clone(),
        };
        Some(Json(value))
    }
}

/// One line of the audit log. Nothing changes it.
#[Object]
impl AuditEntry {
    /// The entry's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// Its number in the workspace's chain, from 1 and without a gap.
    async fn sequence(&self) -> i64 {
        self.0.sequence
    }

    /// The SHA-256 of all that it says, with the hash of the entry before it.
    async fn hash(&self) -> &str {
        &self.0.hash
    }

    /// The hash of the entry before it; zeros for the first.
    async fn previous_hash(&self) -> &str {
        &self.0.previous
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    /// What happened; null for something that a newer version of the server wrote.
    async fn action(&self) -> Option<AuditAction> {
        self.0.action.map(AuditAction::from)
    }

    /// Who did it.
    async fn actor(&self) -> Actor {
        Actor(self.0.actor)
    }

    /// What the actor was called at that time; null if it was erased.
    async fn actor_name(&self) -> Option<&str> {
        self.personal(Part::Actor, "name")
    }

    /// The actor's e-mail address at that time; null for programs, and if it was erased.
    async fn actor_email(&self) -> Option<&str> {
        self.personal(Part::Actor, "email")
    }

    /// The person behind the actor: themselves, or whoever made the API token.
    async fn person(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.person {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            None => Ok(None),
        }
    }

    /// The person in whose place it was done.
    async fn on_behalf_of(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.on_behalf_of {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            None => Ok(None),
        }
    }

    /// The id of what it was done to, which may be gone since.
    async fn subject_id(&self) -> Option<ID> {
        self.0.subject.map(|id| id.to_string().into())
    }

    /// What was proposed when it was decided, in short: operation type, risk level, parameters and items, of long ones
    /// only the SHA-256. Null if it is no decision.
    async fn proposed(&self) -> Option<Json> {
        self.whole(Part::Proposed, None)
    }

    /// What was approved instead of what was proposed, in the same form; null if it is the same or was not approved.
    async fn approved(&self) -> Option<Json> {
        self.whole(Part::Approved, None)
    }

    /// The execution that it was about.
    async fn execution(&self, ctx: &Context<'_>) -> Result<Option<Execution>> {
        match self.0.execution {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(Execution::from)),
            None => Ok(None),
        }
    }

    /// The digest of what the actor saw when they decided.
    async fn digest(&self) -> Option<&str> {
        self.0.digest.as_deref()
    }

    /// From which network address.
    async fn address(&self) -> Option<&str> {
        self.personal(Part::Origin, "address")
    }

    /// What the caller's program called itself.
    async fn user_agent(&self) -> Option<&str> {
        self.personal(Part::Origin, "userAgent")
    }

    /// More about it.
    async fn details(&self) -> Json {
        self.whole(Part::Details, Some(&self.0.details)).unwrap_or(Json(Value::Null))
    }

    /// What it was before.
    async fn before(&self) -> Option<Json> {
        self.whole(Part::Before, self.0.before.as_ref())
    }

    /// What it was afterwards.
    async fn after(&self) -> Option<Json> {
        self.whole(Part::After, self.0.after.as_ref())
    }

    /// Which personal parts have been erased since, such as `actor` or `origin`.
    async fn erased(&self) -> &[String] {
        &self.0.erased
    }
}

connection! {
    /// A page of the audit log.
    AuditEntryConnection,
    /// An entry and where it stands in the log.
    AuditEntryEdge, AuditEntry
}
