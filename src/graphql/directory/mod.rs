//! The directory: what happens to people, groups and the workspace itself.

mod subscription;

pub use subscription::DirectorySubscription;
