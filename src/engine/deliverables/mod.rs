//! Deliverables beyond their rows: their files, their content on its way in and out, and links to it.

pub mod archive;
mod compare;
mod content;
mod files;
mod keep;
mod links;
mod measure;
mod receive;
mod retention;

pub use compare::Comparison;
pub use content::Chunks;
pub use files::Files;
pub(super) use files::open_bucket;
pub use keep::Kept;
pub use links::{Link, Links};
pub use measure::{Measured, Measuring};
pub use receive::Failed;
