//! Where the audit log's chain is, and who signs it.

use async_graphql::SimpleObject;

use crate::{domain::audit, store};

/// The server's signature under the audit log.
#[derive(SimpleObject)]
pub struct AuditSignature {
    /// The number of the last entry that it covers.
    sequence: i64,
    /// The hash of that entry.
    hash: String,
    /// When it was signed.
    at: String,
    /// The Ed25519 public key, in hexadecimal.
    public_key: String,
    /// The signature, in hexadecimal.
    signature: String,
}

impl From<audit::Signature> for AuditSignature {
    fn from(made: audit::Signature) -> Self {
        let audit::Signature { sequence, hash, at, key, signature, .. } = made;
        Self { sequence, hash, at, public_key: key, signature }
    }
}

/// Where the audit log's chain ends at the moment. Whoever remembers it can prove later that nothing before it changed.
#[derive(SimpleObject)]
pub struct AuditChain {
    /// The number of the last entry.
    sequence: i64,
    /// The hash of the last entry.
    hash: String,
    /// The latest signature; null until the first.
    signature: Option<AuditSignature>,
    /// The Ed25519 public key that the server signs with, in hexadecimal.
    public_key: String,
}

impl AuditChain {
    pub fn new(chain: store::audit::Chain, key: &audit::PublicKey) -> Self {
        let store::audit::Chain { sequence, hash, signature } = chain;
        Self { sequence, hash, signature: signature.map(AuditSignature::from), public_key: key.to_string() }
    }
}
