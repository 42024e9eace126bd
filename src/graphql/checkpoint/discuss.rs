//! A conversation about a checkpoint.

use async_graphql::{Context, ID, InputObject, Object};
use uuid::Uuid;

use super::payload::{checkpoint_payload, of_command, parse_checkpoint};
use crate::{
    domain::{refusal::Refusal, role::Role},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError},
    },
};

/// What somebody says about a checkpoint.
#[derive(InputObject)]
pub struct CommentOnCheckpointInput {
    /// The checkpoint, which must wait.
    checkpoint_id: ID,
    /// What: 1 to 10,000 characters.
    comment: String,
}

/// What somebody wants to know before deciding.
#[derive(InputObject)]
pub struct AskAboutCheckpointInput {
    /// The checkpoint, which must wait.
    checkpoint_id: ID,
    /// What: 1 to 10,000 characters.
    question: String,
}

/// What whoever is behind a proposal says to a question about it.
#[derive(InputObject)]
pub struct AnswerAboutCheckpointInput {
    /// The checkpoint, which must wait.
    checkpoint_id: ID,
    /// The id of one of the checkpoint's `questions`.
    question_id: ID,
    /// The answer: 1 to 10,000 characters.
    answer: String,
}

checkpoint_payload! {
    /// The checkpoint with the comment, or what was wrong.
    CommentOnCheckpointPayload
}
checkpoint_payload! {
    /// The checkpoint with the question, or what was wrong.
    AskAboutCheckpointPayload
}
checkpoint_payload! {
    /// The checkpoint with the answer, or what was wrong.
    AnswerAboutCheckpointPayload
}

fn parse_question(id: &ID) -> std::result::Result<Uuid, Vec<UserError>> {
    let unknown = |_| Refusal::invalid("questionId", "`questionId` is not the id of a question about a checkpoint");
    Uuid::try_parse(id).map_err(|error| vec![unknown(error).into()])
}

#[derive(Default)]
pub struct DiscussMutation;

#[Object]
impl DiscussMutation {
    /// Says something about a checkpoint, without deciding.
    async fn comment_on_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CommentOnCheckpointInput,
    ) -> Result<CommentOnCheckpointPayload> {
        let scope = ctx.require(Role::Viewer)?;
        Ok(match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => {
                of_command(ctx.engine().comment_on_checkpoint(scope, id, &input.comment, &ctx.caller().origin).await)?
                    .into()
            }
            Err(errors) => Err(errors).into(),
        })
    }

    /// Puts a question to the agent or the person behind a proposal. Needs the role APPROVER.
    async fn ask_about_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: AskAboutCheckpointInput,
    ) -> Result<AskAboutCheckpointPayload> {
        let scope = ctx.require(Role::Approver)?;
        Ok(match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => {
                of_command(ctx.engine().ask_about_checkpoint(scope, id, &input.question, &ctx.caller().origin).await)?
                    .into()
            }
            Err(errors) => Err(errors).into(),
        })
    }

    /// Answers a question about a checkpoint. The answer is part of the proposal from then on: a new revision, on which
    /// whoever has decided must look again. Needs the role OPERATOR.
    async fn answer_about_checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: AnswerAboutCheckpointInput,
    ) -> Result<AnswerAboutCheckpointPayload> {
        let scope = ctx.require(Role::Operator)?;
        let ids = parse_checkpoint(&input.checkpoint_id).and_then(|id| Ok((id, parse_question(&input.question_id)?)));
        Ok(match ids {
            Ok((id, question)) => of_command(
                ctx.engine().answer_about_checkpoint(scope, id, question, &input.answer, &ctx.caller().origin).await,
            )?
            .into(),
            Err(errors) => Err(errors).into(),
        })
    }
}
