//! The database's rows, one file a table. Only `countersign::store` uses these.

pub mod agent;
pub mod agent_version;
pub mod api_token;
pub mod api_token_role;
pub mod audit_entry;
pub mod execution;
pub mod group;
pub mod group_member;
pub mod idempotency_key;
pub mod journal;
pub mod payload;
pub mod secret;
pub mod server;
pub mod server_key;
pub mod session;
pub mod sign_in_link;
pub mod step_run;
pub mod task;
pub mod user;
pub mod user_role;
pub mod workflow;
pub mod workflow_draft;
pub mod workflow_version;
pub mod workspace;
