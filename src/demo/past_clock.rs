//! A clock that stands still in the past until it is moved, for what happened before the demo began.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};

use crate::clock::Clock;

#[derive(Clone)]
pub struct PastClock {
    micros: Arc<AtomicI64>,
    /// The past ends here.
    present: DateTime<Utc>,
}

impl PastClock {
    pub fn new(at: DateTime<Utc>, present: DateTime<Utc>) -> Self {
        Self { micros: Arc::new(AtomicI64::new(at.timestamp_micros())), present }
    }

    pub fn clock(&self) -> Clock {
        let clock = self.clone();
        Clock::from_fn(move || clock.now())
    }

    pub fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.micros.load(Ordering::SeqCst)).unwrap_or(self.present)
    }

    pub fn advance(&self, by: TimeDelta) {
        self.move_to(self.now() + by);
    }

    /// Forward only, so that whatever is written later is also later, and never into the future.
    pub fn move_to(&self, at: DateTime<Utc>) {
        self.micros.fetch_max(at.min(self.present).timestamp_micros(), Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_forward_up_to_the_present() {
        let present: DateTime<Utc> = "2026-01-15T12:00:00Z".parse().expect("a time");
        let past = PastClock::new(present - TimeDelta::days(14), present);
        past.advance(TimeDelta::hours(1));
        past.move_to(present - TimeDelta::days(14));
        assert_eq!(past.clock().now(), present - TimeDelta::days(14) + TimeDelta::hours(1));
        past.advance(TimeDelta::days(100));
        assert_eq!(past.now(), present);
    }
}
