//! What happens while somebody watches: streams that replay and then follow, and the end of streams whose
//! reader lost the right to them.

mod access;
mod audit_stream;
mod hub;
mod journal_stream;
mod pending_stream;
mod quota;
mod task_stream;
mod way_in_stream;

pub use access::{Access, AccessWatch};
pub use audit_stream::audit_stream;
pub use hub::Hub;
pub use journal_stream::journal_stream;
pub use pending_stream::pending_stream;
pub use quota::{Full, Quota, Seat};
pub use task_stream::task_stream;
pub use way_in_stream::{WayIn, way_in_stream};
