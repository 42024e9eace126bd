//! What happens while somebody watches: streams that replay and then follow, and the end of streams whose
//! reader lost the right to them.

mod access;
mod audit_stream;
mod quota;

pub use access::{Access, AccessWatch};
pub use audit_stream::audit_stream;
pub use quota::{Full, Quota, Seat};
