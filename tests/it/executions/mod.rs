//! Executions from their start to their end.

mod agents;
mod bad_input;
mod context;
mod exact;
mod order;
mod run;
