//! Who is in a group.

use serde_json::json;

use super::update_group::hold_group;
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::{GroupId, UserId},
    },
    engine::{Engine, Origin, Result},
    store::groups::Group,
};

#[derive(Debug)]
pub struct ChangeGroupMembers {
    pub group: GroupId,
    pub users: Vec<UserId>,
}

impl Engine {
    pub async fn add_group_members(&self, scope: Scope, command: ChangeGroupMembers, origin: &Origin) -> Result<Group> {
        self.change_members(scope, command, Action::GroupMembersAdded, origin).await
    }

    pub async fn remove_group_members(
        &self,
        scope: Scope,
        command: ChangeGroupMembers,
        origin: &Origin,
    ) -> Result<Group> {
        self.change_members(scope, command, Action::GroupMembersRemoved, origin).await
    }

    async fn change_members(
        &self,
        scope: Scope,
        command: ChangeGroupMembers,
        action: Action,
        origin: &Origin,
    ) -> Result<Group> {
        let mut tx = self.begin(origin).await?;
        let group = hold_group(&tx, scope, command.group).await?;
        self.check_members(scope, "userIds", &command.users).await?;
        if action == Action::GroupMembersAdded {
            tx.add_members(&group, &command.users).await?;
        } else {
            tx.remove_members(&group, &command.users).await?;
        }
        let users: Vec<String> = command.users.iter().map(UserId::to_string).collect();
        tx.audit(scope, action, Some(group.id.into()), json!({"users": users}));
        tx.commit().await?;
        Ok(group)
    }
}
