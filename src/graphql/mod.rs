//! The API: types built from domain and store structs, and the rules that every request keeps.
//!
//! [`Api`] is the way in for all transports: it checks limits, parses, and executes.

mod agent;
mod analytics;
mod api;
mod api_token;
mod audit;
mod boxed;
pub mod caller;
mod checkpoint;
mod connection;
mod deliverable;
mod directory;
mod documents;
mod error;
mod event;
mod execution;
mod filter;
mod group;
mod hooks;
mod introspection;
mod json;
mod library;
mod limits;
mod loaders;
mod log;
mod memory;
mod node;
mod page_sizes;
mod policy;
mod response;
mod room;
mod roots;
mod schema;
mod secret;
mod server;
mod service_account;
mod session;
mod task;
mod user;
mod viewer;
mod workflow;
mod workspace;

pub use api::{Api, Kind, Prepared};
pub use caller::Caller;
pub use error::{Code, RETRY_AFTER_SECONDS, UNAVAILABLE, request_error, unavailable_error};
pub use json::variables;
pub use response::Answer;
pub use room::Room;
pub use schema::sdl;
pub use session::COOKIE_NAME;
