//! Finding out who is calling.

mod access_token;
mod attempts;
mod authenticate;
mod limiter;
mod password;
mod provider;
mod refresh_token;

pub use access_token::AccessTokens;
pub use attempts::Attempts;
pub use authenticate::Rejected;
pub use limiter::{Limiter, network};
pub use password::{Passwords, Words};
pub use provider::Provider;
pub use refresh_token::RefreshTokens;
