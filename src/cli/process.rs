//! What the process may do, and what others may do with its files.

use rustix::{
    fs::Mode,
    process::{Resource, Rlimit, getrlimit, setrlimit, umask},
};

use crate::config::Settings;

/// Files beside connections: logs, databases, content on its way.
const FILES_BESIDE: u64 = 256;

/// What is written from here on can be read by its owner alone.
pub fn keep_files_private() {
    umask(Mode::RWXG | Mode::RWXO);
}

/// Lets the process open as many files as the system allows, and says so if these are too few.
pub fn allow_many_files(settings: &Settings) {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "cannot raise the number of files that may be open");
    }
    let needed = settings.max_connections as u64 + 2 * u64::from(settings.database_connections) + FILES_BESIDE;
    if let Some(allowed) = getrlimit(Resource::Nofile).current.filter(|allowed| *allowed < needed) {
        tracing::warn!(
            allowed,
            needed,
            "too few files may be open for `max-connections`: raise the limit (`ulimit -n`, LimitNOFILE), or lower the setting"
        );
    }
}
