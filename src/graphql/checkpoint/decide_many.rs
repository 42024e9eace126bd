//! Deciding many at once.

use std::collections::HashSet;

use async_graphql::{Context, Enum, ID, InputObject, Object, SimpleObject};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    Checkpoint,
    decide::{decide, plain},
    payload::{Decided, parse_checkpoint},
    proposal::LIST_COST,
    revision::FieldChange,
};
use crate::{
    domain::{access::Scope, checkpoint::Verdict, refusal::Refusal, role::Role},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError},
    },
};

const MOST_DECISIONS: usize = 100;
/// How many are decided at the same time: enough to share commits, and to leave room for others.
const AT_ONCE: usize = 16;

/// What is decided about a checkpoint as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum BulkVerdict {
    /// It may be done as it was proposed.
    Approve,
    /// It must not be done.
    Reject,
}

impl From<BulkVerdict> for Verdict {
    fn from(verdict: BulkVerdict) -> Self {
        match verdict {
            BulkVerdict::Approve => Verdict::Approve,
            BulkVerdict::Reject => Verdict::Reject,
        }
    }
}

/// One of many decisions.
#[derive(InputObject)]
pub struct CheckpointDecisionInput {
    /// The checkpoint.
    checkpoint_id: ID,
    /// The digest of what the caller saw: the checkpoint's `digest` at that time.
    digest: String,
    /// What is decided.
    verdict: BulkVerdict,
    /// What the caller has to say to an approval: at most 10,000 characters.
    comment: Option<String>,
    /// Why something is rejected: 1 to 10,000 characters.
    reason: Option<String>,
}

/// What is decided, in this order.
#[derive(InputObject)]
pub struct DecideCheckpointsInput {
    /// 1 to 100 decisions.
    decisions: Vec<CheckpointDecisionInput>,
}

/// What became of one of the decisions.
#[derive(SimpleObject)]
pub struct CheckpointDecisionResult {
    /// The checkpoint's id, as it was given.
    checkpoint_id: ID,
    /// The checkpoint as it is now, also where the decision was refused.
    checkpoint: Option<Checkpoint>,
    /// Where the decision was refused as STALE: what differs between what was seen and what is proposed now.
    difference: Vec<FieldChange>,
    /// What the caller can fix about this decision.
    user_errors: Vec<UserError>,
}

/// What became of each decision, or what was wrong with all of them.
pub struct DecideCheckpointsPayload {
    results: Vec<CheckpointDecisionResult>,
    user_errors: Vec<UserError>,
}

/// What became of each decision, or what was wrong with all of them.
#[Object]
impl DecideCheckpointsPayload {
    /// One for each decision, in their order. Each succeeds or fails for itself.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn results(&self) -> &[CheckpointDecisionResult] {
        &self.results
    }

    /// What the caller can fix about the request as a whole; the results have errors of their own.
    async fn user_errors(&self) -> &[UserError] {
        &self.user_errors
    }
}

async fn decide_one(ctx: &Context<'_>, scope: Scope, one: CheckpointDecisionInput) -> Result<Decided> {
    let id = match parse_checkpoint(&one.checkpoint_id) {
        Ok(id) => id,
        Err(errors) => return Ok(Decided::refused(errors)),
    };
    let said = match (one.verdict, one.comment, one.reason) {
        (BulkVerdict::Approve, comment, None) => comment,
        (BulkVerdict::Reject, None, reason) => reason,
        (BulkVerdict::Approve, _, Some(_)) => {
            let message = "`reason` is for a rejection: use `comment`";
            return Ok(Decided::refused(vec![Refusal::invalid("reason", message).into()]));
        }
        (BulkVerdict::Reject, Some(_), _) => {
            let message = "`comment` is for an approval: use `reason`";
            return Ok(Decided::refused(vec![Refusal::invalid("comment", message).into()]));
        }
    };
    decide(ctx, scope, plain(id, one.digest, one.verdict.into(), said)).await
}

/// The place of an error within the list of decisions.
fn within(position: usize, error: UserError) -> UserError {
    let mut path = vec!["input".to_owned(), "decisions".to_owned(), position.to_string()];
    path.extend(error.path.into_iter().skip(1));
    UserError { path, ..error }
}

#[derive(Default)]
pub struct DecideManyMutation;

#[Object]
impl DecideManyMutation {
    /// Approves or rejects many checkpoints; each decision succeeds or fails for itself.
    /// Needs the role APPROVER.
    async fn decide_checkpoints(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DecideCheckpointsInput,
    ) -> Result<DecideCheckpointsPayload> {
        let scope = ctx.require(Role::Approver)?;
        let given = input.decisions.len();
        if !(1..=MOST_DECISIONS).contains(&given) {
            let message = format!("`decisions` has {given} entries: give 1 to {MOST_DECISIONS}");
            let user_errors = vec![Refusal::invalid("decisions", message).into()];
            return Ok(DecideCheckpointsPayload { results: Vec::new(), user_errors });
        }
        let different: HashSet<&ID> = input.decisions.iter().map(|one| &one.checkpoint_id).collect();
        // Of two about the same checkpoint, the first is the one that counts.
        let at_once = if different.len() == given { AT_ONCE } else { 1 };
        let decide = async |(position, one): (usize, CheckpointDecisionInput)| {
            let checkpoint_id = one.checkpoint_id.clone();
            let Decided { checkpoint, difference, user_errors } = decide_one(ctx, scope, one).await?;
            let user_errors = user_errors.into_iter().map(|error| within(position, error)).collect();
            Result::Ok(CheckpointDecisionResult { checkpoint_id, checkpoint, difference, user_errors })
        };
        let decisions = stream::iter(input.decisions.into_iter().enumerate());
        let results = decisions.map(decide).buffered(at_once).try_collect().await?;
        Ok(DecideCheckpointsPayload { results, user_errors: Vec::new() })
    }
}
