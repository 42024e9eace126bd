//! Starting the server, and stopping it well.

use std::io::Write;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::process;
use crate::{app::App, clock::Clock, config::Settings, telemetry};

pub async fn run(settings: Settings) -> Result<(), String> {
    let telemetry = telemetry::init(&settings)?;
    process::allow_many_files(&settings);
    let result = serve(settings).await;
    telemetry.shutdown().await;
    result
}

async fn serve(settings: Settings) -> Result<(), String> {
    let app = App::start(settings, Clock::system()).await.map_err(|error| error.to_string())?;
    let link = app.first_sign_in().await.map_err(|error| error.to_string())?;
    // Before anything is said: who reads it may ask the server to stop at once.
    let signals = Signals::listen();
    announce(&app, link.as_deref());
    let tasks = app.tasks().clone();
    let stop = tasks.clone();
    tasks.spawn_endless(async move {
        signals.wait().await;
        stop.stop();
    });
    app.run().await;
    say("Stopped.");
    Ok(())
}

/// On standard output, where the operator looks, and not in the log, where a link has no place.
fn announce(app: &App, link: Option<&str>) {
    let url = app.engine().public_url();
    say(&format!("\n  Countersign {} is listening on {url}", env!("CARGO_PKG_VERSION")));
    if app.engine().settings().demo {
        say(&format!("  Look around with one click, on this machine: {url}/sign-in"));
        if !app.address().ip().is_loopback() {
            say("  Warning: a demo that others can reach. One click lets nobody in from another machine,");
            say("  but the link below does, and nothing here is meant to be kept.");
        }
    }
    match link {
        Some(link) => say(&format!("  Sign in (once, within a day): {link}\n")),
        None => say(&format!("  Sign in: {url}/sign-in\n")),
    }
}

/// Nobody need listen: the server goes on, and stops, all the same.
fn say(line: &str) {
    let mut output = std::io::stdout();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}

/// The signals that stop the server, from the moment they are listened to.
struct Signals(Option<(Signal, Signal)>);

impl Signals {
    fn listen() -> Self {
        match (signal(SignalKind::terminate()), signal(SignalKind::interrupt())) {
            (Ok(terminate), Ok(interrupt)) => Self(Some((terminate, interrupt))),
            _ => {
                tracing::error!("cannot wait for signals; stop the process with SIGKILL");
                Self(None)
            }
        }
    }

    async fn wait(self) {
        let Some((mut terminate, mut interrupt)) = self.0 else { return std::future::pending().await };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        say("Stopping: finishing what runs …");
    }
}
