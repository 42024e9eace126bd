pub mod clock;
pub mod config;
pub mod domain;
pub mod engine;
pub mod graphql;
pub mod realtime;
pub mod store;
