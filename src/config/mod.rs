//! The settings: one table, read alike from flags, `COUNTERSIGN_*` variables and a TOML file.

mod sources;
mod table;
mod values;

pub use sources::{Error, Loaded, Source, augment, load};
pub use table::{Setting, Settings, TABLE};
pub use values::{DatabaseUrl, Duration, FileStorage, List, LogFormat, SecretKey};
