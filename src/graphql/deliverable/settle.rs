//! Renaming, freezing and archiving deliverables.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::{Deliverable, words::DeliverableType};
use crate::{
    domain::{id::DeliverableId, role::Role},
    engine::{
        self,
        commands::{Settle, UpdateDeliverable},
    },
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
        workspace::Workspace,
    },
    store::deliverables,
};

/// What to change of a draft. What is absent stays.
#[derive(InputObject)]
pub struct UpdateDeliverableInput {
    /// The deliverable.
    deliverable_id: ID,
    /// What it is called: 1 to 255 characters without a path.
    name: Option<String>,
    /// What it is about: at most 10,000 characters.
    description: Option<String>,
    /// What it is.
    #[graphql(name = "type")]
    kind: Option<DeliverableType>,
}

/// Which deliverable to freeze.
#[derive(InputObject)]
pub struct FinalizeDeliverableInput {
    /// The deliverable.
    deliverable_id: ID,
    /// The newest version that the caller has seen: refused as STALE if there is a newer one.
    version: Option<i32>,
}

/// Which deliverable to archive.
#[derive(InputObject)]
pub struct ArchiveDeliverableInput {
    /// The deliverable.
    deliverable_id: ID,
}

/// Which deliverable to take back.
#[derive(InputObject)]
pub struct RestoreDeliverableInput {
    /// The deliverable.
    deliverable_id: ID,
}

/// How long the content of what is archived is kept.
#[derive(InputObject)]
pub struct SetDeliverableRetentionInput {
    /// After how many days it is deleted: 1 to 36,500; null or absent keeps it for ever.
    days: Option<i32>,
}

/// The workspace, or what was wrong.
#[derive(SimpleObject)]
pub struct SetDeliverableRetentionPayload {
    /// The workspace after the change.
    workspace: Option<Workspace>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// A deliverable after a change, or what was wrong.
type Outcome = std::result::Result<Deliverable, Vec<UserError>>;

macro_rules! deliverable_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// The deliverable after the change.
            deliverable: Option<Deliverable>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<Outcome> for $name {
            fn from(outcome: Outcome) -> Self {
                match outcome {
                    Ok(deliverable) => Self { deliverable: Some(deliverable), user_errors: Vec::new() },
                    Err(user_errors) => Self { deliverable: None, user_errors },
                }
            }
        }
    };
}

deliverable_payload! {
    /// The changed deliverable, or what was wrong.
    UpdateDeliverablePayload
}
deliverable_payload! {
    /// The frozen deliverable, or what was wrong.
    FinalizeDeliverablePayload
}
deliverable_payload! {
    /// The archived deliverable, or what was wrong.
    ArchiveDeliverablePayload
}
deliverable_payload! {
    /// The deliverable that is back, or what was wrong.
    RestoreDeliverablePayload
}

fn of_command(result: engine::Result<deliverables::Deliverable>) -> Result<Outcome> {
    Ok(outcome(result)?.map(Deliverable::from))
}

async fn settle(ctx: &Context<'_>, id: &ID, settle: Settle) -> Result<Outcome> {
    let scope = ctx.require(Role::Operator)?;
    let id: DeliverableId = match parse_id("deliverableId", id) {
        Ok(id) => id,
        Err(error) => return Ok(Err(vec![error])),
    };
    of_command(ctx.engine().settle_deliverable(scope, id, settle, &ctx.caller().origin).await)
}

#[derive(Default)]
pub struct SettleMutation;

#[Object]
impl SettleMutation {
    /// Changes what a draft is called. Needs the role OPERATOR.
    async fn update_deliverable(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateDeliverableInput,
    ) -> Result<UpdateDeliverablePayload> {
        let scope = ctx.require(Role::Operator)?;
        let UpdateDeliverableInput { deliverable_id, name, description, kind } = input;
        let deliverable = match parse_id("deliverableId", &deliverable_id) {
            Ok(id) => id,
            Err(error) => return Ok(Outcome::Err(vec![error]).into()),
        };
        let command = UpdateDeliverable { deliverable, name, description, r#type: kind.map(Into::into) };
        Ok(of_command(ctx.engine().update_deliverable(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Freezes a deliverable: only a new version, as a draft, can follow. Needs the role OPERATOR.
    async fn finalize_deliverable(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: FinalizeDeliverableInput,
    ) -> Result<FinalizeDeliverablePayload> {
        let version = input.version;
        Ok(settle(ctx, &input.deliverable_id, Settle::Finalize { version }).await?.into())
    }

    /// Puts a deliverable away. It can still be read, until the workspace's retention deletes its content.
    /// Needs the role OPERATOR.
    async fn archive_deliverable(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ArchiveDeliverableInput,
    ) -> Result<ArchiveDeliverablePayload> {
        Ok(settle(ctx, &input.deliverable_id, Settle::Archive).await?.into())
    }

    /// Takes an archived deliverable back, as it was before. Needs the role OPERATOR.
    async fn restore_deliverable(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RestoreDeliverableInput,
    ) -> Result<RestoreDeliverablePayload> {
        Ok(settle(ctx, &input.deliverable_id, Settle::Restore).await?.into())
    }

    /// Says how long the workspace keeps the content of archived deliverables. Needs the role ADMIN.
    async fn set_deliverable_retention(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SetDeliverableRetentionInput,
    ) -> Result<SetDeliverableRetentionPayload> {
        let scope = ctx.require(Role::Admin)?;
        let changed = ctx.engine().set_deliverable_retention(scope, input.days, &ctx.caller().origin).await;
        Ok(match outcome(changed)? {
            Ok(workspace) => {
                SetDeliverableRetentionPayload { workspace: Some(Workspace(workspace)), user_errors: Vec::new() }
            }
            Err(user_errors) => SetDeliverableRetentionPayload { workspace: None, user_errors },
        })
    }
}
