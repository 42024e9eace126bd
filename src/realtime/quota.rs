//! How much one caller may keep open at a time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use crate::domain::access::Actor;

/// The caller has as many open as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full {
    pub limit: usize,
}

/// Counts what each caller has open, up to a limit.
#[derive(Clone)]
pub struct Quota {
    limit: usize,
    metric: &'static str,
    open: Arc<Mutex<HashMap<Actor, usize>>>,
}

impl Quota {
    /// `metric` is the gauge that shows the sum.
    pub fn new(limit: usize, metric: &'static str) -> Self {
        Self { limit, metric, open: Arc::default() }
    }

    /// Takes a seat, which is free again when it is dropped.
    pub fn take(&self, actor: Actor) -> Result<Seat, Full> {
        let mut open = self.lock();
        let count = open.entry(actor).or_default();
        if *count >= self.limit {
            return Err(Full { limit: self.limit });
        }
        *count += 1;
        metrics::gauge!(self.metric).increment(1);
        drop(open);
        Ok(Seat { actor, quota: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Actor, usize>> {
        self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Something that is open.
pub struct Seat {
    actor: Actor,
    quota: Quota,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut open = self.quota.lock();
        if let Some(count) = open.get_mut(&self.actor) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.actor);
            }
        }
        metrics::gauge!(self.quota.metric).decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_free_again_when_its_holder_leaves() {
        let quota = Quota::new(1, "seats");
        let seat = quota.take(Actor::System).expect("the first");
        assert_eq!(quota.take(Actor::System).err(), Some(Full { limit: 1 }));
        drop(seat);
        assert!(quota.take(Actor::System).is_ok());
        assert!(quota.lock().is_empty());
    }
}
