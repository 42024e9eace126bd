//! The library as a whole: what happens to its agents and workflows.

mod subscription;

pub use subscription::LibrarySubscription;
