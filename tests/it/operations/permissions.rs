//! Only its owner can read what the server keeps.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{Running, wait_for_line};
use crate::support::command;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

/// A folder that everybody can enter, as a package or an administrator makes it.
fn open_folder(folder: &Path) -> PathBuf {
    let data = folder.join("data");
    fs::create_dir(&data).expect("a folder");
    set_mode(&data, 0o755);
    data
}

#[tokio::test]
async fn new_files_are_their_owners_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = open_folder(folder.path());
    let mut server = Running::spawn(command(folder.path()));
    server.address().await;
    for name in ["countersign.db", "countersign.db-wal", "countersign.db-shm", "countersign.db.lock"] {
        assert_eq!(mode(&data.join(name)), 0o600, "{name}");
    }
    server.stop().await;
}

#[tokio::test]
async fn files_that_others_can_read_are_tightened_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = open_folder(folder.path());
    let mut server = Running::spawn(command(folder.path()));
    server.address().await;
    server.stop().await;
    let files = data.join("files");
    fs::create_dir_all(&files).expect("a folder");
    set_mode(&files, 0o755);
    for name in ["countersign.db", "countersign.db.lock"] {
        set_mode(&data.join(name), 0o644);
    }
    let mut server = Running::spawn(command(folder.path()));
    for name in ["files", "countersign.db", "countersign.db.lock"] {
        wait_for_line(&mut server.log, &format!("{name} could be read by others")).await;
    }
    server.address().await;
    for name in ["countersign.db", "countersign.db-wal", "countersign.db-shm", "countersign.db.lock"] {
        assert_eq!(mode(&data.join(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&files), 0o700);
    server.stop().await;
}
