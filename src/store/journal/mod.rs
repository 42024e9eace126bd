//! The journal: what happened to executions, and the rows that are derived from it.
//!
//! [`Store::append`] writes what many callers decided in one transaction. Whoever decided on an old state is told so,
//! and the others go on. Positions are given here, one by one and without a gap, and become visible in their order.

mod append;
mod blocks;
mod decision;
mod packing;
mod project;
mod read;
mod rows;

pub(super) use append::{JOURNAL_CHANNEL, latest_position, latest_seq, lock};
pub(super) use blocks::entries;
pub use blocks::lines;
pub use decision::{Append, Appended, Committed, Prepared, Prolonged, Written};
pub use project::{Owner, Projection, found, project};
pub use read::{Entry, JournalFilter, Unknown};
pub(super) use rows::{chunks, insert_audiences, insert_cases, insert_evidence};
