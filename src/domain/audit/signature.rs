//! The server's word that the chain was written up to an entry at a time.

use chrono::{DateTime, SecondsFormat, Utc};
use ed25519_dalek::{Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::record::digest_of;
use crate::domain::{canonical::canonical, id::WorkspaceId};

/// A key that signatures are checked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Reads 32 bytes in hexadecimal.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok()?;
        VerifyingKey::from_bytes(&bytes.try_into().ok()?).ok().map(Self)
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(self.0.as_bytes()))
    }
}

/// A signature under a place in the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The workspace's id.
    pub workspace: String,
    pub sequence: i64,
    /// The hash of the entry with this number.
    pub hash: String,
    /// When it was signed.
    pub at: String,
    /// The public key, in hexadecimal.
    pub key: String,
    /// How many seconds later entries wait for the next signature at most. Signatures of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<u64>,
    pub signature: String,
}

impl Signature {
    /// What is signed.
    fn statement(&self) -> String {
        let Self { workspace, sequence, hash, at, key, interval, .. } = self;
        let mut statement = json!({
            "purpose": "countersign audit log",
            "workspace": workspace, "sequence": sequence, "hash": hash, "at": at, "key": key,
        });
        if let Some(seconds) = interval {
            statement["interval"] = (*seconds).into();
        }
        canonical(&statement)
    }

    /// Stands for the signature in the entry after it, so that the chain covers its signatures as well.
    pub fn seal(&self) -> String {
        digest_of(&canonical(&json!(self)))
    }

    /// The key that made it; nothing if no key did.
    pub fn made_by(&self) -> Option<PublicKey> {
        let key = PublicKey::parse(&self.key)?;
        let bytes = data_encoding::HEXLOWER.decode(self.signature.as_bytes()).ok()?;
        let signature = ed25519_dalek::Signature::from_bytes(&bytes.try_into().ok()?);
        key.0.verify_strict(self.statement().as_bytes(), &signature).ok()?;
        Some(key)
    }
}

/// The server's key.
pub struct Signer {
    key: SigningKey,
    interval: Option<u64>,
}

impl Signer {
    pub fn new(secret: &[u8]) -> Option<Self> {
        Some(Self { key: SigningKey::from_bytes(secret.try_into().ok()?), interval: None })
    }

    /// One whose signatures say after how many seconds the next one comes.
    pub fn promising(self, seconds: u64) -> Self {
        Self { interval: Some(seconds), ..self }
    }

    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.key.verifying_key())
    }

    pub fn sign(&self, workspace: WorkspaceId, sequence: i64, hash: &str, at: DateTime<Utc>) -> Signature {
        let unsigned = Signature {
            workspace: workspace.to_string(),
            sequence,
            hash: hash.to_owned(),
            at: at.to_rfc3339_opts(SecondsFormat::Micros, true),
            key: self.public_key().to_string(),
            interval: self.interval,
            signature: String::new(),
        };
        let signature = self.key.sign(unsigned.statement().as_bytes());
        Signature { signature: data_encoding::HEXLOWER.encode(&signature.to_bytes()), ..unsigned }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed() -> Signature {
        let signer = Signer::new(&[7; 32]).expect("a key").promising(60);
        let at = "2026-01-02T03:04:05Z".parse().expect("a time");
        signer.sign(WorkspaceId(uuid::Uuid::nil()), 3, "ab", at)
    }

    #[test]
    fn a_signature_is_good_for_exactly_what_was_signed() {
        let signed = signed();
        assert_eq!(signed.made_by().map(|key| key.to_string()), Some(signed.key.clone()));
        for other in [
            Signature { sequence: 4, ..signed.clone() },
            Signature { hash: "ac".to_owned(), ..signed.clone() },
            Signature { at: "2026-01-02T03:04:06.000000Z".to_owned(), ..signed.clone() },
            Signature { workspace: "ws_x".to_owned(), ..signed.clone() },
            Signature { key: Signer::new(&[8; 32]).expect("a key").public_key().to_string(), ..signed.clone() },
            Signature { signature: signed.signature.replace('1', "2"), ..signed.clone() },
            Signature { interval: Some(61), ..signed.clone() },
            Signature { interval: None, ..signed.clone() },
            Signature { signature: String::new(), ..signed },
        ] {
            assert_eq!(other.made_by(), None, "{other:?}");
        }
    }
}
