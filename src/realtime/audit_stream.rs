//! The audit log as a stream: first what was, then what comes, with no gap and no duplicate in between.

use futures_util::{Stream, stream};

use super::{Access, AccessWatch};
use crate::{
    domain::access::Scope,
    store::{
        Error, Range, Result, Store,
        audit::{AuditEntry, Filter},
    },
};

const BATCH: u64 = 200;

/// Entries after the position `after`, or from now on. Ends when the reader's access changes.
pub fn audit_stream(
    store: Store,
    watch: &AccessWatch,
    access: Access,
    scope: Scope,
    filter: Filter,
    after: Option<i64>,
) -> impl Stream<Item = Result<AuditEntry>> + Send + use<> {
    let mut told = watch.told();
    let start = after.unwrap_or_else(|| *told.borrow_and_update());
    let reader = Reader { store, access, scope, filter, told, position: start, ready: Vec::new().into_iter() };
    stream::unfold(reader, |mut reader| async move {
        let next = reader.next().await?;
        Some((next, reader))
    })
}

struct Reader {
    store: Store,
    access: Access,
    scope: Scope,
    filter: Filter,
    told: tokio::sync::watch::Receiver<i64>,
    position: i64,
    ready: std::vec::IntoIter<AuditEntry>,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<AuditEntry>> {
        loop {
            if let Some(entry) = self.ready.next() {
                self.position = entry.position;
                return (!self.access.has_changed()).then_some(Ok(entry));
            }
            let horizon = *self.told.borrow_and_update();
            if self.position < horizon {
                let read = match self.read(horizon).await {
                    // A connection that was cut while it was used: the next one is good, or nothing is.
                    Err(Error::Unavailable(_)) => self.read(horizon).await,
                    read => read,
                };
                match read {
                    Ok(entries) => self.ready = entries.into_iter(),
                    Err(error) => return Some(Err(error)),
                }
            } else {
                tokio::select! {
                    told = self.told.changed() => told.ok()?,
                    () = self.access.changed() => return None,
                }
            }
        }
    }

    /// Reads no further than the horizon, and remembers what need not be looked at again.
    async fn read(&mut self, horizon: i64) -> Result<Vec<AuditEntry>> {
        let range = Range { above: Some(self.position), below: Some(horizon + 1), newest_first: false, limit: BATCH };
        let entries = self.store.audit_entries(self.scope, &self.filter, range).await?;
        if entries.is_empty() {
            self.position = horizon;
        }
        Ok(entries)
    }
}
