//! How much one caller, execution or workspace may pile up. The limits are for what runs away, not for daily work.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use lru::LruCache;

use super::{Engine, Result};
use crate::{
    domain::{
        access::Scope,
        id::{ExecutionId, WorkspaceId},
        refusal::{Code, Refusal},
    },
    store::Tx,
};

/// A sum over all deliverables of a workspace is asked for again after this. What this process adds is counted at once.
const FRESH: Duration = Duration::from_secs(10);
const MOST_WORKSPACES: NonZeroUsize = NonZeroUsize::new(1024).expect("not zero");

/// How many bytes of deliverables workspaces have.
pub struct StoredBytes(Mutex<LruCache<WorkspaceId, (Instant, u64)>>);

impl Default for StoredBytes {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MOST_WORKSPACES)))
    }
}

impl StoredBytes {
    fn known(&self, workspace: WorkspaceId) -> Option<u64> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, bytes) = known.get(&workspace)?;
        (at.elapsed() < FRESH).then_some(*bytes)
    }

    fn found(&self, workspace: WorkspaceId, bytes: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(workspace, (Instant::now(), bytes));
    }

    fn add(&self, workspace: WorkspaceId, bytes: u64) {
        if let Some((_, known)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&workspace) {
            *known += bytes;
        }
    }
}

impl Engine {
    /// Whether the caller may begin one more upload.
    pub(super) async fn check_pending_uploads(&self, tx: &Tx, scope: Scope) -> Result<()> {
        let most = self.settings().max_pending_uploads;
        if most > 0 && tx.count_pending_uploads(scope).await? >= most {
            let message = format!(
                "{most} uploads of this caller have not been finished: send their content, or wait until they expire"
            );
            return Err(Refusal::at("content", Code::LimitReached, message).into());
        }
        Ok(())
    }

    /// Whether a workspace has room for so many bytes more.
    pub(super) async fn check_stored_bytes(&self, workspace: WorkspaceId, more: u64) -> Result<()> {
        let most = self.settings().max_stored_bytes;
        if most == 0 {
            return Ok(());
        }
        let stored = match self.0.stored_bytes.known(workspace) {
            Some(bytes) => bytes,
            None => {
                let bytes = self.store().stored_bytes(workspace).await?;
                self.0.stored_bytes.found(workspace, bytes);
                bytes
            }
        };
        if stored.saturating_add(more) > most {
            let message = format!(
                "the workspace has {stored} bytes of deliverables: {more} more would exceed the limit of {most}. \
                 Delete some, or set a retention"
            );
            return Err(Refusal::new(Code::LimitReached, message).into());
        }
        Ok(())
    }

    /// Counts bytes that were stored.
    pub(super) fn note_stored_bytes(&self, workspace: WorkspaceId, more: u64) {
        self.0.stored_bytes.add(workspace, more);
    }

    /// Why an execution keeps no more log lines and progress reports, if it does not.
    pub(super) async fn refuse_lines(&self, id: ExecutionId, field: &'static str) -> Result<Option<Refusal>> {
        let most = self.settings().max_log_lines;
        if most == 0 || self.store().count_comments(id, most).await? < most {
            return Ok(None);
        }
        let message = format!(
            "the execution has {most} log lines and progress reports, which is the limit: this one is not kept, and the \
             task goes on"
        );
        Ok(Some(Refusal::at(field, Code::LimitReached, message)))
    }
}
