//! Witnesses of the audit log: the places that see its signed heads, and the heads of others that this server has seen.

use async_graphql::{Context, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use crate::{
    domain::{
        audit::{Seen, Signature},
        id::WorkspaceId,
        role::Role,
    },
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome},
    },
    store,
};

/// A place outside the database that sees the signed heads of the audit log.
#[derive(SimpleObject)]
pub struct AuditWitness {
    /// Where it is, as in the setting `audit-witness`.
    place: String,
    /// The number of the last entry that it has seen; null until the first.
    sequence: Option<i64>,
    /// The hash of that entry.
    hash: Option<String>,
    /// When it took the head.
    witnessed_at: Option<DateTime<Utc>>,
    /// When it last could not be told; null if it could since.
    failed_at: Option<DateTime<Utc>>,
    /// Why it could not be told.
    failure: Option<String>,
    /// How often it could not be told since it last could.
    failures: i64,
}

impl From<store::audit::Witness> for AuditWitness {
    fn from(witness: store::audit::Witness) -> Self {
        let store::audit::Witness { place, sequence, hash, witnessed_at, failed_at, failure, failures } = witness;
        Self { place, sequence, hash, witnessed_at, failed_at, failure, failures }
    }
}

/// A signed head of another server's audit log, which this server remembers.
#[derive(SimpleObject)]
pub struct WitnessedAuditHead {
    /// The slug of the other server's workspace.
    slug: String,
    /// The id of the other server's workspace.
    workspace: String,
    /// The number of the last entry that the signature covers.
    sequence: i64,
    /// The hash of that entry.
    hash: String,
    /// When it was signed, as it was signed.
    at: String,
    /// The Ed25519 public key of the signature, in hexadecimal.
    public_key: String,
    /// How many seconds later entries wait for the next signature at most; null if the signature does not say.
    interval_seconds: Option<i64>,
    /// The signature, in hexadecimal.
    signature: String,
    /// When this server received it.
    received_at: DateTime<Utc>,
}

impl WitnessedAuditHead {
    fn new(seen: Seen, received_at: DateTime<Utc>) -> Self {
        let Signature { workspace, sequence, hash, at, key, interval, signature } = seen.head;
        let interval_seconds = interval.and_then(|seconds| i64::try_from(seconds).ok());
        Self {
            slug: seen.slug,
            workspace,
            sequence,
            hash,
            at,
            public_key: key,
            interval_seconds,
            signature,
            received_at,
        }
    }
}

/// A signed head of another server's audit log.
#[derive(InputObject)]
pub struct WitnessAuditHeadInput {
    /// The slug of the other server's workspace, for people.
    #[graphql(default)]
    slug: String,
    /// The id of the other server's workspace.
    workspace: String,
    /// The number of the last entry that the signature covers.
    sequence: i64,
    /// The hash of that entry.
    hash: String,
    /// When it was signed, as it was signed.
    at: String,
    /// The Ed25519 public key of the signature, in hexadecimal.
    public_key: String,
    /// How many seconds later entries wait for the next signature at most, if the signature says so.
    interval_seconds: Option<u64>,
    /// The signature, in hexadecimal.
    signature: String,
}

/// Whether the head is remembered, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct WitnessAuditHeadPayload {
    /// The head as it is remembered.
    head: Option<WitnessedAuditHead>,
    /// Whether another head with the same number is known: the log was written anew.
    fork: bool,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct WitnessQuery;

#[Object]
impl WitnessQuery {
    /// The signed heads of another server's audit log that this server remembers, by number. Two with the same number
    /// mean that the log was written anew. Needs the role VIEWER.
    #[graphql(
        complexity = "usize::try_from(first.unwrap_or(100)).unwrap_or(1).clamp(1, 500) * child_complexity / 8 + 1"
    )]
    async fn witnessed_audit_heads(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The id of the other server's workspace.")] of_workspace: String,
        #[graphql(desc = "From this number on: from the first when absent.")] from_sequence: Option<i64>,
        #[graphql(desc = "How many: 1 to 500, 100 when absent.")] first: Option<i32>,
    ) -> Result<Vec<WitnessedAuditHead>> {
        let scope = ctx.require(Role::Viewer)?;
        // No other text is ever kept.
        if of_workspace.parse::<WorkspaceId>().is_err() {
            return Ok(Vec::new());
        }
        let limit = u64::try_from(first.unwrap_or(100)).unwrap_or(1).clamp(1, 500);
        let store = ctx.engine().store();
        let heads = store.witnessed_heads(scope, &of_workspace, from_sequence.unwrap_or(0), limit).await?;
        Ok(heads.into_iter().map(|(seen, received_at)| WitnessedAuditHead::new(seen, received_at)).collect())
    }
}

#[derive(Default)]
pub struct WitnessMutation;

#[Object]
impl WitnessMutation {
    /// Remembers a signed head of another server's audit log, as its witness. Nothing takes it back.
    /// Needs the role OPERATOR.
    async fn witness_audit_head(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: WitnessAuditHeadInput,
    ) -> Result<WitnessAuditHeadPayload> {
        let scope = ctx.require(Role::Operator)?;
        let head = Signature {
            workspace: input.workspace,
            sequence: input.sequence,
            hash: input.hash,
            at: input.at,
            key: input.public_key,
            interval: input.interval_seconds,
            signature: input.signature,
        };
        let seen = Seen { slug: input.slug, head };
        Ok(match outcome(ctx.engine().witness_audit_head(scope, seen.clone()).await)? {
            Ok(fork) => {
                let head = WitnessedAuditHead::new(seen, ctx.engine().clock().now());
                WitnessAuditHeadPayload { head: Some(head), fork, user_errors: Vec::new() }
            }
            Err(user_errors) => WitnessAuditHeadPayload { user_errors, ..Default::default() },
        })
    }
}
