//! Executions from their start to their end.

mod agents;
mod api;
mod api_continue;
mod api_events;
mod api_pages;
mod api_workers;
mod bad_input;
mod cancel;
mod context;
mod control;
mod exact;
mod fork;
mod histories;
mod idempotency;
mod kill;
mod order;
mod places;
mod races;
mod restart;
mod resume;
mod retries;
mod run;
mod streams;
mod timeouts;
mod too_large;
