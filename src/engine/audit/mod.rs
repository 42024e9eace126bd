//! The server's part in the audit log: it signs what was written, and tells witnesses.

mod chains;
pub mod contents;
mod signing;
pub mod witness;

pub use chains::Chains;
pub use signing::run;
pub(super) use signing::signer;
