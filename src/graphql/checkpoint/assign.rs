//! Who looks at a checkpoint, and who decides in whose place.

use async_graphql::{Context, ID, InputObject, Object};

use super::payload::{checkpoint_payload, of_command, parse_checkpoint};
use crate::{
    domain::{
        id::{CheckpointId, UserId},
        role::Role,
    },
    engine::commands::ReassignCheckpoint,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, parse_id},
    },
};

/// What the caller looks at.
#[derive(InputObject)]
pub struct ClaimCheckpointInput {
    /// The checkpoint, which must wait.
    checkpoint_id: ID,
}

/// Who looks at a checkpoint.
#[derive(InputObject)]
pub struct AssignCheckpointInput {
    /// The checkpoint, which must wait.
    checkpoint_id: ID,
    /// Somebody who may decide it; null: nobody in particular.
    user_id: Option<ID>,
}

/// Who decides a checkpoint in the caller's place.
#[derive(InputObject)]
pub struct DelegateCheckpointInput {
    /// The checkpoint, which must wait.
    checkpoint_id: ID,
    /// The delegate.
    user_id: ID,
}

/// Who is to decide a checkpoint that no one can approve any more.
#[derive(InputObject)]
pub struct ReassignCheckpointInput {
    /// The checkpoint, which must wait, and for which there are not enough people.
    checkpoint_id: ID,
    /// Who may approve it from now on: 1 to 100 people with the role APPROVER.
    user_ids: Vec<ID>,
    /// How many of them must approve; as many as before when absent, or all of them if they are fewer.
    approvals: Option<i32>,
    /// Why, for the audit log: 1 to 1,000 characters.
    reason: String,
}

checkpoint_payload! {
    /// The checkpoint with those who are asked now, or what was wrong.
    ReassignCheckpointPayload
}
checkpoint_payload! {
    /// The checkpoint that the caller looks at, or what was wrong.
    ClaimCheckpointPayload
}
checkpoint_payload! {
    /// The checkpoint with its assignee, or what was wrong.
    AssignCheckpointPayload
}
checkpoint_payload! {
    /// The checkpoint with the delegation, or what was wrong.
    DelegateCheckpointPayload
}

type Ids<T> = std::result::Result<(CheckpointId, T), Vec<UserError>>;

fn with_user(checkpoint: &ID, user: &ID) -> Ids<UserId> {
    Ok((parse_checkpoint(checkpoint)?, parse_id("userId", user).map_err(|error| vec![error])?))
}

#[derive(Default)]
pub struct AssignMutation;

#[Object]
impl AssignMutation {
    /// Tells others that the caller looks at a checkpoint. They may decide all the same. Needs the role APPROVER.
    async fn claim_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ClaimCheckpointInput,
    ) -> Result<ClaimCheckpointPayload> {
        let scope = ctx.require(Role::Approver)?;
        Ok(match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => of_command(ctx.engine().claim_checkpoint(scope, id, &ctx.caller().origin).await)?.into(),
            Err(errors) => Err(errors).into(),
        })
    }

    /// Gives a checkpoint to somebody who may decide it, or to nobody in particular. Needs the role APPROVER.
    async fn assign_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: AssignCheckpointInput,
    ) -> Result<AssignCheckpointPayload> {
        let scope = ctx.require(Role::Approver)?;
        let ids = match &input.user_id {
            Some(user) => with_user(&input.checkpoint_id, user).map(|(id, user)| (id, Some(user))),
            None => parse_checkpoint(&input.checkpoint_id).map(|id| (id, None)),
        };
        Ok(match ids {
            Ok((id, to)) => {
                of_command(ctx.engine().assign_checkpoint(scope, id, to, &ctx.caller().origin).await)?.into()
            }
            Err(errors) => Err(errors).into(),
        })
    }

    /// Gives a checkpoint that no one can approve any more to others: `checkpoints(filter: { stuck: true })` lists them.
    /// Earlier approvals count no longer. Needs the role ADMIN.
    async fn reassign_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ReassignCheckpointInput,
    ) -> Result<ReassignCheckpointPayload> {
        let scope = ctx.require(Role::Admin)?;
        let checkpoint = match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => id,
            Err(errors) => return Ok(Err(errors).into()),
        };
        let users = input.user_ids.iter().map(|id| parse_id("userIds", id)).collect::<std::result::Result<Vec<_>, _>>();
        let users: Vec<UserId> = match users {
            Ok(users) => users,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        let approvals = input.approvals.map(|count| u32::try_from(count).unwrap_or_default());
        let command = ReassignCheckpoint { checkpoint, users, approvals, reason: input.reason };
        Ok(of_command(ctx.engine().reassign_checkpoint(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Lets somebody else decide a checkpoint in the caller's place. Needs the role APPROVER.
    async fn delegate_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DelegateCheckpointInput,
    ) -> Result<DelegateCheckpointPayload> {
        let scope = ctx.require(Role::Approver)?;
        Ok(match with_user(&input.checkpoint_id, &input.user_id) {
            Ok((id, to)) => {
                of_command(ctx.engine().delegate_checkpoint(scope, id, to, &ctx.caller().origin).await)?.into()
            }
            Err(errors) => Err(errors).into(),
        })
    }
}
