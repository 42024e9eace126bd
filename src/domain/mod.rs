//! What Countersign knows, without how it is stored, shown or transported.
//!
//! `domain` knows no SQL, no GraphQL, no HTTP and no clock: time and randomness are passed in.

pub mod access;
pub mod agent;
pub mod analytics;
pub mod api_token;
pub mod audit;
pub mod canonical;
pub mod checkpoint;
pub mod deliverable;
pub mod disguise;
pub mod document;
pub mod email;
pub mod execution;
pub mod expression;
pub mod id;
pub mod json;
pub mod mapping;
pub mod name;
pub mod operation_type;
pub mod pattern;
pub mod policy;
pub mod refusal;
pub mod role;
pub mod schema;
pub mod secret;
pub mod time;
pub mod transform;
mod words;
pub mod work;
pub mod workflow;
