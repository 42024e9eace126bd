//! Signed heads that are kept outside the database, and whether a chain still contains them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Signature;

/// A signed head as a witness keeps it: one JSON object, one line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The workspace's slug, for people.
    #[serde(default)]
    pub slug: String,
    #[serde(flatten)]
    pub head: Signature,
}

impl Seen {
    pub fn to_line(&self) -> String {
        serde_json::json!(self).to_string()
    }

    pub fn parse(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| format!("this is no signed head: {error}"))
    }
}

/// What witnesses saw of one chain. The same head at several witnesses is kept once.
#[derive(Debug, Clone, Default)]
pub struct Witnessed(BTreeMap<i64, Vec<(String, Said)>>);

/// Who says that a head was there.
#[derive(Debug, Clone)]
pub struct Said {
    pub place: String,
    pub at: String,
}

impl Witnessed {
    pub fn add(&mut self, place: &str, head: &Signature) {
        let known = self.0.entry(head.sequence).or_default();
        if !known.iter().any(|(hash, _)| *hash == head.hash) {
            known.push((head.hash.clone(), Said { place: place.to_owned(), at: head.at.clone() }));
        }
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The witness that saw another hash under this number.
    pub(super) fn contradiction(&self, sequence: i64, hash: &str) -> Option<(&str, &Said)> {
        let seen = self.0.get(&sequence)?;
        seen.iter().find(|(known, _)| known != hash).map(|(known, said)| (known.as_str(), said))
    }

    /// The latest head that was seen after an entry.
    pub(super) fn after(&self, sequence: i64) -> Option<(i64, &Said)> {
        let (sequence, seen) = self.0.range(sequence + 1..).next_back()?;
        seen.first().map(|(_, said)| (*sequence, said))
    }
}
