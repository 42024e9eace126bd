//! What moves executions along when nobody asks.

mod embedded;
mod timer;

pub use embedded::start;
pub use timer::Timer;
