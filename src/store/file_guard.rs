//! Whether SQLite's files are still those that were opened.
//!
//! A file that is deleted or replaced stays open, and takes every write, until the process ends. Then all of it is gone.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Error, Result};

/// What SQLite adds to a database's name for the files beside it.
pub const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// Device and number: whatever has the same ones is the same file, under whatever name.
type Identity = (u64, u64);

pub struct FileGuard {
    files: Vec<(PathBuf, Identity)>,
    sound: AtomicBool,
}

impl FileGuard {
    /// Takes note of the files of a database that has just been opened and used.
    pub fn of(database: &str) -> Self {
        let names = [""].iter().chain(&BESIDE).map(|suffix| PathBuf::from(format!("{database}{suffix}")));
        let files = names.filter_map(|path| identity(&path).map(|found| (path, found))).collect();
        Self { files, sound: AtomicBool::new(true) }
    }

    /// Looks at the names only: SQLite loses its locks when somebody else opens and closes its files.
    pub fn check(&self) -> Result<()> {
        for (path, opened) in &self.files {
            let what = match identity(path) {
                Some(found) if found == *opened => continue,
                Some(_) => "was replaced",
                None => "is gone",
            };
            let problem = format!("{} {what} while the server has it open", path.display());
            if self.sound.swap(false, Ordering::Relaxed) {
                tracing::error!("{problem}: nothing is written any more; put it back, or stop the server and restore");
            }
            return Err(Error::Unavailable(problem));
        }
        if !self.sound.swap(true, Ordering::Relaxed) {
            tracing::warn!("the database's files are back: writing goes on");
        }
        Ok(())
    }
}

fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}
