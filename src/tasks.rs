//! Background work that shutdown knows about.

use tokio::runtime::Handle;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;

/// Spawns work and waits for it at the end.
#[derive(Clone)]
pub struct Tasks {
    tracker: TaskTracker,
    stop: CancellationToken,
    /// Work ends with the threads among which this was made, whoever asks for it.
    runtime: Handle,
}

impl Tasks {
    /// Work runs among the threads of the runtime in which this is called.
    pub fn here() -> Self {
        Self { tracker: TaskTracker::new(), stop: CancellationToken::new(), runtime: Handle::current() }
    }

    /// Runs work that watches [`Tasks::stopping`] and ends by itself soon after.
    pub fn spawn<F>(&self, work: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tracker.spawn_on(work, &self.runtime);
    }

    /// Runs work that is simply dropped at the end.
    pub fn spawn_endless<F>(&self, work: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let stop = self.stop.clone();
        let work = async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = work => {}
            }
        };
        self.tracker.spawn_on(work, &self.runtime);
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

/// Runs work that goes on to its end even if the caller stops waiting for it; nothing if it panicked.
#[expect(clippy::disallowed_methods, reason = "it belongs to a request, which may go away")]
pub async fn to_the_end<T, F>(work: F) -> Option<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    tokio::spawn(work.in_current_span()).await.ok()
}

/// The same as [`spawn_detached`] for work that blocks its thread for moments, so that nobody else has to wait for these. What it waits for wakes
/// its own thread, not one of those that serve.
pub fn on_own_thread<F>(name: &str, work: F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let start = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name(name.to_owned()).spawn(move || runtime.block_on(work))
    };
    if let Err(error) = start() {
        tracing::error!(%error, name, "no thread can be started");
    }
}
