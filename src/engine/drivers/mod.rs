//! What moves executions along when nobody asks.

mod embedded;
mod timer;

pub use embedded::{begin, drive, enter, lend, notice};
pub use timer::Timer;
