pub mod clock;
pub mod config;
pub mod domain;
pub mod store;
pub mod telemetry;
