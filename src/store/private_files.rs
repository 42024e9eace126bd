//! Files that only their owner may read: they hold password hashes and keys.

use std::{
    fs::{DirBuilder, File, OpenOptions, Permissions},
    io::ErrorKind,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

use super::{Error, Result};

const OTHERS: u32 = 0o077;

/// Makes a folder, and those above it, unless it is there.
pub fn create_folder(folder: &Path) -> Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| Error::Unavailable(format!("cannot create the folder {}: {error}", folder.display())))
}

/// Makes a file that is not there yet.
pub fn create(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Opens a file, which is made if it is not there.
pub fn open_or_create(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// Takes the right to read a file or folder from everybody else. What is not there needs no care.
pub fn tighten(path: &Path) -> Result<()> {
    let shown = path.display();
    let mode = match std::fs::metadata(path) {
        Ok(found) => found.permissions().mode() & 0o7777,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::Unavailable(format!("cannot look at {shown}: {error}"))),
    };
    if mode & OTHERS == 0 {
        return Ok(());
    }
    std::fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS)).map_err(|error| {
        Error::Unexpected(format!(
            "{shown} can be read by others (mode {mode:o}), and that cannot be changed: {error}; \
             run the server as its owner, or take the right away with `chmod go= {shown}`"
        ))
    })?;
    tracing::warn!(mode = format!("{mode:o}"), "{shown} could be read by others; now its owner alone can");
    Ok(())
}
