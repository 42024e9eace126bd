//! What happens to executions, as the journal has it.

mod cursor;
mod kinds;
mod line;
mod of_checkpoint;
mod of_deliverable;
mod of_execution;
mod of_step;
mod page;

use std::sync::Arc;

use async_graphql::Interface;
use chrono::{DateTime, Utc};

use super::{audit::Actor, connection::connection, execution::Execution};
use crate::{domain::execution::Event, store::journal::Entry};

pub use cursor::WaitingCursor;
pub use kinds::{CheckpointEventType, ExecutionEventType};
pub use line::{Line, step_key};
pub use of_checkpoint::{
    CheckpointAnswered, CheckpointApproved, CheckpointAssigned, CheckpointAutoApproved, CheckpointCancelled,
    CheckpointCommented, CheckpointDecided, CheckpointDecisionLapsed, CheckpointDelegated, CheckpointEscalated,
    CheckpointEvent, CheckpointOverridden, CheckpointQuestioned, CheckpointReassessed, CheckpointRejected,
    CheckpointReminded, CheckpointRequested, CheckpointRevised, CheckpointTimedOut,
};
pub use of_deliverable::{
    DeliverableArchived, DeliverableCreated, DeliverableEvent, DeliverableFinalized, DeliverableRestored,
    DeliverableUpdated,
};
pub use of_execution::{
    ExecutionCancelled, ExecutionCompleted, ExecutionFailed, ExecutionPaused, ExecutionQueued, ExecutionResumed,
    ExecutionStarted, PayloadLarge, UnknownEvent,
};
pub use of_step::{
    StepCompleted, StepFailed, StepLogged, StepProgressed, StepReleased, StepReopened, StepRetried, StepScheduled,
    StepSkipped, StepStarted,
};
pub use page::page_of_journal;

/// One thing that happened to an execution. Nothing changes it.
//
// Fields of the same name have the same type in all of them: clients select from several types at once.
#[derive(Clone, Interface)]
#[graphql(
    field(name = "cursor", ty = "String", desc = "Give it as `after` to go on from here."),
    field(name = "at", ty = "DateTime<Utc>", desc = "When it happened."),
    field(name = "execution", ty = "Execution", desc = "The execution that it happened to, as it is now."),
    field(name = "actor", ty = "Actor", desc = "Who caused it.")
)]
pub enum ExecutionEvent {
    ExecutionQueued(ExecutionQueued),
    ExecutionStarted(ExecutionStarted),
    StepScheduled(StepScheduled),
    StepStarted(StepStarted),
    StepReleased(StepReleased),
    StepProgressed(StepProgressed),
    StepLogged(StepLogged),
    StepCompleted(StepCompleted),
    StepRetried(StepRetried),
    StepFailed(StepFailed),
    StepSkipped(StepSkipped),
    StepReopened(StepReopened),
    PayloadLarge(PayloadLarge),
    ExecutionPaused(ExecutionPaused),
    ExecutionResumed(ExecutionResumed),
    ExecutionCancelled(ExecutionCancelled),
    ExecutionCompleted(ExecutionCompleted),
    ExecutionFailed(ExecutionFailed),
    CheckpointRequested(CheckpointRequested),
    CheckpointAutoApproved(CheckpointAutoApproved),
    CheckpointDecided(CheckpointDecided),
    CheckpointRevised(CheckpointRevised),
    CheckpointDecisionLapsed(CheckpointDecisionLapsed),
    CheckpointReassessed(CheckpointReassessed),
    CheckpointApproved(CheckpointApproved),
    CheckpointRejected(CheckpointRejected),
    CheckpointTimedOut(CheckpointTimedOut),
    CheckpointCancelled(CheckpointCancelled),
    CheckpointEscalated(CheckpointEscalated),
    CheckpointReminded(CheckpointReminded),
    CheckpointAssigned(CheckpointAssigned),
    CheckpointDelegated(CheckpointDelegated),
    CheckpointCommented(CheckpointCommented),
    CheckpointQuestioned(CheckpointQuestioned),
    CheckpointAnswered(CheckpointAnswered),
    CheckpointOverridden(CheckpointOverridden),
    DeliverableCreated(DeliverableCreated),
    DeliverableUpdated(DeliverableUpdated),
    DeliverableFinalized(DeliverableFinalized),
    DeliverableArchived(DeliverableArchived),
    DeliverableRestored(DeliverableRestored),
    UnknownEvent(UnknownEvent),
}

impl From<Arc<Entry>> for ExecutionEvent {
    fn from(entry: Arc<Entry>) -> Self {
        let line = Line(Arc::clone(&entry), None);
        let event = match &entry.event {
            Ok(event) => event.clone(),
            Err(unknown) => return Self::UnknownEvent(UnknownEvent { line, kind: unknown.kind.clone() }),
        };
        match event {
            Event::Queued(queued) => Self::ExecutionQueued(ExecutionQueued { line, queued }),
            Event::Started {} => Self::ExecutionStarted(ExecutionStarted { line }),
            Event::StepScheduled { step, attempt, agent, agent_version, task, queue, computed: _ } => {
                let agent = (agent, agent_version);
                Self::StepScheduled(StepScheduled { line, step, attempt, agent, task, queue })
            }
            Event::StepStarted { step, attempt, agent, agent_version, work, computed: _ } => {
                let agent = (agent, agent_version);
                Self::StepStarted(StepStarted { line, step, attempt, agent, work })
            }
            Event::StepReleased { step, attempt, reason, task, queue } => {
                Self::StepReleased(StepReleased { line, step, attempt, reason, task, queue })
            }
            Event::StepProgressed { step, progress } => Self::StepProgressed(StepProgressed { line, step, progress }),
            Event::StepLogged { step, level, message } => Self::StepLogged(StepLogged { line, step, level, message }),
            Event::StepCompleted { step, attempt, output, usage, confidence, reasoning } => {
                Self::StepCompleted(StepCompleted { line, step, attempt, output, usage, confidence, reasoning })
            }
            Event::StepRetried { step, attempt, failure, usage, retry_at } => {
                Self::StepRetried(StepRetried { line, step, attempt, failure, usage, retry_at })
            }
            Event::StepFailed { step, attempt, failure, usage } => {
                Self::StepFailed(StepFailed { line, step, attempt, failure, usage })
            }
            Event::StepSkipped { step, reason } => Self::StepSkipped(StepSkipped { line, step, reason }),
            Event::StepReopened { step, wish } => Self::StepReopened(StepReopened { line, step, wish }),
            Event::Checkpoint(event) => CheckpointEvent::new(line, event).into(),
            Event::Deliverable(event) => DeliverableEvent::new(line, event).into(),
            Event::PayloadLarge { step, bytes } => Self::PayloadLarge(PayloadLarge { line, step, bytes }),
            Event::Paused {} => Self::ExecutionPaused(ExecutionPaused { line }),
            Event::Resumed {} => Self::ExecutionResumed(ExecutionResumed { line }),
            Event::Cancelled { reason, completion: _ } => Self::ExecutionCancelled(ExecutionCancelled { line, reason }),
            Event::Completed { reason } => Self::ExecutionCompleted(ExecutionCompleted { line, reason }),
            Event::Failed { reason, step, failure } => {
                Self::ExecutionFailed(ExecutionFailed { line, reason, step, failure })
            }
        }
    }
}

connection! {
    /// A page of what happened to an execution.
    ExecutionEventConnection,
    /// An event and where it stands in the journal.
    ExecutionEventEdge, ExecutionEvent
}
