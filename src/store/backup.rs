//! Consistent copies of an SQLite database that may be in use, and bringing one back.

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use migration::{Migrator, MigratorTrait};
use rusqlite::{Connection, OpenFlags};

use super::{Error, Result, file_guard::BESIDE, private_files, servers::lock_file};

/// What was copied.
#[derive(Debug)]
pub struct Backup {
    pub bytes: u64,
}

/// What was brought back.
#[derive(Debug)]
pub struct Restored {
    /// Where the database went that was there before.
    pub kept: Option<PathBuf>,
}

/// How thoroughly a database is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// The form of every page.
    Quick,
    /// Also whether indexes match their tables.
    Full,
}

fn failed(what: &str, path: &Path, error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("cannot {what} {}: {error}", path.display()))
}

/// The name with something added to it.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Writes a copy of a database to a file that must not be there yet. The database may be in use.
pub fn back_up(database: &Path, to: &Path) -> Result<Backup> {
    if !database.exists() {
        return Err(failed("read", database, "there is no such file"));
    }
    if to.exists() {
        return Err(failed("write", to, "it exists already, and a backup never replaces anything"));
    }
    let source = open(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let unfinished = beside(to, ".unfinished");
    let copied = copy(&source, &unfinished);
    // Nothing of a copy that is not whole stays under the name of one that is.
    let done = copied.and_then(|()| verify(&unfinished)).and_then(|()| settle(&unfinished, to));
    if done.is_err() {
        remove(&unfinished);
    }
    done?;
    let bytes = fs::metadata(to).map_err(|error| failed("read", to, error))?.len();
    Ok(Backup { bytes })
}

/// Puts a backup in the place of a database. What was there is kept beside it, if `force` says that it may be replaced.
pub fn restore(from: &Path, database: &Path, force: bool, now: DateTime<Utc>) -> Result<Restored> {
    if !from.is_file() {
        return Err(failed("read", from, "there is no such file"));
    }
    verify(from)?;
    if let Some(folder) = database.parent() {
        private_files::create_folder(folder)?;
    }
    // No server begins until this is done.
    let _lock = lock_file(&database.display().to_string())?;
    if database.exists() && !force {
        let problem = "it exists already: with `--force` it is kept under another name, and the backup takes its place";
        return Err(failed("write", database, problem));
    }
    let unfinished = beside(database, ".unfinished");
    remove(&unfinished);
    let source = open(from, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let copied = copy(&source, &unfinished).and_then(|()| verify(&unfinished));
    if let Err(error) = copied {
        remove(&unfinished);
        return Err(error);
    }
    let kept = if database.exists() { Some(keep(database, now)?) } else { None };
    settle(&unfinished, database)?;
    Ok(Restored { kept })
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = connection.map_err(|error| failed("open", path, error))?;
    connection.busy_timeout(super::connect::ACQUIRE_TIMEOUT).map_err(|error| failed("open", path, error))?;
    Ok(connection)
}

/// All pages in one step: in a single look at the database, beside which others go on writing.
fn copy(source: &Connection, to: &Path) -> Result<()> {
    private_files::create(to).map_err(|error| failed("create", to, error))?;
    let copy = || {
        let mut target = Connection::open(to)?;
        rusqlite::backup::Backup::new(source, &mut target)?.step(-1)?;
        // One file, with nothing beside it that could be left behind.
        target.pragma_update(None, "journal_mode", "DELETE")
    };
    copy().map_err(|error: rusqlite::Error| failed("copy to", to, error))
}

/// Whether a file is a sound database of this program, and not one of a newer version.
fn verify(path: &Path) -> Result<()> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    examine(&connection, path, Thoroughness::Full)?;
    let versions = || -> rusqlite::Result<Vec<String>> {
        let mut statement = connection.prepare("SELECT version FROM seaql_migrations")?;
        statement.query_map([], |row| row.get(0))?.collect()
    };
    let versions = versions().map_err(|_| failed("use", path, "it is no database of Countersign"))?;
    let known = Migrator::migrations();
    match versions.iter().find(|version| !known.iter().any(|known| known.name() == version.as_str())) {
        Some(newer) => {
            Err(failed("use", path, format!("it is of a newer version of Countersign, which has `{newer}`")))
        }
        None => Ok(()),
    }
}

fn examine(connection: &Connection, path: &Path, thoroughness: Thoroughness) -> Result<()> {
    let check = match thoroughness {
        Thoroughness::Quick => "PRAGMA quick_check(1)",
        Thoroughness::Full => "PRAGMA integrity_check(1)",
    };
    let found: rusqlite::Result<String> = connection.query_row(check, [], |row| row.get(0));
    let problem = match found {
        Ok(found) if found == "ok" => return Ok(()),
        Ok(found) => found,
        Err(error) => error.to_string(),
    };
    Err(Error::Unexpected(format!("{} is damaged: {}", path.display(), problem.replace('\n', " "))))
}

/// Fails if an SQLite database that is there is damaged.
pub fn check_soundness(database: &Path, thoroughness: Thoroughness) -> Result<()> {
    if !database.exists() {
        return Ok(());
    }
    examine(&open(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?, database, thoroughness)
}

/// Moves a database out of the way, with the files beside it that belong to it.
fn keep(database: &Path, now: DateTime<Utc>) -> Result<PathBuf> {
    let kept = beside(database, &format!(".before-restore-{}", now.format("%Y%m%dT%H%M%S%fZ")));
    for suffix in [""].iter().chain(&BESIDE) {
        let (from, to) = (beside(database, suffix), beside(&kept, suffix));
        if from.exists() {
            fs::rename(&from, &to).map_err(|error| failed("move", &from, error))?;
        }
    }
    Ok(kept)
}

/// Gives a finished file its name, durably.
fn settle(unfinished: &Path, name: &Path) -> Result<()> {
    let settle = || {
        File::open(unfinished)?.sync_all()?;
        fs::rename(unfinished, name)?;
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    };
    settle().map_err(|error| failed("write", name, error))
}

fn remove(path: &Path) {
    // What is not there need not be removed.
    let _ = fs::remove_file(path);
}
