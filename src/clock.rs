//! The one place that knows what time it is.

use std::{fmt, sync::Arc};

use chrono::{DateTime, SubsecRound, Utc};
use tokio::sync::watch;

/// Tells the time. Tests give the server one that they move themselves.
#[derive(Clone)]
pub struct Clock {
    now: Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>,
    /// Told when the time jumps, which only a test's does.
    jumps: Option<watch::Receiver<()>>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn system() -> Self {
        Self { now: Arc::new(Utc::now), jumps: None }
    }

    pub fn from_fn(now: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Self {
        Self { now: Arc::new(now), jumps: None }
    }

    /// The same clock, which is told when its time jumps.
    pub fn with_jumps(self, jumps: watch::Receiver<()>) -> Self {
        Self { jumps: Some(jumps), ..self }
    }

    /// Whole microseconds, because PostgreSQL keeps no more and a value must compare equal after a round trip.
    pub fn now(&self) -> DateTime<Utc> {
        (self.now)().trunc_subsecs(6)
    }

    /// Waits until a time has come.
    pub async fn sleep_until(&self, at: DateTime<Utc>) {
        loop {
            // Rounded up: waking up a microsecond early would mean waking up twice.
            let Ok(left) = (at - self.now()).to_std() else { return };
            let sleep = tokio::time::sleep(left + std::time::Duration::from_micros(1));
            match self.jumps.clone() {
                None => sleep.await,
                Some(mut jumps) => {
                    jumps.borrow_and_update();
                    // The time may have jumped before this looked.
                    if at <= self.now() {
                        return;
                    }
                    tokio::select! {
                        () = sleep => {}
                        _ = jumps.changed() => {}
                    }
                }
            }
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}
