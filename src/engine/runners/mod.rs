//! Doing the work of one step, one way for each kind of agent.

mod in_process;

pub use in_process::spawn;
