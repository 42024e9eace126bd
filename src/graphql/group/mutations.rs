//! Managing groups.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::Group;
use crate::{
    domain::{
        id::{GroupId, UserId},
        role::Role,
    },
    engine::commands::{ChangeGroupMembers, CreateGroup, UpdateGroup},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
    },
    store::groups,
};

/// What the new group is.
#[derive(InputObject)]
pub struct CreateGroupInput {
    /// The name, unique in the workspace: 1 to 100 characters.
    name: String,
    /// What the group is for: at most 1,000 characters.
    description: Option<String>,
    /// Who is in it from the start.
    member_ids: Option<Vec<ID>>,
    /// Makes a retry safe: the same key gives the same group.
    idempotency_key: Option<String>,
}

/// What to change of a group. What is absent stays.
#[derive(InputObject)]
pub struct UpdateGroupInput {
    /// The group.
    group_id: ID,
    /// The new name.
    name: Option<String>,
    /// The new description.
    description: Option<String>,
}

/// Which group to delete.
#[derive(InputObject)]
pub struct DeleteGroupInput {
    /// The group.
    group_id: ID,
}

/// Who joins a group.
#[derive(InputObject)]
pub struct AddGroupMembersInput {
    /// The group.
    group_id: ID,
    /// The users who join: at most 1,000. Who is in already stays.
    user_ids: Vec<ID>,
}

/// Who leaves a group.
#[derive(InputObject)]
pub struct RemoveGroupMembersInput {
    /// The group.
    group_id: ID,
    /// The users who leave: at most 1,000.
    user_ids: Vec<ID>,
}

/// Defines a payload with a group.
macro_rules! group_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Default, SimpleObject)]
        pub struct $name {
            /// The group after the change.
            group: Option<Group>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<std::result::Result<groups::Group, Vec<UserError>>> for $name {
            fn from(result: std::result::Result<groups::Group, Vec<UserError>>) -> Self {
                match result {
                    Ok(group) => Self { group: Some(Group(group)), user_errors: Vec::new() },
                    Err(user_errors) => Self { group: None, user_errors },
                }
            }
        }
    };
}

group_payload! {
    /// The new group, or what was wrong.
    CreateGroupPayload
}
group_payload! {
    /// The changed group, or what was wrong.
    UpdateGroupPayload
}
group_payload! {
    /// The group with its new members, or what was wrong.
    AddGroupMembersPayload
}
group_payload! {
    /// The group without those who left, or what was wrong.
    RemoveGroupMembersPayload
}

/// Whether the group is gone, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct DeleteGroupPayload {
    /// The id of the group that is gone.
    deleted_group_id: Option<ID>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

fn parse_users(field: &'static str, ids: &[ID]) -> std::result::Result<Vec<UserId>, Vec<UserError>> {
    ids.iter().map(|id| parse_id(field, id).map_err(|error| vec![error])).collect()
}

fn parse_group(id: &ID) -> std::result::Result<GroupId, Vec<UserError>> {
    parse_id("groupId", id).map_err(|error| vec![error])
}

#[derive(Default)]
pub struct GroupMutation;

#[Object]
impl GroupMutation {
    /// Makes a group. Needs the role ADMIN.
    async fn create_group(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateGroupInput,
    ) -> Result<CreateGroupPayload> {
        let scope = ctx.require(Role::Admin)?;
        let members = match parse_users("memberIds", &input.member_ids.unwrap_or_default()) {
            Ok(members) => members,
            Err(errors) => return Ok(Err(errors).into()),
        };
        let command = CreateGroup {
            name: input.name,
            description: input.description.unwrap_or_default(),
            members,
            idempotency_key: input.idempotency_key,
        };
        Ok(outcome(ctx.engine().create_group(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Renames or describes a group. Needs the role ADMIN.
    async fn update_group(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateGroupInput,
    ) -> Result<UpdateGroupPayload> {
        let scope = ctx.require(Role::Admin)?;
        let group = match parse_group(&input.group_id) {
            Ok(group) => group,
            Err(errors) => return Ok(Err(errors).into()),
        };
        let command = UpdateGroup { group, name: input.name, description: input.description };
        Ok(outcome(ctx.engine().update_group(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Deletes a group. Its people stay. Needs the role ADMIN.
    async fn delete_group(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DeleteGroupInput,
    ) -> Result<DeleteGroupPayload> {
        let scope = ctx.require(Role::Admin)?;
        let group = match parse_group(&input.group_id) {
            Ok(group) => group,
            Err(user_errors) => return Ok(DeleteGroupPayload { user_errors, ..Default::default() }),
        };
        Ok(match outcome(ctx.engine().delete_group(scope, group, &ctx.caller().origin).await)? {
            Ok(()) => DeleteGroupPayload { deleted_group_id: Some(input.group_id), user_errors: Vec::new() },
            Err(user_errors) => DeleteGroupPayload { user_errors, ..Default::default() },
        })
    }

    /// Adds people to a group. Needs the role ADMIN.
    async fn add_group_members(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: AddGroupMembersInput,
    ) -> Result<AddGroupMembersPayload> {
        let scope = ctx.require(Role::Admin)?;
        let command = match parse_members(&input.group_id, &input.user_ids) {
            Ok(command) => command,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().add_group_members(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Takes people out of a group. Needs the role ADMIN.
    async fn remove_group_members(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RemoveGroupMembersInput,
    ) -> Result<RemoveGroupMembersPayload> {
        let scope = ctx.require(Role::Admin)?;
        let command = match parse_members(&input.group_id, &input.user_ids) {
            Ok(command) => command,
            Err(errors) => return Ok(Err(errors).into()),
        };
        Ok(outcome(ctx.engine().remove_group_members(scope, command, &ctx.caller().origin).await)?.into())
    }
}

fn parse_members(group: &ID, users: &[ID]) -> std::result::Result<ChangeGroupMembers, Vec<UserError>> {
    Ok(ChangeGroupMembers { group: parse_group(group)?, users: parse_users("userIds", users)? })
}
