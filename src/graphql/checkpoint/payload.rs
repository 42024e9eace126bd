//! What mutations about one checkpoint answer.

use async_graphql::{Context, ID};

use super::{
    Checkpoint,
    revision::{FieldChange, difference},
};
use crate::{
    domain::{checkpoint::Revision, id::CheckpointId},
    engine,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, UserErrorCode, outcome, parse_id},
    },
    store::checkpoints::CheckpointRow,
};

/// A checkpoint after a change, or what was wrong.
pub type Outcome = std::result::Result<Checkpoint, Vec<UserError>>;

/// Puts what names no place in the input at the checkpoint.
pub fn of_command(result: engine::Result<CheckpointRow>) -> Result<Outcome> {
    Ok(outcome(result.map_err(|error| error.at("checkpointId")))?.map(Checkpoint::from))
}

/// The same for what makes a checkpoint: there is none yet.
pub fn of_request(result: engine::Result<CheckpointRow>) -> Result<Outcome> {
    Ok(outcome(result)?.map(Checkpoint::from))
}

pub fn parse_checkpoint(id: &ID) -> std::result::Result<CheckpointId, Vec<UserError>> {
    parse_id("checkpointId", id).map_err(|error| vec![error])
}

/// What became of a decision.
pub struct Decided {
    /// Also where the decision was refused.
    pub checkpoint: Option<Checkpoint>,
    pub difference: Vec<FieldChange>,
    pub user_errors: Vec<UserError>,
}

impl Decided {
    pub fn refused(user_errors: Vec<UserError>) -> Self {
        Self { checkpoint: None, difference: Vec::new(), user_errors }
    }

    /// The checkpoint after a decision. Where that was refused, the checkpoint as it is now, and what has changed since
    /// its maker looked.
    pub async fn of(ctx: &Context<'_>, id: CheckpointId, digest: &str, outcome: Outcome) -> Result<Self> {
        let user_errors = match outcome {
            Ok(checkpoint) => {
                return Ok(Self { checkpoint: Some(checkpoint), difference: Vec::new(), user_errors: Vec::new() });
            }
            Err(user_errors) => user_errors,
        };
        let checkpoint = ctx.loaders()?.load(id).await?.map(Checkpoint::from);
        let stale = user_errors.iter().any(|error| error.code == UserErrorCode::Stale);
        let difference = match &checkpoint {
            Some(checkpoint) if stale => changed_since(ctx, checkpoint, digest).await?,
            _ => Vec::new(),
        };
        Ok(Self { checkpoint, difference, user_errors })
    }
}

/// What differs between what somebody saw, if it ever was proposed, and what is proposed now.
async fn changed_since(ctx: &Context<'_>, checkpoint: &Checkpoint, digest: &str) -> Result<Vec<FieldChange>> {
    let state = checkpoint.state(ctx).await?;
    let seen: Option<&Revision> = state.revisions.iter().find(|revision| revision.digest == digest);
    match seen.zip(state.current()) {
        Some((seen, current)) => difference(ctx, seen, current).await,
        None => Ok(Vec::new()),
    }
}

/// Defines a payload with a checkpoint.
macro_rules! checkpoint_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(async_graphql::SimpleObject)]
        pub struct $name {
            /// The checkpoint after the change.
            checkpoint: Option<$crate::graphql::checkpoint::Checkpoint>,
            /// What the caller can fix.
            user_errors: Vec<$crate::graphql::error::UserError>,
        }

        impl From<$crate::graphql::checkpoint::payload::Outcome> for $name {
            fn from(outcome: $crate::graphql::checkpoint::payload::Outcome) -> Self {
                match outcome {
                    Ok(checkpoint) => Self { checkpoint: Some(checkpoint), user_errors: Vec::new() },
                    Err(user_errors) => Self { checkpoint: None, user_errors },
                }
            }
        }
    };
}
pub(super) use checkpoint_payload;

/// Defines the payload of a decision.
macro_rules! decision_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(async_graphql::SimpleObject)]
        pub struct $name {
            /// The checkpoint as it is now, also where the decision was refused.
            checkpoint: Option<$crate::graphql::checkpoint::Checkpoint>,
            /// Where the decision was refused as STALE: what differs between what was seen and what is proposed now.
            /// Empty also if the digest was never one of this checkpoint.
            difference: Vec<$crate::graphql::checkpoint::revision::FieldChange>,
            /// What the caller can fix.
            user_errors: Vec<$crate::graphql::error::UserError>,
        }

        impl From<$crate::graphql::checkpoint::payload::Decided> for $name {
            fn from(decided: $crate::graphql::checkpoint::payload::Decided) -> Self {
                let $crate::graphql::checkpoint::payload::Decided { checkpoint, difference, user_errors } = decided;
                Self { checkpoint, difference, user_errors }
            }
        }
    };
}
pub(super) use decision_payload;
