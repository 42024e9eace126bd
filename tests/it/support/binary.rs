//! The real binary in a process of its own.

use std::path::Path;

use tokio::process::Command;

/// The binary with nothing of the test's own environment.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.env_clear().current_dir(folder).env("COUNTERSIGN_LOG", "off").kill_on_drop(true);
    command
}
