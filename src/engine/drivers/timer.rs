//! When to look for what is due. The times themselves are in the database.

use std::sync::{Mutex, MutexGuard};

use chrono::{DateTime, Utc};
use tokio::sync::Notify;

/// The next time at which something is due, as far as this process knows.
#[derive(Default)]
pub struct Timer {
    next: Mutex<Option<DateTime<Utc>>>,
    earlier: Notify,
}

impl Timer {
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
