//! The settings: one table, read alike from flags, `COUNTERSIGN_*` variables and a TOML file.

mod caution;
mod sources;
mod table;
mod values;

pub use caution::without_passwords;
pub use sources::{Error, Loaded, Source, augment, load};
pub use table::{Setting, Settings, TABLE};
pub use values::{
    DatabaseCheck, DatabaseUrl, Duration, FileStorage, List, LogFormat, RolesFollow, SecretKey, WitnessPlace,
};
