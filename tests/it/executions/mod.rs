//! Executions from their start to their end.

mod kill;
mod run;
