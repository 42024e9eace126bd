//! The journal as a stream: first what was, then what comes, with no gap and no duplicate in between.

use std::{collections::VecDeque, sync::Arc};

use futures_util::{Stream, stream};
use lru::LruCache;
use tokio::sync::oneshot;

use super::{
    Access, Hub,
    hub::{Heard, Topic, Watching},
};
use crate::{
    domain::{access::Scope, id::ExecutionId},
    store::{
        Error, Range, Result,
        journal::{Entry, JournalFilter},
    },
    tasks,
};

const BATCH: u64 = 500;
const EXECUTIONS_KNOWN: usize = 1_000;

/// Entries after the position `after`, or from now on. Ends when the reader's access changes.
pub fn journal_stream(
    hub: &Hub,
    access: Access,
    scope: Scope,
    filter: JournalFilter,
    after: Option<i64>,
) -> impl Stream<Item = Result<Arc<Entry>>> + Send + use<> {
    let topic = match filter.execution {
        Some(execution) => Topic::Execution(execution),
        None => Topic::Workspace(scope.workspace()),
    };
    // Watch first, then look how far the journal is: what comes in between is seen twice, not never.
    let watching = hub.watch(topic);
    let published = hub.published();
    let reader = Reader {
        hub: hub.clone(),
        access,
        scope,
        filter,
        watching,
        position: after.unwrap_or(published),
        behind: after.is_some(),
        ready: VecDeque::new(),
        ahead: None,
        of_workflow: LruCache::unbounded(),
    };
    stream::unfold(reader, |mut reader| async move {
        let next = reader.next().await?;
        Some((next, reader))
    })
}

/// Some of the journal, and how far it had been handed out when it was read.
struct Portion {
    horizon: i64,
    entries: Vec<Entry>,
}

struct Reader {
    hub: Hub,
    access: Access,
    scope: Scope,
    filter: JournalFilter,
    watching: Watching,
    /// Everything up to here was handed out, or is not wanted.
    position: i64,
    /// Whether the journal must be read before what is live.
    behind: bool,
    ready: VecDeque<Arc<Entry>>,
    /// What comes after it, being read.
    ahead: Option<oneshot::Receiver<Result<Portion>>>,
    /// Whether executions belong to the workflow that is watched. It takes room only for what it knows: most streams
    /// never ask.
    of_workflow: LruCache<ExecutionId, bool>,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<Arc<Entry>>> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                self.position = self.position.max(entry.position);
                return (!self.access.has_changed()).then_some(Ok(entry));
            }
            if self.behind {
                // Boxed, as what it seldom does would otherwise take room in every stream.
                if let Err(error) = Box::pin(self.read()).await {
                    return Some(Err(error));
                }
                continue;
            }
            let heard = tokio::select! {
                heard = self.watching.next() => heard,
                () = self.access.changed() => return None,
            };
            match heard {
                Heard::Entry(entry) if entry.position <= self.position => {}
                Heard::Entry(entry) => match self.wants(&entry).await {
                    Ok(true) => self.ready.push_back(entry),
                    Ok(false) => self.position = entry.position,
                    Err(error) => return Some(Err(error)),
                },
                Heard::Behind => self.behind = true,
                Heard::Closed => return None,
            }
        }
    }

    /// Reads on in the journal, no further than has been handed out.
    async fn read(&mut self) -> Result<()> {
        let Portion { horizon, entries } = match self.ahead.take() {
            // Whoever reads ahead is only gone when the server is about to be.
            Some(ahead) => ahead.await.map_err(|_| Error::Unavailable("reading ahead was given up".to_owned()))??,
            None => self.portion_after(self.position).await?,
        };
        if (entries.len() as u64) < BATCH {
            // What lies between the last match and the horizon is not wanted.
            self.behind = false;
            if entries.is_empty() {
                self.position = self.position.max(horizon);
            }
        } else if let Some(last) = entries.last() {
            // There is more: it is read while this is handed out.
            let (sender, ahead) = oneshot::channel();
            let next = self.portion_after(last.position);
            tasks::spawn_detached(async move { _ = sender.send(next.await) });
            self.ahead = Some(ahead);
        }
        self.ready.extend(entries.into_iter().map(Arc::new));
        Ok(())
    }

    /// The next portion of the journal after a position.
    fn portion_after(&self, position: i64) -> impl Future<Output = Result<Portion>> + Send + use<> {
        let (hub, scope, filter) = (self.hub.clone(), self.scope, self.filter.clone());
        async move {
            let horizon = hub.published();
            let range = Range { above: Some(position), below: Some(horizon + 1), newest_first: false, limit: BATCH };
            let entries =
                if position < horizon { hub.store().journal(scope, &filter, range).await? } else { Vec::new() };
            Ok(Portion { horizon, entries })
        }
    }

    async fn wants(&mut self, entry: &Entry) -> Result<bool> {
        if !self.filter.kinds.is_empty() && !self.filter.kinds.iter().any(|kind| *kind == entry.kind()) {
            return Ok(false);
        }
        let Some(workflow) = self.filter.workflow else { return Ok(true) };
        if let Some(known) = self.of_workflow.get(&entry.execution) {
            return Ok(*known);
        }
        let execution = Box::pin(self.hub.store().execution(self.scope, entry.execution)).await?;
        let belongs = execution.is_some_and(|execution| execution.workflow == workflow);
        self.of_workflow.put(entry.execution, belongs);
        if self.of_workflow.len() > EXECUTIONS_KNOWN {
            self.of_workflow.pop_lru();
        }
        Ok(belongs)
    }
}
