//! Deciding.

use async_graphql::{Context, ID, InputObject, Object};

use super::payload::{Decided, decision_payload, of_command, parse_checkpoint};
use crate::{
    domain::{access::Scope, checkpoint::Verdict, id::CheckpointId, role::Role},
    engine::commands::DecideCheckpoint,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError},
        json::{Json, read},
    },
};

/// What is approved.
#[derive(InputObject)]
pub struct ApproveCheckpointInput {
    /// The checkpoint.
    checkpoint_id: ID,
    /// The digest of what the caller saw: the checkpoint's `digest` at that time.
    digest: String,
    /// What the caller has to say to it: at most 10,000 characters.
    comment: Option<String>,
    /// Approves these parameters instead of those that were proposed. They must fit what the agent takes. Earlier
    /// approvals, which were about others, count no longer.
    modified_parameters: Option<Json>,
    /// Approves only the items with these ids; absent: all of them.
    items: Option<Vec<String>>,
}

/// What is rejected, and why.
#[derive(InputObject)]
pub struct RejectCheckpointInput {
    /// The checkpoint.
    checkpoint_id: ID,
    /// The digest of what the caller saw: the checkpoint's `digest` at that time.
    digest: String,
    /// Why, for whoever proposed it: 1 to 10,000 characters.
    reason: String,
}

/// The answers to a clarification.
#[derive(InputObject)]
pub struct AnswerClarificationInput {
    /// The checkpoint, of the kind CLARIFICATION.
    checkpoint_id: ID,
    /// The digest of what the caller saw: the checkpoint's `digest` at that time.
    digest: String,
    /// An object with an answer for the id of each question.
    answers: Json,
    /// What the caller has to say beside: at most 10,000 characters.
    comment: Option<String>,
}

decision_payload! {
    /// The approved checkpoint, or what was wrong.
    ApproveCheckpointPayload
}
decision_payload! {
    /// The rejected checkpoint, or what was wrong.
    RejectCheckpointPayload
}
decision_payload! {
    /// The answered checkpoint, or what was wrong.
    AnswerClarificationPayload
}

/// A decision with nothing but a verdict.
pub fn plain(checkpoint: CheckpointId, digest: String, verdict: Verdict, comment: Option<String>) -> DecideCheckpoint {
    DecideCheckpoint { checkpoint, digest, verdict, comment, modified_parameters: None, items: None, answers: None }
}

pub async fn decide(ctx: &Context<'_>, scope: Scope, command: DecideCheckpoint) -> Result<Decided> {
    let (id, digest) = (command.checkpoint, command.digest.clone());
    let outcome = of_command(ctx.engine().decide_checkpoint(scope, command, &ctx.caller().origin).await)?;
    Decided::of(ctx, id, &digest, outcome).await
}

async fn decide_if_read(
    ctx: &Context<'_>,
    scope: Scope,
    command: std::result::Result<DecideCheckpoint, Vec<UserError>>,
) -> Result<Decided> {
    match command {
        Ok(command) => decide(ctx, scope, command).await,
        Err(errors) => Ok(Decided::refused(errors)),
    }
}

impl ApproveCheckpointInput {
    fn into_command(self) -> std::result::Result<DecideCheckpoint, Vec<UserError>> {
        let id = parse_checkpoint(&self.checkpoint_id)?;
        let parameters = self.modified_parameters.as_ref().map(|json| read("modifiedParameters", json));
        let modified_parameters = parameters.transpose().map_err(|error| vec![error])?;
        let command = plain(id, self.digest, Verdict::Approve, self.comment);
        Ok(DecideCheckpoint { modified_parameters, items: self.items, ..command })
    }
}

impl AnswerClarificationInput {
    fn into_command(self) -> std::result::Result<DecideCheckpoint, Vec<UserError>> {
        let id = parse_checkpoint(&self.checkpoint_id)?;
        let answers = Some(read("answers", &self.answers).map_err(|error| vec![error])?);
        Ok(DecideCheckpoint { answers, ..plain(id, self.digest, Verdict::Answer, self.comment) })
    }
}

#[derive(Default)]
pub struct DecideMutation;

#[Object]
impl DecideMutation {
    /// Approves a checkpoint, as it is, with other parameters, or only some of its items. Where several people must
    /// approve, it waits for the others. Needs the role APPROVER.
    async fn approve_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ApproveCheckpointInput,
    ) -> Result<ApproveCheckpointPayload> {
        let scope = ctx.require(Role::Approver)?;
        Ok(decide_if_read(ctx, scope, input.into_command()).await?.into())
    }

    /// Rejects a checkpoint: one rejection ends it. Needs the role APPROVER.
    async fn reject_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RejectCheckpointInput,
    ) -> Result<RejectCheckpointPayload> {
        let scope = ctx.require(Role::Approver)?;
        let id = parse_checkpoint(&input.checkpoint_id);
        let command = id.map(|id| plain(id, input.digest, Verdict::Reject, Some(input.reason)));
        Ok(decide_if_read(ctx, scope, command).await?.into())
    }

    /// Answers the questions of a clarification. Needs the role APPROVER.
    async fn answer_clarification(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: AnswerClarificationInput,
    ) -> Result<AnswerClarificationPayload> {
        let scope = ctx.require(Role::Approver)?;
        Ok(decide_if_read(ctx, scope, input.into_command()).await?.into())
    }
}
