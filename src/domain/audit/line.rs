//! The audit log as lines of JSON: what an export is made of, and what is verified.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, json};

use super::{Commitment, Signature, record};

/// The version of the form that is written.
const FORMAT: u32 = 1;

/// A personal value with the salt of its commitment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// In hexadecimal.
    pub salt: String,
    pub value: serde_json::Value,
}

/// An entry as it was written down.
#[derive(Debug, Clone, PartialEq)]
pub struct EntryLine {
    /// What its hash covers.
    pub content: Map<String, serde_json::Value>,
    pub hash: String,
    /// The personal values that have not been erased, by the names of their parts.
    pub values: BTreeMap<String, Value>,
    /// Whether lists show it at another place than its number says. Only a database can be like that.
    pub misplaced: bool,
}

impl EntryLine {
    pub fn text(&self, name: &str) -> &str {
        self.content.get(name).and_then(serde_json::Value::as_str).unwrap_or_default()
    }

    pub fn sequence(&self) -> i64 {
        self.content.get("sequence").and_then(serde_json::Value::as_i64).unwrap_or_default()
    }

    /// The hash of what it says, which is the one that it has unless somebody changed it.
    pub fn true_hash(&self) -> String {
        record::hash(self.content.clone())
    }

    /// Nothing if they cannot be read.
    pub fn commitments(&self) -> Option<BTreeMap<String, Commitment>> {
        let personal = self.content.get("personal").cloned()?;
        serde_json::from_value(personal).ok()
    }
}

/// How an export begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub format: u32,
    /// The workspace's id.
    pub workspace: String,
    pub slug: String,
    #[serde(rename = "exportedAt")]
    pub exported_at: String,
    /// The number of the first entry.
    pub first: i64,
}

impl Head {
    pub fn new(workspace: String, slug: String, exported_at: String, first: i64) -> Self {
        Self { format: FORMAT, workspace, slug, exported_at, first }
    }
}

/// How an export ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The number of the last entry.
    pub sequence: i64,
    pub hash: String,
    /// Whether there was nothing after it by then.
    pub complete: bool,
}

/// One line.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Head(Head),
    Entry(Box<EntryLine>),
    Signature(Signature),
    /// Something that the database cannot read any more, and where it should be.
    Unreadable(Unreadable),
    End(End),
}

/// A value that nobody wrote like this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreadable {
    /// The number of the entry.
    pub sequence: i64,
    /// What cannot be read, and why.
    pub reason: String,
}

/// Why a line of a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(String);

const HEAD: &str = "head";
const ENTRY: &str = "entry";
const SIGNATURE: &str = "signature";
const UNREADABLE: &str = "unreadable";
const END: &str = "end";

impl Line {
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Line::Head(head) => typed(HEAD, json!(head)),
            Line::Signature(signature) => typed(SIGNATURE, json!(signature)),
            Line::Unreadable(what) => typed(UNREADABLE, json!(what)),
            Line::End(end) => typed(END, json!(end)),
            Line::Entry(entry) => {
                let mut line = Map::from_iter([("type".to_owned(), ENTRY.into())]);
                line.extend(entry.content.clone());
                line.insert("hash".to_owned(), entry.hash.clone().into());
                line.insert("values".to_owned(), json!(entry.values));
                line.into()
            }
        }
    }

    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let malformed = |error: serde_json::Error| Malformed(error.to_string());
        let mut fields: Map<String, serde_json::Value> = serde_json::from_str(text).map_err(malformed)?;
        let kind = fields.shift_remove("type");
        let kind = kind.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        match kind {
            HEAD => {
                let head: Head = serde_json::from_value(fields.into()).map_err(malformed)?;
                if head.format != FORMAT {
                    let message = format!("the file has the format {}: this version reads {FORMAT}", head.format);
                    return Err(Malformed(message));
                }
                Ok(Line::Head(head))
            }
            SIGNATURE => Ok(Line::Signature(serde_json::from_value(fields.into()).map_err(malformed)?)),
            UNREADABLE => Ok(Line::Unreadable(serde_json::from_value(fields.into()).map_err(malformed)?)),
            END => Ok(Line::End(serde_json::from_value(fields.into()).map_err(malformed)?)),
            ENTRY => {
                let hash = fields.shift_remove("hash");
                let hash = hash.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
                let values = fields.shift_remove("values").unwrap_or_else(|| json!({}));
                let values = serde_json::from_value(values).map_err(malformed)?;
                Ok(Line::Entry(Box::new(EntryLine { content: fields, hash, values, misplaced: false })))
            }
            other => Err(Malformed(format!("`type` is `{other}`: expected head, entry, signature or end"))),
        }
    }
}

fn typed(kind: &str, fields: serde_json::Value) -> serde_json::Value {
    let mut line = Map::from_iter([("type".to_owned(), kind.into())]);
    if let serde_json::Value::Object(fields) = fields {
        line.extend(fields);
    }
    line.into()
}
