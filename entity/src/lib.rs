//! The database's rows, one file a table. Only `countersign::store` uses these.

pub mod api_token;
pub mod api_token_role;
pub mod audit_entry;
pub mod group;
pub mod group_member;
pub mod idempotency_key;
pub mod secret;
pub mod server_key;
pub mod session;
pub mod sign_in_link;
pub mod user;
pub mod user_role;
pub mod workspace;
