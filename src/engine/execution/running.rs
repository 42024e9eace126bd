//! The steps that tasks of this process work on.
//!
//! The journal says which steps this server runs. What has no task here was lost, and is given back (see the driver's
//! `release_lost`).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use tokio_util::sync::CancellationToken;

use crate::domain::id::ExecutionId;

/// A step of an execution.
type Key = (ExecutionId, usize);

/// Each with the number of the event by which it is known to have begun.
#[derive(Default)]
pub struct Running(Mutex<HashMap<Key, (u64, CancellationToken)>>);

/// Held by the task that works on a step for as long as it does, also if it panics.
pub struct Alive {
    running: Arc<Running>,
    key: Key,
    seq: u64,
    /// Cancelled when the result is not wanted any more.
    pub unwanted: CancellationToken,
}

impl Running {
    pub fn begin(self: &Arc<Self>, execution: ExecutionId, step: usize, seq: u64) -> Alive {
        let (key, unwanted) = ((execution, step), CancellationToken::new());
        self.lock().insert(key, (seq, unwanted.clone()));
        Alive { running: Arc::clone(self), key, seq, unwanted }
    }

    pub fn has(&self, execution: ExecutionId, step: usize) -> bool {
        self.lock().contains_key(&(execution, step))
    }

    pub fn executions(&self) -> Vec<ExecutionId> {
        self.lock().keys().map(|(execution, _)| *execution).collect()
    }

    /// Stops the work on a step, unless it began after this event.
    pub fn stop_begun_by(&self, seq: u64, execution: ExecutionId, step: usize) {
        let mut running = self.lock();
        let begun = running.get(&(execution, step)).is_some_and(|(begun, _)| *begun <= seq);
        if begun && let Some((_, unwanted)) = running.remove(&(execution, step)) {
            unwanted.cancel();
        }
    }

    /// Stops all work for an execution.
    pub fn stop(&self, execution: ExecutionId) {
        self.lock().retain(|(running, _), (_, unwanted)| {
            let keep = *running != execution;
            if !keep {
                unwanted.cancel();
            }
            keep
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, (u64, CancellationToken)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        let mut running = self.running.lock();
        // The same step may have begun anew meanwhile.
        if running.get(&self.key).is_some_and(|(seq, _)| *seq == self.seq) {
            running.remove(&self.key);
        }
    }
}
