//! The audit log: who did what, when and from where.

mod queries;
mod subscription;

use async_graphql::{Context, Enum, ID, Object};
use chrono::{DateTime, Utc};

use super::{api_token::ApiToken, caller::ContextExt, connection::connection, error::Result, json::Json, user::User};
use crate::{
    domain::{access::Actor as DomainActor, audit::Action, role::Role},
    store::audit,
};

pub use queries::AuditQuery;
pub use subscription::AuditSubscription;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Action")]
pub enum AuditAction {
    /// A workspace was made.
    WorkspaceCreated,
    /// A workspace was renamed, or keeps things for another time.
    WorkspaceUpdated,
    /// Somebody got an account.
    UserInvited,
    /// Somebody came from the outside identity provider for the first time.
    UserProvisioned,
    /// Somebody changed their profile.
    UserUpdated,
    /// Somebody's roles were changed.
    UserRolesChanged,
    /// Somebody was locked out.
    UserDisabled,
    /// Somebody was let in again.
    UserEnabled,
    /// Somebody set a password.
    UserPasswordChanged,
    /// A one-time sign-in link was made.
    SignInLinkCreated,
    /// Somebody signed in.
    SignedIn,
    /// Somebody tried to sign in with a wrong password.
    SignInRefused,
    /// A session was ended.
    SignedOut,
    /// A session was ended because an old refresh token came back, which only a thief or a copy can have.
    RefreshTokenReused,
    /// A group was made.
    GroupCreated,
    /// A group was renamed or described.
    GroupUpdated,
    /// A group was deleted.
    GroupDeleted,
    /// People joined a group.
    GroupMembersAdded,
    /// People left a group.
    GroupMembersRemoved,
    /// An API token was made.
    ApiTokenCreated,
    /// An API token was taken back.
    ApiTokenRevoked,
    /// An agent was added to the library.
    AgentCreated,
    /// An agent got a new version.
    AgentUpdated,
    /// An agent was archived.
    AgentArchived,
    /// An agent came back from the archive.
    AgentUnarchived,
    /// A workflow was made, with its first version or as a draft.
    WorkflowCreated,
    /// A workflow got a new version.
    WorkflowUpdated,
    /// A workflow's draft was saved.
    WorkflowDraftSaved,
    /// A workflow's draft was thrown away.
    WorkflowDraftDiscarded,
    /// A workflow got a new version with an earlier one's document.
    WorkflowVersionRestored,
    /// A workflow was archived.
    WorkflowArchived,
    /// A workflow came back from the archive.
    WorkflowUnarchived,
    /// A secret was given a value.
    SecretSet,
    /// A secret was deleted.
    SecretDeleted,
    /// Somebody let another person decide in their place for a time.
    OutOfOfficeSet,
    /// Somebody decides for themselves again.
    OutOfOfficeEnded,
    /// Another policy is in force.
    PolicyChanged,
    /// From then on nothing was approved without people.
    EmergencyStopSet,
    /// Rules may approve again.
    EmergencyStopLifted,
    /// A deliverable was frozen.
    DeliverableFinalized,
    /// A deliverable was put away.
    DeliverableArchived,
    /// A deliverable that was put away is back.
    DeliverableRestored,
    /// The content of a deliverable that was put away long ago was deleted.
    DeliverableContentDeleted,
}

/// What kind of caller acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum ActorKind {
    /// A person.
    User,
    /// A program with an API token.
    ApiToken,
    /// The server itself, or its operator at the command line.
    System,
}

/// Who did something.
#[derive(Clone)]
pub struct Actor(pub DomainActor);

/// Who did something.
#[Object]
impl Actor {
    /// What kind of caller it was.
    async fn kind(&self) -> ActorKind {
        match self.0 {
            DomainActor::User(_) => ActorKind::User,
            DomainActor::ApiToken(_) => ActorKind::ApiToken,
            DomainActor::System => ActorKind::System,
        }
    }

    /// The person, if it was one.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0 {
            DomainActor::User(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            DomainActor::ApiToken(_) | DomainActor::System => Ok(None),
        }
    }

    /// The person's or the token's name; null for the server itself.
    async fn display_name(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        Ok(match self.0 {
            DomainActor::User(id) => ctx.loaders()?.load(id).await?.map(|user| user.display_name),
            DomainActor::ApiToken(id) => ctx.loaders()?.load(id).await?.map(|token| token.name),
            DomainActor::System => None,
        })
    }

    /// The API token, if it was one; null for callers without the role ADMIN, who may not see tokens.
    async fn api_token(&self, ctx: &Context<'_>) -> Result<Option<ApiToken>> {
        match self.0 {
            DomainActor::ApiToken(_) if !ctx.viewer()?.roles.allow(Role::Admin) => Ok(None),
            DomainActor::ApiToken(id) => Ok(ctx.loaders()?.load(id).await?.map(ApiToken)),
            DomainActor::User(_) | DomainActor::System => Ok(None),
        }
    }
}

/// One line of the audit log. Nothing changes it.
#[derive(Clone)]
pub struct AuditEntry(pub audit::AuditEntry);

/// One line of the audit log. Nothing changes it.
#[Object]
impl AuditEntry {
    /// The entry's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
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

    /// The id of what it was done to, which may be gone since.
    async fn subject_id(&self) -> Option<ID> {
        self.0.subject.map(|id| id.to_string().into())
    }

    /// From which network address.
    async fn address(&self) -> Option<&str> {
        self.0.address.as_deref()
    }

    /// More about it, such as the values before and after.
    async fn details(&self) -> Json {
        Json(self.0.details.clone())
    }
}

connection! {
    /// A page of the audit log.
    AuditEntryConnection,
    /// An entry and where it stands in the log.
    AuditEntryEdge, AuditEntry
}
