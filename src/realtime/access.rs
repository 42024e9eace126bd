//! Ends open connections when their caller's rights change.
//!
//! Every such change is an entry of the audit log. [`AccessWatch`] follows the log and tells the connections
//! concerned *before* it lets event streams see that far: no event after the change reaches them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use tokio::sync::watch;

use crate::{
    domain::{
        access::{Actor, Credential, Viewer},
        api_token::Owner,
        id::NodeId,
    },
    store::{Result, Store},
};

const BATCH: u64 = 500;
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Follows the audit log for changes of access.
#[derive(Clone)]
pub struct AccessWatch(Arc<Inner>);

struct Inner {
    store: Store,
    /// Whom to tell when somebody's access changes, and the position of the latest change.
    watched: Mutex<HashMap<NodeId, watch::Sender<i64>>>,
    /// Up to where changes of access have been told.
    told: watch::Sender<i64>,
}

impl AccessWatch {
    pub fn new(store: Store) -> Self {
        let head = *store.audit_head().borrow();
        Self(Arc::new(Inner { store, watched: Mutex::default(), told: watch::Sender::new(head) }))
    }

    /// Watches over the access of one connection. The viewer must be looked up again afterwards: what changed
    /// before is not told.
    pub fn of(&self, viewer: &Viewer) -> Access {
        let since = *self.0.store.audit_head().borrow();
        let subject = match viewer.actor {
            Actor::User(id) => Some(id.into()),
            Actor::ApiToken(id) => Some(id.into()),
            Actor::System => None,
        };
        let behind = match viewer.credential {
            Credential::Session(id) => Some(id.into()),
            // Whoever a token belongs to takes its rights along.
            Credential::ApiToken(_) => viewer.token.as_ref().map(|token| match token.owner {
                Owner::User(id) => id.into(),
                Owner::ServiceAccount(id) => id.into(),
            }),
            Credential::Outside => None,
        };
        let mut watched = self.watched();
        let receivers = [subject, behind].into_iter().flatten().map(|id: NodeId| {
            let sender = watched.entry(id).or_insert_with(|| watch::Sender::new(0));
            (id, sender.subscribe())
        });
        Access { since, receivers: receivers.collect(), watch: self.clone() }
    }

    /// The position of the audit log up to which streams may read.
    pub fn told(&self) -> watch::Receiver<i64> {
        self.0.told.subscribe()
    }

    /// Follows the log until it is dropped.
    pub async fn run(self) {
        let mut head = self.0.store.audit_head();
        loop {
            if let Err(error) = self.catch_up().await {
                tracing::warn!(%error, "cannot read the audit log; trying again");
                tokio::time::sleep(TRY_AGAIN).await;
            } else if head.changed().await.is_err() {
                return;
            }
        }
    }

    async fn catch_up(&self) -> Result<()> {
        loop {
            let told = *self.0.told.borrow();
            let entries = self.0.store.audit_entries_of_server(told, BATCH).await?;
            let Some(last) = entries.last() else {
                return Ok(());
            };
            for entry in &entries {
                if entry.action.is_some_and(|action| action.changes_access())
                    && let Some(subject) = entry.subject
                    && let Some(sender) = self.watched().get(&subject)
                {
                    sender.send_replace(entry.position);
                }
            }
            self.0.told.send_replace(last.position);
        }
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<NodeId, watch::Sender<i64>>> {
        self.0.watched.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// One connection's access. While it has not changed, the viewer that it was made for is still right.
pub struct Access {
    /// Changes up to here were known when the viewer was looked up.
    since: i64,
    receivers: Vec<(NodeId, watch::Receiver<i64>)>,
    watch: AccessWatch,
}

impl Access {
    /// Waits until the access has changed.
    pub async fn changed(&mut self) {
        while !self.has_changed() {
            match self.receivers.as_mut_slice() {
                [] => std::future::pending().await,
                [(_, one)] => _ = one.changed().await,
                [(_, one), (_, other), ..] => tokio::select! {
                    _ = one.changed() => {}
                    _ = other.changed() => {}
                },
            }
        }
    }

    pub fn has_changed(&self) -> bool {
        self.receivers.iter().any(|(_, receiver)| *receiver.borrow() > self.since)
    }
}

impl Clone for Access {
    fn clone(&self) -> Self {
        Self { since: self.since, receivers: self.receivers.clone(), watch: self.watch.clone() }
    }
}

impl Drop for Access {
    fn drop(&mut self) {
        let mut watched = self.watch.watched();
        for (id, receiver) in self.receivers.drain(..) {
            drop(receiver);
            if watched.get(&id).is_some_and(|sender| sender.receiver_count() == 0) {
                watched.remove(&id);
            }
        }
    }
}
