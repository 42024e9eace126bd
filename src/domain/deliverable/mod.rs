//! Deliverables: what executions leave behind.
//!
//! Nothing here reads or writes: names and types are judged, content is recognised, shown and compared by its bytes.

mod detect;
mod diff;
mod event;
mod filename;
pub mod mime;
mod preview;
mod rules;
mod words;
pub mod zip;

pub use detect::detect;
pub use diff::{Difference, LARGEST_COMPARED, unified};
pub use event::{About, Event};
pub use filename::{Names, safe};
pub use preview::{HEAD, Preview, PreviewKind, kind_of, preview};
pub use rules::{check_hash, check_mime_type, check_name, check_url};
pub use words::{Status, Storage, Type};

/// The largest content that is kept in the database.
pub const LARGEST_INLINE: usize = 1024 * 1024;
