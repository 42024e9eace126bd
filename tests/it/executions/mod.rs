//! Executions from their start to their end.

mod agents;
mod bad_input;
mod cancel;
mod claims;
mod context;
mod control;
mod exact;
mod fairness;
mod fork;
mod idempotency;
mod leases;
mod on_error;
mod order;
mod pause;
mod paused_time;
mod places;
mod races;
mod restart;
mod results;
mod resume;
mod retries;
mod run;
mod schemas;
mod several_servers;
mod timeouts;
mod too_large;
