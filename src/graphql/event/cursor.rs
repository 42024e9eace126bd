//! Where an event stands in the journal, opaque outside.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use uuid::Uuid;

const PREFIX: &str = "journal ";

/// The cursor of a position in the journal.
pub fn encode_cursor(position: i64) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{PREFIX}{position}"))
}

pub fn decode_cursor(text: &str) -> Option<i64> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
    read(std::str::from_utf8(&bytes).ok()?.strip_prefix(PREFIX)?.split(' ').next()?)
}

fn read(position: &str) -> Option<i64> {
    position.parse().ok().filter(|position| (0..i64::MAX).contains(position))
}

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
        BASE64_URL_SAFE_NO_PAD.encode(format!("{PREFIX}{position} {journal} {checkpoint}"))
    }

    pub fn decode(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let mut words = std::str::from_utf8(&bytes).ok()?.strip_prefix(PREFIX)?.split(' ').skip(1);
        let (journal, checkpoint) = (read(words.next()?)?, Uuid::try_parse(words.next()?).ok()?);
        words.next().is_none().then_some(Self { checkpoint, journal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_survive_the_way_outside() {
        assert_eq!(decode_cursor(&encode_cursor(42)), Some(42));
        for text in ["", "nonsense", &BASE64_URL_SAFE_NO_PAD.encode("audit 42"), &encode_cursor(-1)] {
            assert_eq!(decode_cursor(text), None, "{text}");
        }
    }

    #[test]
    fn a_cursor_among_what_waits_is_one_of_the_journal_too() {
        let cursor = WaitingCursor { checkpoint: Uuid::from_u128(7), journal: 50 };
        let text = cursor.encode(42);
        assert_eq!(WaitingCursor::decode(&text), Some(cursor));
        assert_eq!(decode_cursor(&text), Some(42));
        assert_eq!(WaitingCursor::decode(&encode_cursor(42)), None);
    }
}
