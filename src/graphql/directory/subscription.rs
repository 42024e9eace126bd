//! Watching the directory.

use async_graphql::{Context, Enum, Object, Subscription};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use crate::{
    domain::{audit::Action, id::NodeId},
    graphql::{
        audit::{Actor, Told, told},
        caller::ContextExt,
        error::Result,
        group::Group,
        user::User,
    },
};

/// What happened to a person, a group or the workspace. Sign-ins, passwords and tokens are nobody else's business and
/// not among it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum DirectoryEventType {
    /// Somebody was invited.
    UserInvited,
    /// Somebody came through the outside identity provider for the first time.
    UserProvisioned,
    /// Somebody has another name.
    UserUpdated,
    /// Somebody has other roles.
    UserRolesChanged,
    /// Somebody was locked out.
    UserDisabled,
    /// Somebody was let in again.
    UserEnabled,
    /// What was personal of somebody was erased.
    UserDataErased,
    /// Somebody is away, and another person decides for them.
    OutOfOfficeSet,
    /// Somebody is back.
    OutOfOfficeEnded,
    /// There is a new group.
    GroupCreated,
    /// A group has another name or description.
    GroupUpdated,
    /// A group is gone.
    GroupDeleted,
    /// A group has more members.
    GroupMembersAdded,
    /// A group has fewer members.
    GroupMembersRemoved,
    /// The workspace has another name or other settings.
    WorkspaceUpdated,
}

impl DirectoryEventType {
    fn of(action: Action) -> Option<Self> {
        match action {
            Action::UserInvited => Some(Self::UserInvited),
            Action::UserProvisioned => Some(Self::UserProvisioned),
            Action::UserUpdated => Some(Self::UserUpdated),
            Action::UserRolesChanged => Some(Self::UserRolesChanged),
            Action::UserDisabled => Some(Self::UserDisabled),
            Action::UserEnabled => Some(Self::UserEnabled),
            Action::UserDataErased => Some(Self::UserDataErased),
            Action::OutOfOfficeSet => Some(Self::OutOfOfficeSet),
            Action::OutOfOfficeEnded => Some(Self::OutOfOfficeEnded),
            Action::GroupCreated => Some(Self::GroupCreated),
            Action::GroupUpdated => Some(Self::GroupUpdated),
            Action::GroupDeleted => Some(Self::GroupDeleted),
            Action::GroupMembersAdded => Some(Self::GroupMembersAdded),
            Action::GroupMembersRemoved => Some(Self::GroupMembersRemoved),
            Action::WorkspaceUpdated => Some(Self::WorkspaceUpdated),
            _ => None,
        }
    }
}

/// Something happened to a person, a group or the workspace.
pub struct DirectoryEvent(Told<DirectoryEventType>);

/// Something happened to a person, a group or the workspace.
#[Object]
impl DirectoryEvent {
    /// Give it as `after` to go on from here without missing or repeating anything.
    async fn cursor(&self) -> String {
        self.0.cursor()
    }

    /// What happened.
    async fn r#type(&self) -> DirectoryEventType {
        self.0.r#type
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at()
    }

    /// Who did it.
    async fn actor(&self) -> Actor {
        self.0.actor()
    }

    /// The person as they are now, if it happened to one.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.entry.subject {
            Some(NodeId::UserId(id)) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            _ => Ok(None),
        }
    }

    /// The group as it is now, if it happened to one that is still there.
    async fn group(&self, ctx: &Context<'_>) -> Result<Option<Group>> {
        match self.0.entry.subject {
            Some(NodeId::GroupId(id)) => Ok(ctx.loaders()?.load(id).await?.map(Group)),
            _ => Ok(None),
        }
    }
}

#[derive(Default)]
pub struct DirectorySubscription;

#[Subscription]
impl DirectorySubscription {
    /// What happens to people, groups and the workspace itself. First everything after the cursor, if one is given, then
    /// what comes.
    async fn directory_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Start after this event; absent: with what comes from now on.")] after: Option<String>,
    ) -> Result<impl Stream<Item = Result<DirectoryEvent>>> {
        Ok(told(ctx, after.as_deref(), DirectoryEventType::of)?.map(|told| told.map(DirectoryEvent)))
    }
}
