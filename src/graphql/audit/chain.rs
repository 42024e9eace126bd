//! Where the audit log's chain is, and who signs it.

use async_graphql::SimpleObject;

use super::witness::AuditWitness;
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
    /// How many seconds later entries wait for the next signature at most; null for signatures of earlier versions.
    interval_seconds: Option<i64>,
    /// The signature, in hexadecimal.
    signature: String,
}

impl From<audit::Signature> for AuditSignature {
    fn from(made: audit::Signature) -> Self {
        let audit::Signature { sequence, hash, at, key, interval, signature, .. } = made;
        let interval_seconds = interval.and_then(|seconds| i64::try_from(seconds).ok());
        Self { sequence, hash, at, public_key: key, interval_seconds, signature }
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
    /// Why the server does not sign the log any more: it is not as it was written. Null if all is well.
    refused_because: Option<String>,
    /// The places outside the database that see the signed heads.
    witnesses: Vec<AuditWitness>,
}

impl AuditChain {
    pub fn new(
        chain: store::audit::Chain,
        key: &audit::PublicKey,
        refused_because: Option<String>,
        witnesses: Vec<store::audit::Witness>,
    ) -> Self {
        let store::audit::Chain { sequence, hash, signature } = chain;
        let witnesses = witnesses.into_iter().map(AuditWitness::from).collect();
        let signature = signature.map(AuditSignature::from);
        Self { sequence, hash, signature, public_key: key.to_string(), refused_because, witnesses }
    }
}
