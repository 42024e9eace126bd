//! What this server knows of the chains of the audit log, and whether it signs them.
//!
//! What is in the database can be rewritten by those who have it. So the server signs nothing that it has not looked at:
//! from the last signature on, every entry must be as it was written. While it runs it also remembers up to where it has
//! looked. A chain that does not hold is not signed any more: its entries are recorded, and everybody is told.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::TimeDelta;
use futures_util::StreamExt;
use tokio::sync::OnceCell;

use crate::{
    domain::{
        audit::{Broken, Expected, Fault, Line, Report, Trust, Verifier},
        id::WorkspaceId,
    },
    engine::{Engine, Error, Result},
};

/// What is known of the chains.
#[derive(Default)]
pub struct Chains {
    known: Mutex<HashMap<WorkspaceId, Known>>,
    /// Set once what was there at the start has been looked at.
    begun: OnceCell<()>,
}

#[derive(Debug, Clone)]
enum Known {
    /// It is sound up to here.
    Sound(Expected),
    /// It is not signed any more, and why.
    Refused(String),
}

impl Chains {
    fn known(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a chain is not signed any more.
    pub fn refusal(&self, workspace: WorkspaceId) -> Option<String> {
        match self.known().get(&workspace) {
            Some(Known::Refused(why)) => Some(why.clone()),
            Some(Known::Sound(_)) | None => None,
        }
    }

    fn refuse(&self, workspace: WorkspaceId, why: String) {
        tracing::error!(
            %workspace,
            reason = why,
            "the audit log is not as it was written: it is NOT SIGNED any more; see `countersign audit verify`"
        );
        metrics::counter!(crate::telemetry::metrics::AUDIT_REFUSED).increment(1);
        self.known().insert(workspace, Known::Refused(why));
    }

    fn sound_up_to(&self, workspace: WorkspaceId) -> Option<Expected> {
        match self.known().get(&workspace) {
            Some(Known::Sound(head)) => Some(head.clone()),
            Some(Known::Refused(_)) | None => None,
        }
    }
}

impl Engine {
    /// Looks at the end of every chain, from its last signature on, and signs what a crash has left without one. Once,
    /// before this server writes anything.
    pub async fn take_up_audit_log(&self) -> Result<()> {
        self.chains().begun.get_or_try_init(|| self.take_up_all()).await.map(|_| ())
    }

    async fn take_up_all(&self) -> Result<()> {
        for workspace in self.store().unsigned_audit_chains(i64::MIN).await? {
            self.sign_chain(workspace, true).await?;
        }
        Ok(())
    }

    /// Signs every chain with at least so many entries that are not under a signature, unless it does not hold.
    pub async fn sign_audit_log(&self, entries: i64) -> Result<usize> {
        self.take_up_audit_log().await?;
        let mut signed = 0;
        for workspace in self.store().unsigned_audit_chains(entries.max(1)).await? {
            signed += usize::from(self.sign_chain(workspace, false).await?);
        }
        Ok(signed)
    }

    /// Whether a signature was added.
    async fn sign_chain(&self, workspace: WorkspaceId, first: bool) -> Result<bool> {
        if let Some(why) = self.chains().refusal(workspace) {
            tracing::error!(%workspace, reason = why, "entries of the audit log are recorded, but not signed");
            return Ok(false);
        }
        let signed = self.look_and_sign(workspace, first).await?;
        signed.or_else(|why| {
            self.chains().refuse(workspace, why);
            Ok(false)
        })
    }

    async fn look_and_sign(&self, workspace: WorkspaceId, first: bool) -> Result<std::result::Result<bool, String>> {
        let remembered = self.chains().sound_up_to(workspace);
        let report = match self.look(workspace, remembered).await? {
            Ok(report) => report,
            Err(broken) => return Ok(Err(broken.to_string())),
        };
        if let Some(why) =
            report.waiting.as_ref().filter(|_| first).and_then(|_| self.not_left_by_crash(workspace, &report))
        {
            return Ok(Err(why));
        }
        let looked = Expected { sequence: report.last, hash: report.hash.clone() };
        if report.signed == report.last {
            // A head that does not know its signature would be looked at again and again.
            let tx = self.store().begin(self.clock().now()).await?;
            tx.note_audit_signature(workspace, report.signed).await?;
            tx.commit().await?;
            self.chains().known().insert(workspace, Known::Sound(looked));
            return Ok(Ok(false));
        }
        let tx = self.store().begin(self.clock().now()).await?;
        tx.lock_audit_log().await?;
        // What came in the meantime.
        let report = match self.look(workspace, Some(looked)).await? {
            Ok(report) => report,
            Err(broken) => return Ok(Err(broken.to_string())),
        };
        let last = Expected { sequence: report.last, hash: report.hash };
        if report.signed == last.sequence {
            // Another server was faster.
            self.chains().known().insert(workspace, Known::Sound(last));
            return Ok(Ok(false));
        }
        let signature = self.signer().sign(workspace, last.sequence, &last.hash, tx.now());
        tx.put_audit_signature(workspace, signature).await?;
        tx.commit().await?;
        self.chains().known().insert(workspace, Known::Sound(last));
        self.witnesses().wake();
        Ok(Ok(true))
    }

    /// Verifies the end of a chain: from its last signature on, and what this server has seen before.
    async fn look(
        &self,
        workspace: WorkspaceId,
        remembered: Option<Expected>,
    ) -> Result<std::result::Result<Report, Broken>> {
        let signature = self.store().latest_audit_signature(workspace).await?;
        let signed = signature.map_or(1, |signature| signature.sequence);
        let first = remembered.as_ref().map_or(signed, |remembered| remembered.sequence.min(signed)).max(1);
        let mut lines = std::pin::pin!(self.store().audit_lines_from(workspace, first));
        let Some(Line::Head(head)) = lines.next().await.transpose()? else {
            return Err(Error::Internal("an audit log without its beginning".to_owned()));
        };
        let mut verifier = Verifier::new(Trust { expected: remembered, ..Trust::default() }, &head);
        while let Some(line) = lines.next().await {
            if let Err(broken) = verifier.take(&line?) {
                return Ok(Err(broken));
            }
        }
        // Values that are gone are explained elsewhere in the log: `audit verify` reads all of it.
        Ok(verifier.finish())
    }

    /// Why a server that ended before it could sign cannot have left what is not signed.
    fn not_left_by_crash(&self, workspace: WorkspaceId, report: &Report) -> Option<String> {
        let waiting = report.waiting.as_ref().filter(|_| !self.store().has_chained_audit_log(workspace))?;
        let promised = report.interval.and_then(|seconds| TimeDelta::try_seconds(i64::try_from(seconds).ok()?));
        let interval = promised.unwrap_or_default().max(self.settings().audit_sign_interval.as_chrono());
        let message = if waiting.is_ahead_of(self.clock().now(), interval) {
            format!("it or an entry after it says that it was written at {}, which is still to come", waiting.latest)
        } else if !waiting.fits_one_interval(interval) {
            format!(
                "it and what follows are from {} to {} without a signature, although the server signs every {} s: \
                 signatures were removed",
                waiting.earliest,
                waiting.latest,
                interval.num_seconds()
            )
        } else {
            return None;
        };
        let (sequence, id) = (waiting.sequence, Some(waiting.id.clone()));
        Some(Broken { fault: Fault::Unsigned, sequence, id, message }.to_string())
    }

    /// Signs a chain at an operator's word, however long its entries have been without a signature. What they say must
    /// hold all the same. Says why not, if it does not.
    pub async fn sign_audit_log_of(&self, workspace: WorkspaceId) -> Result<std::result::Result<bool, String>> {
        let latest = self.store().latest_audit_signature(workspace).await?;
        let own = self.audit_key().to_string();
        if let Some(other) = latest.filter(|latest| latest.key != own) {
            let key = other.key;
            return Ok(Err(format!(
                "it is signed with the key {key}, and this is {own}: give `audit-key` as the server has it"
            )));
        }
        self.look_and_sign(workspace, false).await
    }

    /// Why the server does not sign a workspace's chain any more.
    pub fn audit_refusal(&self, workspace: WorkspaceId) -> Option<String> {
        self.chains().refusal(workspace)
    }
}
