//! Where an event stands in the journal, opaque outside.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

const PREFIX: &str = "journal ";

/// The cursor of a position in the journal.
pub fn encode_cursor(position: i64) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("{PREFIX}{position}"))
}

pub fn decode_cursor(text: &str) -> Option<i64> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
    let position: i64 = std::str::from_utf8(&bytes).ok()?.strip_prefix(PREFIX)?.parse().ok()?;
    (0..i64::MAX).contains(&position).then_some(position)
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
}
