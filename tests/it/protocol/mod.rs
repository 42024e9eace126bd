//! The protocols, as their specifications and their reference clients have them.

mod event_stream;
mod execution;
mod http_audit;
mod http_batch;
mod http_negotiation;
mod http_request;
mod reference_clients;
mod shutdown;
mod socket_close_codes;
mod socket_keep_alive;
mod socket_limits;
mod socket_operations;
mod streams;
mod timeouts;
