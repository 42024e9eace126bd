//! Executions from their start to their end.

mod api;
mod api_continue;
mod api_events;
mod api_pages;
mod api_workers;
mod kill;
mod run;
mod streams;
