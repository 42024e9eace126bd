//! Finding out who is calling.

mod access_token;
mod attempts;
mod authenticate;
mod password;
mod provider;

pub use access_token::AccessTokens;
pub use attempts::Attempts;
pub use authenticate::Rejected;
pub use password::Passwords;
pub use provider::Provider;
