//! What waits for people, as a stream of how each of it began.

use std::{collections::VecDeque, sync::Arc};

use futures_util::{Stream, stream};

use super::{Access, Hub};
use crate::{
    domain::{access::Scope, checkpoint::Status, id::CheckpointId},
    store::{Result, checkpoints::Filter, journal::Entry},
};

const BATCH: u64 = 100;

/// The requests of all checkpoints that wait, oldest first: those with an id above one, and none that is in the journal
/// after `up_to`, with which whoever reads the journal from there goes on. Only a few are in memory at a time. Ends when
/// the reader's access changes.
pub fn pending_stream(
    hub: &Hub,
    access: Access,
    scope: Scope,
    filter: Filter,
    up_to: i64,
    above: Option<CheckpointId>,
) -> impl Stream<Item = Result<(CheckpointId, Arc<Entry>)>> + Send + use<> {
    let filter = Filter { statuses: vec![Status::Pending], ..filter };
    let reader = Reader { hub: hub.clone(), access, scope, filter, up_to, above, ready: VecDeque::new(), done: false };
    stream::unfold(reader, |mut reader| async move {
        let next = reader.next().await?;
        Some((next, reader))
    })
}

struct Reader {
    hub: Hub,
    access: Access,
    scope: Scope,
    filter: Filter,
    up_to: i64,
    above: Option<CheckpointId>,
    ready: VecDeque<(CheckpointId, Arc<Entry>)>,
    /// Whether nothing is left to read.
    done: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<(CheckpointId, Arc<Entry>)>> {
        loop {
            if self.access.has_changed() {
                return None;
            }
            if let Some(next) = self.ready.pop_front() {
                return Some(Ok(next));
            }
            if self.done {
                return None;
            }
            if let Err(error) = self.read().await {
                // Whoever gets it must not take the rest for all there is.
                return Some(Err(error));
            }
        }
    }

    async fn read(&mut self) -> Result<()> {
        let store = self.hub.store();
        let found = store.requests_of_checkpoints(self.scope, &self.filter, self.above, BATCH).await?;
        self.done = (found.len() as u64) < BATCH;
        self.above = found.last().map(|(id, _)| *id).or(self.above);
        let wanted = found.into_iter().filter_map(|(id, entry)| Some((id, entry?)));
        self.ready
            .extend(wanted.filter(|(_, entry)| entry.position <= self.up_to).map(|(id, entry)| (id, entry.into())));
        Ok(())
    }
}
