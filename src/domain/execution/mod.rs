//! Executions: what can happen to one, and what follows from it.
//!
//! Everything that happens is an [`Event`] in the execution's journal. [`State`] is what the events add up to;
//! [`decide`] says which events a [`Command`] causes, or why it is refused; [`advance()`] says which steps come next.
//! None of it does anything: the engine appends the events and carries out what they mean.

mod advance;
mod command;
mod data;
mod due;
mod estimate;
mod event;
mod failure;
mod gate;
mod state;
mod status;
mod table;
mod usage;

pub use advance::{Agents, Available, advance};
pub use command::{Command, decide, late_step};
pub use data::{Data, LARGEST_INLINE, PayloadHash};
pub use due::{execution_deadline, time_left, wake_at};
pub use estimate::{Pace, seconds_remaining};
pub use event::{Event, Kept, LogLevel, Origin, OriginKind, Queued, Released, Wish, Work};
pub use failure::{Failure, FailureCode};
pub use gate::Judged;
pub use state::{Approved, Finish, State, StepState};
pub use status::{CompletionReason, Mode, Status, StepStatus};
pub use table::{Verb, allows, permit};
pub use usage::Usage;
