//! The entries at the end of a chain that no signature covers yet, and how long they may be there.

use chrono::{DateTime, TimeDelta, Utc};

use super::line::EntryLine;

/// How long an entry may be without a signature, given how often the server signs. Signing itself takes time, and the
/// clocks of several servers differ.
pub fn patience(interval: TimeDelta) -> TimeDelta {
    let twice = interval.checked_add(&interval).unwrap_or(TimeDelta::MAX);
    twice.checked_add(&TimeDelta::minutes(1)).unwrap_or(TimeDelta::MAX)
}

/// The entries of a running server that wait for a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The first of them.
    pub sequence: i64,
    pub id: String,
    pub earliest: DateTime<Utc>,
    pub latest: DateTime<Utc>,
}

impl Waiting {
    pub(super) fn with(found: Option<Self>, entry: &EntryLine, at: DateTime<Utc>) -> Self {
        match found {
            Some(found) => Self { earliest: found.earliest.min(at), latest: found.latest.max(at), ..found },
            None => Self { sequence: entry.sequence(), id: entry.text("id").to_owned(), earliest: at, latest: at },
        }
    }

    /// Whether a server that signs so often can have left all of them, because it ended before it could sign.
    pub fn fits_one_interval(&self, interval: TimeDelta) -> bool {
        self.latest - self.earliest <= patience(interval)
    }

    /// Whether the time of one is still to come.
    pub fn is_ahead_of(&self, now: DateTime<Utc>, interval: TimeDelta) -> bool {
        self.latest - now > patience(interval)
    }
}

/// Whether the command line can have written an entry. It does not sign, because it may not have the key: these entries
/// wait for a server, however long. Decisions are never among them.
pub(super) fn is_of_command_line(entry: &EntryLine) -> bool {
    let actor = entry.content.get("actor").and_then(|actor| actor.get("kind"));
    actor.and_then(serde_json::Value::as_str) == Some("SYSTEM") && !entry.content.contains_key("execution")
}
