//! Watching the directory.

use async_graphql::{Context, Object, Subscription};
use futures_util::{Stream, StreamExt};

use crate::{
    domain::id::NodeId,
    graphql::{
        audit::{Entry, Told, told, words},
        caller::ContextExt,
        error::Result,
        group::Group,
        user::User,
    },
};

words! {
    /// What happened to a person, a group or the workspace. Sign-ins, passwords and tokens are nobody else's business and
    /// not among it.
    DirectoryEventType {
        /// Somebody was invited.
        UserInvited = UserInvited,
        /// Somebody came through the outside identity provider for the first time.
        UserProvisioned = UserProvisioned,
        /// Somebody has another name.
        UserUpdated = UserUpdated,
        /// Somebody has other roles.
        UserRolesChanged = UserRolesChanged,
        /// Somebody was locked out.
        UserDisabled = UserDisabled,
        /// Somebody was let in again.
        UserEnabled = UserEnabled,
        /// What was personal of somebody was erased.
        UserDataErased = UserDataErased,
        /// Somebody is away, and another person decides for them.
        OutOfOfficeSet = OutOfOfficeSet,
        /// Somebody is back.
        OutOfOfficeEnded = OutOfOfficeEnded,
        /// There is a new group.
        GroupCreated = GroupCreated,
        /// A group has another name or description.
        GroupUpdated = GroupUpdated,
        /// A group is gone.
        GroupDeleted = GroupDeleted,
        /// A group has more members.
        GroupMembersAdded = GroupMembersAdded,
        /// A group has fewer members.
        GroupMembersRemoved = GroupMembersRemoved,
        /// The workspace has another name or other settings.
        WorkspaceUpdated = WorkspaceUpdated,
    }
}

/// Something happened to a person, a group or the workspace.
pub struct DirectoryEvent(Told<DirectoryEventType>);

/// Something happened to a person, a group or the workspace.
#[Object]
impl DirectoryEvent {
    /// What every one tells.
    #[graphql(flatten)]
    async fn entry(&self, _ctx: &Context<'_>) -> &Entry {
        &self.0.entry
    }

    /// What happened.
    async fn r#type(&self) -> DirectoryEventType {
        self.0.word
    }

    /// The person as they are now, if it happened to one.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.entry.0.subject {
            Some(NodeId::UserId(id)) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            _ => Ok(None),
        }
    }

    /// The group as it is now, if it happened to one that is still there.
    async fn group(&self, ctx: &Context<'_>) -> Result<Option<Group>> {
        match self.0.entry.0.subject {
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
        Ok(told(ctx, after.as_deref())?.map(|told| told.map(DirectoryEvent)))
    }
}
