//! Deliverables, their versions and their content.
//!
//! Everything that is written here is written under the journal's lock, in the commit that tells of it: versions are
//! numbered without a gap, and nobody hears of content that is not there.

mod content;
mod read;
mod rows;
mod upload;
mod write;

pub use content::Head;
pub use read::{BY_NUMBER, Counts, Filter, Sort};
pub use rows::{Content, Deliverable, NewDeliverable, NewVersion, Put, Version};
pub use upload::Upload;
pub(super) use write::put;
