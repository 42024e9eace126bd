//! Panics go to the log, in its format and masked, instead of raw to stderr.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    panic::{self, PanicHookInfo},
    sync::Once,
    thread,
};

/// Replaces the panic hook, once.
pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| panic::set_hook(Box::new(log)));
}

fn log(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let location = panic.location().map(tracing::field::display);
    // Captured only when `RUST_BACKTRACE` asks for it.
    let backtrace = Backtrace::capture();
    let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| tracing::field::display(backtrace));
    let message = panic.payload_as_str().unwrap_or("(not a text)");
    tracing::error!(thread = thread.name(), location, backtrace, "panicked: {message}");
}
