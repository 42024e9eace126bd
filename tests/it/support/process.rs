//! A server that can be gone from one moment to the next.

use std::{ops::Deref, time::Duration};

use countersign::config::Settings;
use tokio::runtime::{Builder, Runtime};

use super::{TestApp, TestClock, database::Fresh};

/// A server with threads of its own, so that it can be stopped as a process is.
pub struct Process {
    app: Option<TestApp>,
    runtime: Option<Runtime>,
}

impl Deref for Process {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        self.app.as_ref().expect("it runs")
    }
}

impl Process {
    pub async fn start(database: Fresh, clock: TestClock, change: impl FnOnce(&mut Settings) + Send + 'static) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        let app = runtime.spawn(TestApp::start_on(database, clock, change)).await.expect("it starts");
        Self { app: Some(app), runtime: Some(runtime) }
    }

    /// Does something on the server's own threads: what it begins ends with them.
    pub async fn within<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let runtime = self.runtime.as_ref().expect("it runs");
        runtime.spawn(work).await.expect("it does not panic")
    }

    /// Finishes what runs, within the bound of the settings, and ends.
    pub async fn stop(mut self) {
        if let Some(app) = &mut self.app {
            app.stop().await;
        }
        self.kill().await;
    }

    /// Gone without a word.
    pub async fn kill(mut self) {
        let (app, runtime) = (self.app.take(), self.runtime.take());
        let end = move || {
            if let Some(runtime) = runtime {
                runtime.shutdown_timeout(Duration::from_secs(10));
            }
            drop(app);
        };
        tokio::task::spawn_blocking(end).await.expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
