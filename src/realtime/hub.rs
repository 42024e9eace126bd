//! The journal as it grows, handed to whoever watches.
//!
//! [`Hub::run`] takes what was committed, by this process or another one, in the order of the journal, waits until the
//! connections have been told whose access had changed by then, and hands it to those who asked for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use tokio::sync::{broadcast, watch};

use super::AccessWatch;
use crate::{
    domain::{
        execution::Event,
        id::{ExecutionId, WorkspaceId},
    },
    store::{
        Result, Store,
        journal::{Committed, Entry},
    },
};

const BATCH: u64 = 1_000;
/// How many events a watcher may fall behind before it reads the journal instead.
const KEPT: usize = 64;
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// What can be watched.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Topic {
    Execution(ExecutionId),
    Workspace(WorkspaceId),
    /// Tasks that became available.
    Queue(WorkspaceId, String),
}

#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    store: Store,
    access: AccessWatch,
    /// Up to where the journal has been handed out.
    published: watch::Sender<i64>,
    topics: Mutex<HashMap<Topic, broadcast::Sender<Arc<Entry>>>>,
}

impl Hub {
    pub fn new(store: Store, access: AccessWatch) -> Self {
        let published = watch::Sender::new(*store.journal_head().borrow());
        Self(Arc::new(Inner { store, access, published, topics: Mutex::default() }))
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Watches a topic from now on. Who watches before looking at [`Hub::published`] misses nothing after that.
    pub fn watch(&self, topic: Topic) -> Watching {
        let receiver = self.topics().entry(topic.clone()).or_insert_with(|| broadcast::Sender::new(KEPT)).subscribe();
        Watching { topic, receiver: Some(receiver), hub: self.clone() }
    }

    /// The position up to which streams may read.
    pub fn published(&self) -> i64 {
        *self.0.published.borrow()
    }

    /// Hands out what is committed until it is dropped.
    pub async fn run(self) {
        let mut commits = self.0.store.committed();
        let mut head = self.0.store.journal_head();
        loop {
            let step = async {
                tokio::select! {
                    commit = commits.recv() => match commit {
                        Ok(committed) => self.take(&committed).await?,
                        // Too much at once: the journal has all of it.
                        Err(broadcast::error::RecvError::Lagged(_)) => {
                            let head = *head.borrow();
                            self.catch_up(head).await?;
                        }
                        Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
                    },
                    _ = head.changed() => {
                        // What this process wrote is on its way; what is missing afterwards, another one wrote.
                        while let Ok(committed) = commits.try_recv() {
                            self.take(&committed).await?;
                        }
                        let head = *head.borrow_and_update();
                        self.catch_up(head).await?;
                    }
                }
                Result::Ok(())
            };
            if let Err(error) = step.await {
                tracing::warn!(%error, "cannot read the journal; trying again");
                tokio::time::sleep(TRY_AGAIN).await;
                head.mark_changed();
            }
        }
    }

    /// Hands out one commit, after everything before it.
    async fn take(&self, committed: &Committed) -> Result<()> {
        let Some(first) = committed.entries.first() else { return Ok(()) };
        self.catch_up(first.position - 1).await?;
        self.publish(&committed.entries, committed.audit_position).await;
        Ok(())
    }

    /// Hands out what another process wrote.
    async fn catch_up(&self, up_to: i64) -> Result<()> {
        loop {
            let published = self.published();
            if published >= up_to {
                return Ok(());
            }
            let entries = self.0.store.journal_of_server(published, up_to, BATCH).await?;
            if entries.is_empty() {
                // Nothing can be missing: positions have no gap. The reader's snapshot may be older than the head.
                return Ok(());
            }
            let audit_position = self.0.store.current_audit_position().await?;
            self.publish(&entries, audit_position).await;
        }
    }

    /// Hands out entries that are new, once everybody concerned was told of changes of access up to then.
    async fn publish(&self, entries: &[Arc<Entry>], audit_position: i64) {
        self.0.store.note_audit_position(audit_position);
        // An error says that the watch is gone, which it is not while this lives.
        let _ = self.0.access.told().wait_for(|told| *told >= audit_position).await;
        for entry in entries.iter().filter(|entry| entry.position > self.published()) {
            // Before it is sent: who starts to watch in between finds it in the journal.
            self.0.published.send_replace(entry.position);
            let topics = self.topics();
            self.send(&topics, &Topic::Execution(entry.execution), entry);
            self.send(&topics, &Topic::Workspace(entry.workspace), entry);
            match &entry.event {
                Ok(
                    Event::StepScheduled { queue: Some(queue), .. } | Event::StepReleased { queue: Some(queue), .. },
                ) => {
                    self.send(&topics, &Topic::Queue(entry.workspace, queue.clone()), entry);
                }
                // Tasks that were held back are there again.
                Ok(Event::Resumed {}) => {
                    let queues = topics.iter().filter(
                        |(topic, _)| matches!(topic, Topic::Queue(workspace, _) if *workspace == entry.workspace),
                    );
                    for (_, sender) in queues {
                        let _ = sender.send(Arc::clone(entry));
                    }
                }
                _ => {}
            }
        }
    }

    fn send(&self, topics: &HashMap<Topic, broadcast::Sender<Arc<Entry>>>, topic: &Topic, entry: &Arc<Entry>) {
        if let Some(sender) = topics.get(topic) {
            // Nobody listening is not an error.
            let _ = sender.send(Arc::clone(entry));
        }
    }

    fn topics(&self) -> MutexGuard<'_, HashMap<Topic, broadcast::Sender<Arc<Entry>>>> {
        self.0.topics.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// One watcher of a topic, which is forgotten with its last watcher.
pub struct Watching {
    topic: Topic,
    /// There until it is dropped.
    receiver: Option<broadcast::Receiver<Arc<Entry>>>,
    hub: Hub,
}

/// What a watcher hears.
pub enum Heard {
    Entry(Arc<Entry>),
    /// It was too slow: the journal has what it missed.
    Behind,
    Closed,
}

impl Watching {
    pub async fn next(&mut self) -> Heard {
        let Some(receiver) = &mut self.receiver else { return Heard::Closed };
        match receiver.recv().await {
            Ok(entry) => Heard::Entry(entry),
            Err(broadcast::error::RecvError::Lagged(_)) => Heard::Behind,
            Err(broadcast::error::RecvError::Closed) => Heard::Closed,
        }
    }

    /// Forgets what has been heard and not been looked at.
    pub fn skip(&mut self) {
        if let Some(receiver) = &mut self.receiver {
            *receiver = receiver.resubscribe();
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut topics = self.hub.topics();
        self.receiver = None;
        if topics.get(&self.topic).is_some_and(|sender| sender.receiver_count() == 0) {
            topics.remove(&self.topic);
        }
    }
}
