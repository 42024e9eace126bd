//! Integration tests: one binary, real databases, real sockets.
#![expect(clippy::disallowed_methods, reason = "tests look at the real clock and environment")]

mod support;

mod identity;
mod smoke;
