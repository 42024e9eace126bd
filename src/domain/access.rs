//! Who is calling, and what that allows.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    api_token::{Owner, Right},
    id::{ApiTokenId, SessionId, UserId, WorkspaceId},
    role::{Role, Roles},
};

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Actor {
    /// A signed-in person.
    #[serde(rename = "user")]
    User(UserId),
    /// A program with an API token.
    #[serde(rename = "api_token")]
    ApiToken(ApiTokenId),
    /// The server itself, or its operator at the command line.
    #[serde(rename = "system")]
    System,
}

/// What a caller proved its identity with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Credential {
    /// A session that this server keeps.
    Session(SessionId),
    /// An API token.
    ApiToken(ApiTokenId),
    /// A token of the outside identity provider.
    Outside,
}

/// An authenticated caller and its rights in exactly one workspace.
#[derive(Debug, Clone)]
pub struct Viewer {
    pub workspace: WorkspaceId,
    pub actor: Actor,
    pub credential: Credential,
    pub roles: Roles,
    pub display_name: String,
    /// When the credential stops working by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether it only reads, because somebody else opened this way into the account.
    pub held: bool,
    /// What else is known of the API token, if it is one.
    pub token: Option<TokenAccess>,
}

/// What an API token allows beside its roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenAccess {
    pub owner: Owner,
    pub rights: Vec<Right>,
    /// Whether it is for some operation types, workflows, agents or queues only. Commands look up which.
    pub restricted: bool,
}

/// The caller lacks a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingRole {
    pub role: Role,
    /// Whether it lacks everything but reading, see [`Viewer::held`].
    pub held: bool,
}

impl MissingRole {
    pub fn new(role: Role) -> Self {
        Self { role, held: false }
    }

    /// What a caller who only reads can do about it.
    pub fn advice(self) -> Option<&'static str> {
        self.held.then_some(
            "an admin opened this way into an account in use, so it only reads: sign in with your password, or ask the \
             operator for a link (`countersign user invite`)",
        )
    }
}

impl Viewer {
    /// The workspace to act in, once the caller has shown the right to.
    pub fn require(&self, role: Role) -> Result<Scope, MissingRole> {
        if self.roles.allow(role) { Ok(Scope::own(self)) } else { Err(MissingRole { role, held: self.held }) }
    }

    /// The same for the emergency stop: approvers set and lift it. A token with the right to can set it. The stop is
    /// about everything, so the roles of a restricted token do not suffice.
    pub fn require_emergency_stop(&self, stopped: bool) -> Result<Scope, MissingRole> {
        let has_right = |token: &TokenAccess| token.rights.contains(&Right::EmergencyStop);
        if stopped && self.token.as_ref().is_some_and(has_right) {
            return Ok(Scope::own(self));
        }
        if self.is_restricted() {
            return Err(MissingRole::new(Role::Approver));
        }
        self.require(Role::Approver)
    }

    /// The same caller, who only reads if somebody else opened this way in.
    pub fn hold_if(self, held: bool) -> Self {
        let roles = if held && !self.roles.is_empty() { Roles::from(Role::Viewer) } else { self.roles };
        Self { roles, held, ..self }
    }

    fn is_restricted(&self) -> bool {
        self.token.as_ref().is_some_and(|token| token.restricted)
    }

    pub fn user(&self) -> Option<UserId> {
        match self.actor {
            Actor::User(id) => Some(id),
            Actor::ApiToken(_) | Actor::System => None,
        }
    }
}

/// Proof of a permission check. Rows can only be reached with one, so none is read for the wrong workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope {
    workspace: WorkspaceId,
    actor: Actor,
    restricted: bool,
}

impl Scope {
    /// The server's own access to one workspace: for the command line and for background work.
    pub fn system(workspace: WorkspaceId) -> Self {
        Self { workspace, actor: Actor::System, restricted: false }
    }

    /// A person's access to their own account at the moment they prove who they are.
    pub fn as_user(workspace: WorkspaceId, user: UserId) -> Self {
        Self { workspace, actor: Actor::User(user), restricted: false }
    }

    /// A caller's access to its own account, which needs no role.
    pub fn own(viewer: &Viewer) -> Self {
        Self { workspace: viewer.workspace, actor: viewer.actor, restricted: viewer.is_restricted() }
    }

    pub fn workspace(self) -> WorkspaceId {
        self.workspace
    }

    pub fn actor(self) -> Actor {
        self.actor
    }

    /// The API token whose restrictions bind the caller.
    pub fn restricted_token(self) -> Option<ApiTokenId> {
        match self.actor {
            Actor::ApiToken(id) if self.restricted => Some(id),
            Actor::ApiToken(_) | Actor::User(_) | Actor::System => None,
        }
    }
}
