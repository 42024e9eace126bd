//! A clock that tests move.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{Duration, Utc};
use countersign::clock::Clock;

/// The real time plus what the test has added.
#[derive(Clone, Default)]
pub struct TestClock(Arc<AtomicI64>);

impl TestClock {
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.num_milliseconds(), Ordering::SeqCst);
    }

    pub fn clock(&self) -> Clock {
        let offset = Arc::clone(&self.0);
        Clock::from_fn(move || Utc::now() + Duration::milliseconds(offset.load(Ordering::SeqCst)))
    }
}
