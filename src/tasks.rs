//! Background work that shutdown knows about.

use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Spawns work and waits for it at the end.
#[derive(Clone, Default)]
pub struct Tasks {
    tracker: TaskTracker,
    stop: CancellationToken,
}

impl Tasks {
    /// Runs work that watches [`Tasks::stopping`] and ends by itself soon after.
    pub fn spawn<F>(&self, work: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tracker.spawn(work);
    }

    /// Runs work that is simply dropped at the end.
    pub fn spawn_endless<F>(&self, work: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let stop = self.stop.clone();
        self.tracker.spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = work => {}
            }
        });
    }

    /// Told when the server stops.
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }

    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits for everything that was spawned.
    pub async fn finish(&self) {
        self.tracker.close();
        self.tracker.wait().await;
    }
}

/// Runs work that ends by itself when nobody needs it any more, and that must outlast everything else until then.
#[expect(clippy::disallowed_methods, reason = "shutdown waits for those who use it, not for this")]
pub fn spawn_detached<F>(work: F)
where
    F: Future<Output = ()> + Send + 'static,
{
    tokio::spawn(work);
}
