//! Where a stream stands that first tells what waits, opaque outside.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use uuid::Uuid;

use crate::graphql::log::JOURNAL;

/// Where a stream stands that first tells what waits, in the order of checkpoints, and then goes on with the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingCursor {
    /// The last one that was told.
    pub checkpoint: Uuid,
    /// From where the journal follows.
    pub journal: i64,
}

impl WaitingCursor {
    /// The cursor of an event at a position. Everybody else reads it as that of the position.
    pub fn encode(self, position: i64) -> String {
        let Self { checkpoint, journal } = self;
        JOURNAL.cursor(format_args!("{position} {journal} {checkpoint}"))
    }

    pub fn decode(text: &str) -> Option<Self> {
        JOURNAL.after(Some(text)).ok()?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let mut words = std::str::from_utf8(&bytes).ok()?.split(' ').skip(2);
        let journal = words.next()?.parse().ok().filter(|position| (0..i64::MAX).contains(position))?;
        let checkpoint = Uuid::try_parse(words.next()?).ok()?;
        words.next().is_none().then_some(Self { checkpoint, journal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_among_what_waits_is_one_of_the_journal_too() {
        let cursor = WaitingCursor { checkpoint: Uuid::from_u128(7), journal: 50 };
        let text = cursor.encode(42);
        assert_eq!(WaitingCursor::decode(&text), Some(cursor));
        assert_eq!(JOURNAL.after(Some(&text)).ok(), Some(Some(42)));
        assert_eq!(WaitingCursor::decode(&JOURNAL.cursor(42)), None);
    }
}
