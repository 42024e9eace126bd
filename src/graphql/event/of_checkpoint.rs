//! What happens at a checkpoint.

use async_graphql::{Context, ID, Interface};
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    ExecutionEvent,
    line::{Line, event_type},
};
use crate::{
    domain::{
        checkpoint::{AutoApproved, Decided, Decision, Event, Reassessed, Requested, Revised},
        id::CheckpointId,
        policy::{Contact, OnTimeout},
    },
    graphql::{
        audit::Actor,
        caller::ContextExt,
        checkpoint::{
            ApprovalRequirement, Checkpoint, CheckpointDecision, Proposal, ReassessmentCause, RevisionCause,
            TimeoutAction, find_user,
        },
        error::{Fault, Result},
        execution::Execution,
        user::User,
    },
};

/// One thing that happened at a checkpoint. Nothing changes it.
//
// Fields of the same name have the same type in all of them, and in all other events: clients select from several
// types at once.
#[derive(Clone, Interface)]
#[graphql(
    field(name = "cursor", ty = "String", desc = "Give it as `after` to go on from here."),
    field(name = "at", ty = "DateTime<Utc>", desc = "When it happened."),
    field(name = "execution", ty = "Execution", desc = "The execution that it happened to, as it is now."),
    field(name = "actor", ty = "Actor", desc = "Who caused it."),
    field(name = "checkpoint", ty = "Checkpoint", desc = "The checkpoint that it happened to, as it is now.")
)]
pub enum CheckpointEvent {
    Requested(CheckpointRequested),
    AutoApproved(CheckpointAutoApproved),
    Decided(CheckpointDecided),
    Revised(CheckpointRevised),
    DecisionLapsed(CheckpointDecisionLapsed),
    Reassessed(CheckpointReassessed),
    Approved(CheckpointApproved),
    Rejected(CheckpointRejected),
    TimedOut(CheckpointTimedOut),
    Cancelled(CheckpointCancelled),
    Escalated(CheckpointEscalated),
    Reminded(CheckpointReminded),
    Assigned(CheckpointAssigned),
    Delegated(CheckpointDelegated),
    Commented(CheckpointCommented),
    Questioned(CheckpointQuestioned),
    Answered(CheckpointAnswered),
    Overridden(CheckpointOverridden),
}

/// Defines an event of one checkpoint, which shows the checkpoint.
macro_rules! checkpoint_event_type {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $of:ty),* $(,)? } shows { $($shown:tt)* }) => {
        event_type! {
            $(#[$doc])*
            $name { id: Uuid, $($field: $of),* } shows {
                /// The checkpoint that it happened to, as it is now.
                pub async fn checkpoint(&self, ctx: &Context<'_>) -> Result<Checkpoint> {
                    find(ctx, self.id).await
                }

                $($shown)*
            }
        }
    };
}

async fn find(ctx: &Context<'_>, id: Uuid) -> Result<Checkpoint> {
    Ok(ctx.loaders()?.load(CheckpointId(id)).await?.ok_or(Fault::Internal)?.into())
}

fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

checkpoint_event_type! {
    /// People must decide.
    CheckpointRequested { requested: Box<Requested> } shows {
        /// What was proposed first.
        async fn proposal(&self) -> Proposal {
            Proposal(self.requested.proposal.clone())
        }

        /// The digest of exactly that.
        async fn digest(&self) -> &str {
            &self.requested.digest
        }
    }
}

checkpoint_event_type! {
    /// A rule approved something: nobody was asked.
    CheckpointAutoApproved { approved: Box<AutoApproved> } shows {
        /// What was proposed.
        async fn proposal(&self) -> Proposal {
            Proposal(self.approved.proposal.clone())
        }

        /// The digest of exactly that.
        async fn digest(&self) -> &str {
            &self.approved.digest
        }

        /// The rule that approved it.
        async fn rule(&self) -> &str {
            &self.approved.rule
        }
    }
}

checkpoint_event_type! {
    /// Somebody decided; others may have to.
    CheckpointDecided { decided: Box<Decided> } shows {
        /// What was decided, as it was then.
        async fn decision(&self) -> CheckpointDecision {
            CheckpointDecision(Decision { made: (*self.decided).clone(), at: self.line.0.at, lapsed: false })
        }
    }
}

checkpoint_event_type! {
    /// There is another revision of a proposal.
    CheckpointRevised { revised: Box<Revised> } shows {
        /// Its number.
        async fn revision(&self) -> i32 {
            small(self.revised.number)
        }

        /// Why there is another one.
        async fn cause(&self) -> RevisionCause {
            self.revised.cause.into()
        }

        /// What is proposed now.
        async fn proposal(&self) -> Proposal {
            Proposal(self.revised.proposal.clone())
        }

        /// The digest of exactly that.
        async fn digest(&self) -> &str {
            &self.revised.digest
        }
    }
}

checkpoint_event_type! {
    /// A decision counts no longer: it was about an older revision, or its maker may not approve any more.
    CheckpointDecisionLapsed { decision: Uuid, reason: Option<String> } shows {
        /// Why; null if it was about an older revision.
        async fn reason(&self) -> Option<&str> {
            self.reason.as_deref()
        }

        /// The decision, and who made it.
        async fn decision(&self, ctx: &Context<'_>) -> Result<CheckpointDecision> {
            let checkpoint = find(ctx, self.id).await?;
            let mut made = checkpoint.state(ctx).await?.decisions.iter();
            let found = made.find(|decision| decision.made.decision == self.decision);
            found.cloned().map(CheckpointDecision).ok_or(Fault::Internal)
        }
    }
}

checkpoint_event_type! {
    /// Something else is asked of people than before: the proposal or the policy has changed, or who may approve.
    CheckpointReassessed { reassessed: Box<Reassessed> } shows {
        /// Why.
        async fn why(&self) -> ReassessmentCause {
            self.reassessed.why.into()
        }

        /// What is asked for from then on.
        async fn requirement(&self) -> ApprovalRequirement {
            ApprovalRequirement(self.reassessed.requirement.clone())
        }
    }
}

checkpoint_event_type! {
    /// All who had to approve did, or answered.
    CheckpointApproved {} shows {}
}

checkpoint_event_type! {
    /// Somebody rejected it.
    CheckpointRejected { reason: String } shows {
        /// Why.
        async fn reason(&self) -> Option<&str> {
            Some(&self.reason)
        }
    }
}

checkpoint_event_type! {
    /// Nobody decided in time.
    CheckpointTimedOut { action: OnTimeout } shows {
        /// What happens then.
        async fn action(&self) -> TimeoutAction {
            self.action.into()
        }
    }
}

checkpoint_event_type! {
    /// Nobody needs the decision any more.
    CheckpointCancelled { reason: String } shows {
        /// Why.
        async fn reason(&self) -> Option<&str> {
            Some(&self.reason)
        }
    }
}

checkpoint_event_type! {
    /// Nobody decided for a while: others are asked as well.
    CheckpointEscalated { to: Vec<Contact> } shows {
        /// Who: `user:ADDRESS` or `group:NAME`.
        async fn escalated_to(&self) -> Vec<String> {
            self.to.iter().map(ToString::to_string).collect()
        }
    }
}

checkpoint_event_type! {
    /// Those who can decide are reminded.
    CheckpointReminded { number: u32 } shows {
        /// How often they have been by now.
        async fn reminders(&self) -> i32 {
            small(self.number)
        }
    }
}

checkpoint_event_type! {
    /// Somebody took it, gave it to somebody, or gave it back.
    CheckpointAssigned { to: Option<Uuid> } shows {
        /// Who looks at it from then on; null: nobody in particular.
        async fn assignee(&self, ctx: &Context<'_>) -> Result<Option<User>> {
            find_user(ctx, self.to).await
        }
    }
}

checkpoint_event_type! {
    /// Somebody let another person decide in their place.
    CheckpointDelegated { from: Uuid, to: Uuid } shows {
        /// In whose place; null if the account is gone.
        async fn from(&self, ctx: &Context<'_>) -> Result<Option<User>> {
            find_user(ctx, Some(self.from)).await
        }

        /// Who; null if the account is gone.
        async fn to(&self, ctx: &Context<'_>) -> Result<Option<User>> {
            find_user(ctx, Some(self.to)).await
        }
    }
}

checkpoint_event_type! {
    /// Somebody said something about it.
    CheckpointCommented { comment: Uuid, text: String } shows {
        /// The comment's id.
        async fn comment_id(&self) -> ID {
            self.comment.to_string().into()
        }

        /// What was said.
        async fn text(&self) -> &str {
            &self.text
        }
    }
}

checkpoint_event_type! {
    /// Somebody wants to know something before deciding.
    CheckpointQuestioned { question: Uuid, text: String } shows {
        /// The question's id, for `answerAboutCheckpoint`.
        async fn question_id(&self) -> ID {
            self.question.to_string().into()
        }

        /// What was asked.
        async fn text(&self) -> &str {
            &self.text
        }
    }
}

checkpoint_event_type! {
    /// Whoever is behind the proposal answered a question.
    CheckpointAnswered { question: Uuid, text: String } shows {
        /// The question's id.
        async fn question_id(&self) -> ID {
            self.question.to_string().into()
        }

        /// What was answered.
        async fn text(&self) -> &str {
            &self.text
        }
    }
}

checkpoint_event_type! {
    /// Somebody would not have approved what a rule did.
    CheckpointOverridden { reason: String } shows {
        /// Why not.
        async fn reason(&self) -> Option<&str> {
            Some(&self.reason)
        }
    }
}

impl CheckpointEvent {
    pub fn new(line: Line, event: Event) -> Self {
        let id = event.checkpoint();
        match event {
            Event::Requested(requested) => CheckpointRequested { line, id, requested }.into(),
            Event::AutoApproved(approved) => CheckpointAutoApproved { line, id, approved }.into(),
            Event::Decided(decided) => CheckpointDecided { line, id, decided }.into(),
            Event::Revised(revised) => CheckpointRevised { line, id, revised }.into(),
            Event::Lapsed { decision, reason, .. } => CheckpointDecisionLapsed { line, id, decision, reason }.into(),
            Event::Reassessed(reassessed) => CheckpointReassessed { line, id, reassessed }.into(),
            Event::Approved { .. } => CheckpointApproved { line, id }.into(),
            Event::Rejected { reason, .. } => CheckpointRejected { line, id, reason }.into(),
            Event::TimedOut { action, .. } => CheckpointTimedOut { line, id, action }.into(),
            Event::Cancelled { reason, .. } => CheckpointCancelled { line, id, reason }.into(),
            Event::Escalated { to, .. } => CheckpointEscalated { line, id, to }.into(),
            Event::Reminded { number, .. } => CheckpointReminded { line, id, number }.into(),
            Event::Assigned { to, .. } => CheckpointAssigned { line, id, to }.into(),
            Event::Delegated { from, to, .. } => CheckpointDelegated { line, id, from, to }.into(),
            Event::Commented { comment, text, .. } => CheckpointCommented { line, id, comment, text }.into(),
            Event::Asked { question, text, .. } => CheckpointQuestioned { line, id, question, text }.into(),
            Event::Answered { question, text, .. } => CheckpointAnswered { line, id, question, text }.into(),
            Event::Overridden { reason, .. } => CheckpointOverridden { line, id, reason }.into(),
        }
    }
}

impl From<CheckpointEvent> for ExecutionEvent {
    fn from(event: CheckpointEvent) -> Self {
        match event {
            CheckpointEvent::Requested(event) => event.into(),
            CheckpointEvent::AutoApproved(event) => event.into(),
            CheckpointEvent::Decided(event) => event.into(),
            CheckpointEvent::Revised(event) => event.into(),
            CheckpointEvent::DecisionLapsed(event) => event.into(),
            CheckpointEvent::Reassessed(event) => event.into(),
            CheckpointEvent::Approved(event) => event.into(),
            CheckpointEvent::Rejected(event) => event.into(),
            CheckpointEvent::TimedOut(event) => event.into(),
            CheckpointEvent::Cancelled(event) => event.into(),
            CheckpointEvent::Escalated(event) => event.into(),
            CheckpointEvent::Reminded(event) => event.into(),
            CheckpointEvent::Assigned(event) => event.into(),
            CheckpointEvent::Delegated(event) => event.into(),
            CheckpointEvent::Commented(event) => event.into(),
            CheckpointEvent::Questioned(event) => event.into(),
            CheckpointEvent::Answered(event) => event.into(),
            CheckpointEvent::Overridden(event) => event.into(),
        }
    }
}
