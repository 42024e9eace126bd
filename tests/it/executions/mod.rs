//! Executions from their start to their end.

mod run;
