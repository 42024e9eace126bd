//! Checkpoints: where executions wait for people, and what people do about it.

mod ask;
mod assign;
mod decide;
mod decide_many;
mod decision;
mod discuss;
mod journal;
mod mine;
mod out_of_office;
mod overrule;
mod payload;
mod preview;
mod proposal;
mod queries;
mod requirement;
mod review;
mod revision;
mod runs;
mod subscription;
mod words;

use std::sync::Arc;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    agent::{Agent, RiskLevel},
    audit::Actor,
    caller::ContextExt,
    connection::connection,
    error::{Fault, Result, outcome},
    event::step_key,
    execution::{Execution, seconds},
    loaders::{InsightOf, KeptFrom, ReviewOf},
    memory::OperationInsight,
    user::User,
    workflow::Workflow,
};
use crate::{
    domain::{access, checkpoint, checkpoint::Status, role::Role},
    store::checkpoints::CheckpointRow,
};

pub use ask::AskMutation;
pub use assign::AssignMutation;
pub use decide::DecideMutation;
pub use decide_many::DecideManyMutation;
pub use decision::{CheckpointDecision, find_user};
pub use discuss::DiscussMutation;
pub use out_of_office::{OutOfOffice, OutOfOfficeMutation};
pub use overrule::OverrideMutation;
pub use preview::ParameterPreviewQuery;
pub use proposal::Proposal;
pub use queries::CheckpointQuery;
pub use runs::AgentUpdateMutation;
pub use subscription::CheckpointSubscription;
pub use words::{CheckpointKind, ReassessmentCause, RevisionCause, TimeoutAction};

use decision::{CheckpointComment, CheckpointDelegation, CheckpointQuestion};
use journal::CheckpointOutcome;
use proposal::LIST_COST;
use requirement::ApprovalSeat;
pub use requirement::{ApprovalReason, ApprovalRequirement};
use review::{ReviewSubject, ReviewedChange};
pub use revision::FieldChange;
use revision::ProposalRevision;
use runs::ApprovedAgent;
use words::CheckpointStatus;

/// A place where an execution waits for people, or was let through by a rule.
#[derive(Clone)]
pub struct Checkpoint {
    pub row: Arc<CheckpointRow>,
    journal: journal::Once,
}

impl From<CheckpointRow> for Checkpoint {
    fn from(row: CheckpointRow) -> Self {
        Arc::new(row).into()
    }
}

impl From<Arc<CheckpointRow>> for Checkpoint {
    fn from(row: Arc<CheckpointRow>) -> Self {
        Self { row, journal: Default::default() }
    }
}

/// A place where an execution waits for people, or was let through by a rule: what is proposed, why people are asked,
/// who has decided so far and who still must.
#[Object]
impl Checkpoint {
    /// The checkpoint's global id.
    pub async fn id(&self) -> ID {
        self.row.id.to_string().into()
    }

    /// What waits.
    async fn kind(&self) -> CheckpointKind {
        self.row.kind.into()
    }

    /// Where it is.
    async fn status(&self) -> CheckpointStatus {
        self.row.status.into()
    }

    /// The execution that waits. A request that stands alone has one of its own, without steps.
    async fn execution(&self, ctx: &Context<'_>) -> Result<Execution> {
        Ok(ctx.loaders()?.load(self.row.execution).await?.ok_or(Fault::Internal)?.into())
    }

    /// The workflow that runs; null for a request that stands alone.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Option<Workflow>> {
        let found = ctx.loaders()?.load(self.row.workflow).await?;
        Ok(found.filter(|workflow| !workflow.hidden).map(Workflow))
    }

    /// The key of the step that waits, or whose worker asks; null for a request that stands alone.
    async fn step_key(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        match self.row.step {
            Some(step) => step_key(ctx, self.row.execution, step).await.map(Some),
            None => Ok(None),
        }
    }

    /// Who wants to do it; null for a request that stands alone.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        match self.row.agent {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(Agent)),
            None => Ok(None),
        }
    }

    /// Whether its execution is marked as a test.
    async fn test(&self) -> bool {
        self.row.test
    }

    /// What kind of action it is: a word such as `refund`, which policies know.
    async fn operation_type(&self) -> &str {
        &self.row.operation_type
    }

    /// What is about to be done, in plain words.
    async fn description(&self) -> &str {
        &self.row.description
    }

    /// How much harm it can do.
    async fn risk_level(&self) -> RiskLevel {
        self.row.risk_level.into()
    }

    /// How sure whoever prepared it is, from 0 to 1.
    async fn confidence(&self) -> Option<f64> {
        self.row.confidence
    }

    /// What it will cost, in millionths of a credit: a whole number.
    async fn estimated_cost_micros(&self) -> Option<f64> {
        self.row.estimated_cost.map(|cost| cost as f64)
    }

    /// How many parts it has that can be approved alone; null if it is decided as a whole.
    async fn item_count(&self) -> Option<i32> {
        self.row.items
    }

    /// The policy's rule that asks, or that approved it; null if no rule does, and the step or the caller asks.
    async fn rule(&self) -> Option<&str> {
        self.row.rule.as_deref()
    }

    /// The version of the policy that was in force; null for the one that is built in.
    async fn policy_version(&self) -> Option<i32> {
        self.row.policy
    }

    /// How many approvals count so far.
    async fn approvals(&self) -> i32 {
        self.row.approvals
    }

    /// How many are needed.
    async fn approvals_needed(&self) -> i32 {
        self.row.approvals_needed
    }

    /// Who looks at it. Others may decide all the same.
    async fn assignee(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        find_user(ctx, self.row.assignee.map(|id| id.0)).await
    }

    /// The digest of exactly what is proposed now. A decision carries it, so that nobody decides on what they have not
    /// seen.
    async fn digest(&self) -> &str {
        &self.row.digest
    }

    /// The number of the proposal's current revision.
    async fn revision(&self) -> i32 {
        self.row.revision
    }

    /// When it was asked for.
    async fn requested_at(&self) -> DateTime<Utc> {
        self.row.requested_at
    }

    /// Who asked: the server itself for a step of a workflow.
    async fn requested_by(&self, ctx: &Context<'_>) -> Result<Actor> {
        match self.row.kind {
            checkpoint::Kind::Step => Ok(Actor(access::Actor::System)),
            checkpoint::Kind::External | checkpoint::Kind::Clarification => Ok(Actor(self.state(ctx).await?.by)),
        }
    }

    /// Until when people may decide; null: for ever.
    async fn deadline(&self) -> Option<DateTime<Utc>> {
        self.row.deadline
    }

    /// When others were asked as well.
    async fn escalated_at(&self) -> Option<DateTime<Utc>> {
        self.row.escalated_at
    }

    /// How often people were reminded.
    async fn reminders(&self) -> i32 {
        self.row.reminders
    }

    /// When it was decided, or came to its end otherwise.
    async fn resolved_at(&self) -> Option<DateTime<Utc>> {
        self.row.resolved_at
    }

    /// How long it waited, or has waited so far.
    async fn waited_seconds(&self, ctx: &Context<'_>) -> f64 {
        let end = self.row.resolved_at.unwrap_or_else(|| ctx.engine().clock().now());
        seconds(end - self.row.requested_at)
    }

    /// How long people may still decide; null for one that waits for ever, or waits no more.
    async fn seconds_left(&self, ctx: &Context<'_>) -> Option<f64> {
        let deadline = self.row.deadline.filter(|_| self.row.status == Status::Pending)?;
        Some(seconds(deadline - ctx.engine().clock().now()))
    }

    /// Whether people approved something else than was proposed.
    async fn modified(&self) -> bool {
        self.row.modified
    }

    /// When somebody said that a rule should not have approved it.
    async fn overridden_at(&self) -> Option<DateTime<Utc>> {
        self.row.overridden_at
    }

    /// What people did lately with proposals of the same operation type.
    async fn insight(&self, ctx: &Context<'_>) -> Result<OperationInsight> {
        let key = InsightOf(self.row.operation_type.clone());
        Ok(OperationInsight(ctx.loaders()?.load(key).await?.ok_or(Fault::Internal)?))
    }

    /// What is proposed now.
    async fn proposal(&self, ctx: &Context<'_>) -> Result<Proposal> {
        self.state(ctx).await?.proposal().cloned().map(Proposal).ok_or(Fault::Internal)
    }

    /// The version of the agent that runs once it is approved; null for a request, which others carry out, and for what
    /// was asked before versions were part of a proposal.
    async fn runs(&self, ctx: &Context<'_>) -> Result<Option<ApprovedAgent>> {
        let proposal = self.state(ctx).await?.proposal();
        Ok(proposal.and_then(|proposal| proposal.runs.clone()).map(ApprovedAgent))
    }

    /// The change of the policy, an agent or a workflow that the server makes once this is approved; null for everything
    /// else.
    async fn reviewed_change(&self, ctx: &Context<'_>) -> Result<Option<ReviewedChange>> {
        let subject = self.state(ctx).await?.proposal().and_then(|proposal| proposal.changes);
        let Some(subject) = subject.map(ReviewSubject::from) else { return Ok(None) };
        let found = ctx.loaders()?.load(ReviewOf(self.row.id)).await?;
        let (done_at, problem) = found.map_or((None, None), |found| (found.done_at, found.problem));
        Ok(Some(ReviewedChange { subject, done_at, problem }))
    }

    /// Why people are asked, or why nobody needed to be.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn reasons(&self, ctx: &Context<'_>) -> Result<Vec<ApprovalReason>> {
        Ok(self.state(ctx).await?.reasons.iter().map(ApprovalReason::from).collect())
    }

    /// Who must approve and by when; null where a rule approved it.
    async fn requirement(&self, ctx: &Context<'_>) -> Result<Option<ApprovalRequirement>> {
        Ok(self.state(ctx).await?.requirement.clone().map(ApprovalRequirement))
    }

    /// Whose approvals are still missing; empty once it is resolved.
    async fn still_needed(&self, ctx: &Context<'_>) -> Result<Vec<ApprovalSeat>> {
        let state = self.state(ctx).await?;
        let Some(requirement) = state.requirement.as_ref().filter(|_| state.is_pending()) else {
            return Ok(Vec::new());
        };
        let taken: Vec<Vec<usize>> = state.live_decisions().map(|decision| decision.made.seats.clone()).collect();
        Ok(requirement.missing(&taken).iter().map(ApprovalSeat::from).collect())
    }

    /// What people decided, oldest first, also what counts no longer.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn decisions(&self, ctx: &Context<'_>) -> Result<Vec<CheckpointDecision>> {
        Ok(self.state(ctx).await?.decisions.iter().cloned().map(CheckpointDecision).collect())
    }

    /// Everything that was proposed, oldest first. The last one is decided on.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn revisions(&self, ctx: &Context<'_>) -> Result<Vec<ProposalRevision>> {
        Ok(self.state(ctx).await?.revisions.iter().cloned().map(ProposalRevision).collect())
    }

    /// What differs between two revisions of the proposal, at most 1,000 fields.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn difference(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The number of the earlier one: the one before `to` when absent.")] from: Option<i32>,
        #[graphql(desc = "The number of the later one: the current one when absent.")] to: Option<i32>,
    ) -> Result<Vec<FieldChange>> {
        journal::difference_between(ctx, self.state(ctx).await?, from, to).await
    }

    /// What people said about it, oldest first.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn comments(&self, ctx: &Context<'_>) -> Result<Vec<CheckpointComment>> {
        Ok(self.state(ctx).await?.comments.iter().map(CheckpointComment::from).collect())
    }

    /// What people asked about it, oldest first.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn questions(&self, ctx: &Context<'_>) -> Result<Vec<CheckpointQuestion>> {
        Ok(self.state(ctx).await?.questions.iter().map(CheckpointQuestion::from).collect())
    }

    /// Who may decide in whose place, because they said so here.
    #[graphql(complexity = "LIST_COST * child_complexity")]
    async fn delegations(&self, ctx: &Context<'_>) -> Result<Vec<CheckpointDelegation>> {
        let state = self.state(ctx).await?;
        Ok(state.delegations.iter().map(|(from, to)| CheckpointDelegation(*from, *to)).collect())
    }

    /// Why it was rejected or cancelled.
    async fn reason(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        match self.row.status {
            Status::Rejected | Status::Cancelled => Ok(self.state(ctx).await?.reason.clone()),
            Status::Pending | Status::Approved | Status::TimedOut | Status::AutoApproved => Ok(None),
        }
    }

    /// What may be done; null unless it is APPROVED or AUTO_APPROVED.
    async fn outcome(&self, ctx: &Context<'_>) -> Result<Option<CheckpointOutcome>> {
        let go = self.row.status.is_go();
        Ok(if go { Some(CheckpointOutcome(self.state(ctx).await?.clone())) } else { None })
    }

    /// Whether the caller can approve, reject or answer it now.
    async fn viewer_can_decide(&self, ctx: &Context<'_>) -> Result<bool> {
        Ok(self.kept_from_deciding(ctx).await?.is_none())
    }

    /// Whether questions about it are put to the caller, who has the role to answer them.
    async fn viewer_can_answer(&self, ctx: &Context<'_>) -> Result<bool> {
        let Ok(scope) = ctx.require(Role::Operator) else { return Ok(false) };
        if self.row.status != Status::Pending {
            return Ok(false);
        }
        let execution = ctx.loaders()?.load(self.row.execution).await?.ok_or(Fault::Internal)?;
        let addressee = ctx.engine().is_addressee(scope, execution.actor, self.state(ctx).await?).await;
        outcome(addressee)?.map_err(|_| Fault::Internal)
    }

    /// Whether it waits for people of whom there are not enough, so that no one can approve it: an admin can give it to
    /// others with `reassignCheckpoint`.
    #[graphql(complexity = "LIST_COST + child_complexity")]
    async fn stuck(&self, ctx: &Context<'_>) -> Result<bool> {
        if self.row.status != Status::Pending {
            return Ok(false);
        }
        let execution = ctx.loaders()?.load(self.row.execution).await?.ok_or(Fault::Internal)?;
        let stuck = ctx.engine().is_stuck(ctx.require(Role::Viewer)?, execution.actor, self.state(ctx).await?).await;
        outcome(stuck)?.map_err(|_| Fault::Internal)
    }

    /// What keeps the caller from deciding; null if nothing does.
    async fn viewer_cannot_decide_because(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        self.kept_from_deciding(ctx).await
    }
}

impl Checkpoint {
    async fn kept_from_deciding(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        if self.row.status != Status::Pending {
            return Ok(Some(format!("the checkpoint is {}", self.row.status)));
        }
        if !ctx.viewer()?.roles.allow(Role::Approver) {
            return Ok(Some(format!("deciding needs the role {}", Role::Approver)));
        }
        ctx.loaders()?.load(KeptFrom(self.row.id)).await?.ok_or(Fault::Internal)
    }
}

connection! {
    /// A page of checkpoints.
    CheckpointConnection,
    /// A checkpoint and where it stands in its list.
    CheckpointEdge, Checkpoint
}
