//! Pages of a log: its lines are numbered, and their positions are its cursors, opaque outside.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};

use super::{
    connection::{PageArgs, Rows, bad_stream_cursor},
    error::Result,
};
use crate::store::Range;

/// A log of the server. Its name keeps one log's cursors from being used for another.
#[derive(Debug, Clone, Copy)]
pub struct Log(&'static str);

pub const AUDIT: Log = Log("audit");
pub const JOURNAL: Log = Log("journal");
/// What happens to sessions and API tokens; its positions are times, in microseconds.
pub const WAYS_IN: Log = Log("ways_in");

impl Log {
    /// The cursor of a position, which may be followed by what only some streams look at.
    pub fn cursor(self, position: impl std::fmt::Display) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(format!("{} {position}", self.0))
    }

    fn position(self, cursor: &str) -> Option<i64> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let mut words = std::str::from_utf8(&bytes).ok()?.split(' ');
        let (name, position) = (words.next()?, words.next()?);
        let position: i64 = position.parse().ok()?;
        (name == self.0 && (0..i64::MAX).contains(&position)).then_some(position)
    }

    /// The position after which a stream goes on.
    pub fn after(self, cursor: Option<&str>) -> Result<Option<i64>> {
        cursor.map(|text| self.position(text).ok_or_else(|| bad_stream_cursor("after"))).transpose()
    }

    /// The same for a log whose positions are times.
    pub fn time_after(self, cursor: Option<&str>) -> Result<Option<DateTime<Utc>>> {
        let position = self.after(cursor)?;
        position
            .map(|micros| DateTime::from_timestamp_micros(micros).ok_or_else(|| bad_stream_cursor("after")))
            .transpose()
    }

    pub fn page(self, args: &PageArgs, newest_first: bool) -> Result<LogPage> {
        let (size, from_end) = args.size()?;
        let (after, before) = args.bounds(|text| self.position(text))?;
        Ok(LogPage { log: self, size, from_end, after, before, newest_first })
    }
}

/// Which part of a log a page shows.
#[derive(Debug)]
pub struct LogPage {
    log: Log,
    pub size: u64,
    from_end: bool,
    after: Option<i64>,
    before: Option<i64>,
    newest_first: bool,
}

impl LogPage {
    /// Whether it is the page at the start of its list.
    pub fn is_first(&self) -> bool {
        self.after.is_none() && self.before.is_none() && !self.from_end
    }

    /// What to read: one line more than asked for tells whether there is another page.
    pub fn range(&self) -> Range {
        let (above, below) = if self.newest_first { (self.before, self.after) } else { (self.after, self.before) };
        Range { above, below, newest_first: self.newest_first != self.from_end, limit: self.size + 1 }
    }

    /// The page, of what was read.
    pub fn rows<T, N>(&self, lines: Vec<T>, position: impl Fn(&T) -> i64, node: impl Fn(T) -> N) -> Rows<N> {
        let mut lines = lines;
        let more = lines.len() as u64 > self.size;
        lines.truncate(usize::try_from(self.size).unwrap_or(usize::MAX));
        if self.from_end {
            lines.reverse();
        }
        Rows {
            edges: lines.into_iter().map(|line| (self.log.cursor(position(&line)), node(line))).collect(),
            has_previous: if self.from_end { more } else { self.after.is_some() },
            has_next: if self.from_end { self.before.is_some() } else { more },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_survive_the_way_outside() {
        assert_eq!(JOURNAL.position(&JOURNAL.cursor(42)), Some(42));
        for text in ["", "nonsense", &AUDIT.cursor(42), &JOURNAL.cursor(-1)] {
            assert_eq!(JOURNAL.position(text), None, "{text}");
        }
    }
}
