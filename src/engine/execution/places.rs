//! How much this server does itself at a time.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock},
};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::domain::id::WorkspaceId;

/// The places for steps that run in this process.
pub struct Places {
    inner: Mutex<Inner>,
    /// Told when something may start that could not before.
    pub freed: Notify,
    /// Once it is cancelled, nothing new starts here.
    closing: OnceLock<CancellationToken>,
}

struct Inner {
    free: usize,
    /// How many steps of each agent run.
    running: HashMap<Uuid, u32>,
    /// Agents whose steps wait in the database: who comes now waits behind them.
    backlog: HashSet<Uuid>,
    /// The workspace whose execution was begun last: the next one has its turn.
    served: Option<WorkspaceId>,
}

/// A place that is free again when it is dropped.
pub struct Place {
    agent: Uuid,
    places: Arc<Places>,
}

impl Places {
    pub fn new(most: usize) -> Arc<Self> {
        let inner = Inner { free: most, running: HashMap::new(), backlog: HashSet::new(), served: None };
        Arc::new(Self { inner: Mutex::new(inner), freed: Notify::new(), closing: OnceLock::new() })
    }

    /// A place for a step that has just become due. If there is none, it will be found as backlog.
    pub fn take(self: &Arc<Self>, agent: Uuid, most: Option<u32>) -> Option<Place> {
        let mut inner = self.lock();
        if inner.backlog.contains(&agent) {
            return None;
        }
        let place = self.take_locked(&mut inner, agent, most);
        if place.is_none() {
            inner.backlog.insert(agent);
        }
        place
    }

    /// A place for a step that has waited.
    pub fn take_for_waiting(self: &Arc<Self>, agent: Uuid, most: Option<u32>) -> Option<Place> {
        self.take_locked(&mut self.lock(), agent, most)
    }

    fn take_locked(self: &Arc<Self>, inner: &mut Inner, agent: Uuid, most: Option<u32>) -> Option<Place> {
        let running = inner.running.get(&agent).copied().unwrap_or(0);
        if self.closed() || inner.free == 0 || most.is_some_and(|most| running >= most) {
            return None;
        }
        inner.free -= 1;
        inner.running.insert(agent, running + 1);
        Some(Place { agent, places: Arc::clone(self) })
    }

    pub fn free(&self) -> usize {
        if self.closed() { 0 } else { self.lock().free }
    }

    pub fn served(&self) -> Option<WorkspaceId> {
        self.lock().served
    }

    pub fn serve(&self, workspace: WorkspaceId) {
        self.lock().served = Some(workspace);
    }

    /// Nothing new starts here from the moment at which this is cancelled.
    pub fn close_with(&self, closing: CancellationToken) {
        // Only the first counts: a process drives once.
        let _ = self.closing.set(closing);
    }

    fn closed(&self) -> bool {
        self.closing.get().is_some_and(CancellationToken::is_cancelled)
    }

    /// Steps of these agents no longer wait in the database.
    pub fn clear_backlog(&self) {
        self.lock().backlog.clear();
    }

    pub fn has_backlog(&self) -> bool {
        !self.lock().backlog.is_empty()
    }

    /// A step waits in the database that this process did not put there.
    pub fn note_backlog(&self, agent: Uuid) {
        self.lock().backlog.insert(agent);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inner = self.places.lock();
        inner.free += 1;
        if let Some(running) = inner.running.get_mut(&self.agent) {
            *running -= 1;
            if *running == 0 {
                inner.running.remove(&self.agent);
            }
        }
        drop(inner);
        self.places.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_and_an_agent_have_so_many_places() {
        let places = Places::new(3);
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let first = places.take(one, Some(1)).expect("the first of its agent");
        assert!(places.take(one, Some(1)).is_none(), "the agent has one place");
        assert!(places.take(other, None).is_some(), "the place is free again at once");
        let _held = [places.take(other, None), places.take(other, None)];
        assert_eq!(places.free(), 0);
        drop(first);
        assert!(places.take(one, Some(1)).is_none(), "somebody of this agent waits already");
        assert!(places.take_for_waiting(one, Some(1)).is_some());
        places.clear_backlog();
        assert!(places.take(one, Some(1)).is_some());
    }
}
