//! Points in time that every database can keep.

use chrono::{DateTime, Datelike, Utc};

use super::refusal::Refusal;

/// Whether a time is of a year with four digits. Outside these PostgreSQL has an end, and SQLite, where times are
/// texts, has another order.
pub fn is_storable(at: DateTime<Utc>) -> bool {
    (0..=9999).contains(&at.year())
}

/// Checks a time that came from outside.
pub fn check(field: &'static str, at: DateTime<Utc>) -> Result<DateTime<Utc>, Refusal> {
    if is_storable(at) {
        Ok(at)
    } else {
        Err(Refusal::invalid(field, format!("`{field}` is in the year {}: give one from 0 to 9999", at.year())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_have_four_digits() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        for text in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"] {
            assert_eq!(check("at", at(text)), Ok(at(text)));
        }
        for text in ["-0001-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"] {
            assert!(check("at", at(text)).is_err(), "{text}");
        }
    }
}
