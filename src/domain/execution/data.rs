//! Values in the journal: small ones stand there, large ones are referred to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::domain::json::Json;

/// Values of more bytes live once in the payload table.
pub const LARGEST_INLINE: usize = 64 * 1024;

/// What a stored value is found by: the SHA-256 of its text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PayloadHash(pub [u8; 32]);

impl fmt::Display for PayloadHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for PayloadHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PayloadHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bytes = data_encoding::HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| format!("`{text}` is not a hash"))
    }
}

impl Serialize for PayloadHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PayloadHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A value of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Data {
    #[serde(rename = "value")]
    Inline(Json),
    /// In the payload table, with its size in bytes.
    #[serde(rename = "stored")]
    Stored { hash: PayloadHash, bytes: u64 },
}

impl Data {
    pub fn bytes(&self) -> u64 {
        match self {
            Data::Inline(json) => json.size() as u64,
            Data::Stored { bytes, .. } => *bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_survive_the_journal() {
        let inline = Data::Inline(Json::parse(r#"{"big":123456789012345678901234567890}"#).expect("valid"));
        let stored = Data::Stored { hash: PayloadHash([7; 32]), bytes: 70_000 };
        for data in [inline, stored] {
            let text = serde_json::to_string(&data).expect("JSON");
            assert_eq!(serde_json::from_str::<Data>(&text).expect("JSON"), data, "{text}");
        }
    }
}
