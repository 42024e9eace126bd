//! Times of the hot tables: microseconds since 1970.

use chrono::{DateTime, Utc};

pub fn from_time(at: DateTime<Utc>) -> i64 {
    at.timestamp_micros()
}

pub fn to_time(micros: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(micros).unwrap_or_default()
}
