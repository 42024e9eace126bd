//! The audit log: who did what, when and from where.

mod action;
mod actor;
mod chain;
mod entry;
mod queries;
mod subscription;
mod told;
mod witness;

pub use action::AuditAction;
pub use actor::Actor;
pub use entry::{AuditEntry, AuditEntryConnection};
pub use queries::AuditQuery;
pub use subscription::AuditSubscription;
pub(in crate::graphql) use told::{Entry, words};
pub use told::{Told, Word, told};
pub use witness::{WitnessMutation, WitnessQuery};
