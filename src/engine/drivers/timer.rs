//! When to look for what is due. The times themselves are in the database.

use std::{
    sync::{Mutex, MutexGuard},
    time::Instant,
};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;

/// The next time at which something is due, as far as this process knows.
#[derive(Default)]
pub struct Timer {
    next: Mutex<Option<DateTime<Utc>>>,
    earlier: Notify,
    /// What the clock said, and when that was by the monotonic clock, which cannot be set.
    last: Mutex<Option<(Instant, DateTime<Utc>)>>,
}

/// Less than this is put right by all that keeps clocks right.
const NOTICED: TimeDelta = TimeDelta::seconds(5);

impl Timer {
    /// Whether the clock has been set back since this was last asked.
    pub fn set_back(&self, now: DateTime<Utc>) -> bool {
        let mut last = self.last.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let before = last.replace((Instant::now(), now));
        let expected = before.map(|(at, said)| said + TimeDelta::from_std(at.elapsed()).unwrap_or_default());
        expected.is_some_and(|expected| expected - now > NOTICED)
    }

    /// Something will be due then.
    pub fn expect(&self, at: DateTime<Utc>) {
        let mut next = self.lock();
        if next.is_none_or(|next| at < next) {
            *next = Some(at);
            self.earlier.notify_one();
        }
    }

    /// Before looking into the database: what is expected from now on is noticed.
    pub fn reset(&self) {
        *self.lock() = None;
    }

    /// After looking: only what is earlier is worth being told.
    pub fn settle(&self, at: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
        let mut next = self.lock();
        *next = [*next, at].into_iter().flatten().min();
        *next
    }

    /// Told when something is due earlier than was known.
    pub async fn earlier(&self) {
        self.earlier.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Option<DateTime<Utc>>> {
        self.next.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
