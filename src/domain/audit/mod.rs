//! The audit log: what it records, and how it proves that nobody changed it.
//!
//! The entries of a workspace are a chain: each one has the hash of the one before it, and its own hash covers all that
//! it says. What is personal is covered by a salted hash of its own, a commitment, so that it can be erased while the
//! chain still holds. Signatures of the server say up to where the chain was written at a time, and the entry after a
//! signature covers it.

mod action;
mod agreement;
mod decisions;
mod entry;
mod line;
mod record;
mod signature;
mod unsigned;
mod verify;
mod witness;

pub use action::Action;
pub use agreement::{ACTIONS as ACTIONS_OF_JOURNAL, Told, checkpoints, disagreements};
pub use decisions::{Caused, of_events};
pub use entry::{Entry, Of, Origin, Part, Personal};
pub use line::{End, EntryLine, Head, Line, Malformed, Unreadable, Value as PersonalValue};
pub use record::{BEGINNING, Commitment, Record, commitment, digest_of};
pub use signature::{PublicKey, Signature, Signer};
pub use unsigned::{Waiting, patience};
pub use verify::{Broken, Expected, Fault, Report, Trust, Verifier};
pub use witness::{Seen, Witnessed};
