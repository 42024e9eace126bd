//! A clock that tests move.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{Duration, Utc};
use countersign::clock::Clock;
use tokio::sync::watch;

/// The real time plus what the test has added.
#[derive(Clone)]
pub struct TestClock {
    offset: Arc<AtomicI64>,
    jumps: watch::Sender<()>,
}

impl Default for TestClock {
    fn default() -> Self {
        Self { offset: Arc::default(), jumps: watch::Sender::new(()) }
    }
}

impl TestClock {
    pub fn advance(&self, by: Duration) {
        self.offset.fetch_add(by.num_milliseconds(), Ordering::SeqCst);
        self.jumps.send_replace(());
    }

    pub fn clock(&self) -> Clock {
        let offset = Arc::clone(&self.offset);
        let now = move || Utc::now() + Duration::milliseconds(offset.load(Ordering::SeqCst));
        Clock::from_fn(now).with_jumps(self.jumps.subscribe())
    }
}
