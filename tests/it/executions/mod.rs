//! Executions from their start to their end.

mod order;
mod run;
