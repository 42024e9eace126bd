//! Executions that wait for a place, a few of them in memory.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::domain::id::ExecutionId;

/// The next ones in their turn. All others are in the database, which is asked only if it may have some.
#[derive(Default)]
pub struct Queue {
    next: Mutex<VecDeque<ExecutionId>>,
    more: AtomicBool,
}

impl Queue {
    /// Somebody was queued.
    pub fn more(&self) {
        self.more.store(true, Ordering::SeqCst);
    }

    /// An execution was queued. It is remembered if one of so many free places is for it: then nobody has to look for
    /// it. All others wait their workspace's turn.
    pub fn put(&self, id: ExecutionId, free: usize) {
        let mut next = self.lock();
        if next.len() < free && !self.may_hold_more() {
            next.push_back(id);
        } else {
            self.more();
        }
    }

    /// Whether somebody may be waiting.
    pub fn may_hold_any(&self) -> bool {
        self.may_hold_more() || !self.lock().is_empty()
    }

    pub fn may_hold_more(&self) -> bool {
        self.more.load(Ordering::SeqCst)
    }

    /// Before looking into the database.
    pub fn looking(&self) {
        self.more.store(false, Ordering::SeqCst);
    }

    /// After looking for up to `limit` of them.
    pub fn found(&self, ids: Vec<ExecutionId>, limit: u64) {
        if ids.len() as u64 >= limit {
            self.more();
        }
        self.lock().extend(ids);
    }

    pub fn take(&self, most: usize) -> Vec<ExecutionId> {
        let mut next = self.lock();
        let count = next.len().min(most);
        next.drain(..count).collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<ExecutionId>> {
        self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
