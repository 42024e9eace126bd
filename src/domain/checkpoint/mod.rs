//! Checkpoints: where an execution waits for people.
//!
//! A checkpoint is part of its execution: its events are in the execution's journal, and what is decided moves the
//! execution in the same commit. Nothing here knows the execution: [`decide`] and [`wake`] say what happens to one
//! checkpoint, and the execution draws its conclusions.

mod audience;
mod command;
mod difference;
mod event;
pub mod items;
mod lesson;
mod proposal;
mod state;
mod words;

pub use audience::{Audience, Barred, by_id};
pub use command::{Assessed, Command, Decide, Instead, Reassess, decide, wake};
pub use difference::{Change, differences, in_short};
pub use event::{AutoApproved, Decided, Event, Reassessed, Requested, Revised, Seated};
pub use items::Item;
pub use lesson::{Evidence, Lesson, LessonKind, changed_by_people, is_modified};
pub use proposal::{Answered, Contents, Proposal, Question, Runs};
pub use state::{Asked, Checkpoint, Decision, Overridden, Remark, Revision, apply};
pub use words::{Cause, Kind, Reassessment, Status, Subject, Verdict};
