//! The server's part in the audit log: it signs what was written.

mod signing;

pub use signing::run;
pub(super) use signing::signer;
