//! Who is calling, and what that allows.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
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
}

/// The caller lacks a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingRole(pub Role);

impl Viewer {
    /// The workspace to act in, once the caller has shown the right to.
    pub fn require(&self, role: Role) -> Result<Scope, MissingRole> {
        if self.roles.allow(role) {
            Ok(Scope { workspace: self.workspace, actor: self.actor })
        } else {
            Err(MissingRole(role))
        }
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
}

impl Scope {
    /// The server's own access to one workspace: for the command line and for background work.
    pub fn system(workspace: WorkspaceId) -> Self {
        Self { workspace, actor: Actor::System }
    }

    /// A person's access to their own account at the moment they prove who they are.
    pub fn as_user(workspace: WorkspaceId, user: UserId) -> Self {
        Self { workspace, actor: Actor::User(user) }
    }

    /// A caller's access to its own account, which needs no role.
    pub fn own(viewer: &Viewer) -> Self {
        Self { workspace: viewer.workspace, actor: viewer.actor }
    }

    pub fn workspace(self) -> WorkspaceId {
        self.workspace
    }

    pub fn actor(self) -> Actor {
        self.actor
    }
}
