//! What people decided and said.

use async_graphql::{Context, ID, Object, SimpleObject};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::words::DecisionVerdict;
use crate::{
    domain::{
        checkpoint::{self, Remark},
        id::UserId,
    },
    graphql::{audit::Actor, caller::ContextExt, error::Result, user::User},
};

pub async fn find_user(ctx: &Context<'_>, id: Option<Uuid>) -> Result<Option<User>> {
    match id {
        Some(id) => Ok(ctx.loaders()?.load(UserId(id)).await?.map(User)),
        None => Ok(None),
    }
}

/// One person's answer to a checkpoint.
#[derive(Clone)]
pub struct CheckpointDecision(pub checkpoint::Decision);

/// One person's answer to a checkpoint.
#[Object]
impl CheckpointDecision {
    /// The decision's id.
    async fn id(&self) -> ID {
        self.0.made.decision.to_string().into()
    }

    /// Who decided.
    async fn by(&self) -> Actor {
        Actor(self.0.made.by)
    }

    /// In whose place, if somebody let them.
    async fn on_behalf_of(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        find_user(ctx, self.0.made.on_behalf_of).await
    }

    /// What was decided.
    async fn verdict(&self) -> DecisionVerdict {
        self.0.made.verdict.into()
    }

    /// Which revision of the proposal it is about.
    async fn revision(&self) -> i32 {
        i32::try_from(self.0.made.revision).unwrap_or(i32::MAX)
    }

    /// The digest of exactly that.
    async fn digest(&self) -> &str {
        &self.0.made.digest
    }

    /// What the person said to it; for a rejection, why.
    async fn comment(&self) -> Option<&str> {
        self.0.made.comment.as_deref()
    }

    /// When.
    async fn at(&self) -> DateTime<Utc> {
        self.0.at
    }

    /// Whether it counts no longer, because there is another revision.
    async fn lapsed(&self) -> bool {
        self.0.lapsed
    }
}

/// Somebody may decide in another person's place.
pub struct CheckpointDelegation(pub Uuid, pub Uuid);

/// Somebody may decide in another person's place.
#[Object]
impl CheckpointDelegation {
    /// In whose place; null if the account is gone.
    async fn from(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        find_user(ctx, Some(self.0)).await
    }

    /// Who; null if the account is gone.
    async fn to(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        find_user(ctx, Some(self.1)).await
    }
}

/// Something that somebody said about a checkpoint.
#[derive(SimpleObject)]
pub struct CheckpointComment {
    /// The comment's id.
    id: ID,
    /// Who said it.
    by: Actor,
    /// When.
    at: DateTime<Utc>,
    /// What.
    text: String,
}

impl From<&Remark> for CheckpointComment {
    fn from(remark: &Remark) -> Self {
        let Remark { id, by, at, text } = remark.clone();
        Self { id: id.to_string().into(), by: Actor(by), at, text }
    }
}

/// What whoever is behind the proposal said to a question.
#[derive(SimpleObject)]
pub struct CheckpointAnswer {
    /// Who said it.
    by: Actor,
    /// When.
    at: DateTime<Utc>,
    /// What.
    text: String,
}

/// A question about a checkpoint to whoever is behind it.
#[derive(SimpleObject)]
pub struct CheckpointQuestion {
    /// The question's id, for `answerAboutCheckpoint`.
    id: ID,
    /// Who asked.
    by: Actor,
    /// When.
    at: DateTime<Utc>,
    /// What.
    text: String,
    /// The answer, once there is one.
    answer: Option<CheckpointAnswer>,
}

impl From<&checkpoint::Asked> for CheckpointQuestion {
    fn from(asked: &checkpoint::Asked) -> Self {
        let Remark { id, by, at, text } = asked.question.clone();
        let answer = asked.answer.clone();
        let answer = answer.map(|Remark { by, at, text, .. }| CheckpointAnswer { by: Actor(by), at, text });
        Self { id: id.to_string().into(), by: Actor(by), at, text, answer }
    }
}
