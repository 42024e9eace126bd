//! How often one address and one account may try to sign in.

use std::{net::IpAddr, num::NonZeroU32};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock};

use crate::{
    domain::email::Email,
    engine::{Error, Origin, Result},
};

/// Above this many remembered keys, those that have recovered are forgotten.
const REMEMBERED: usize = 10_000;

pub struct Attempts {
    by_address: DefaultKeyedRateLimiter<IpAddr>,
    by_account: DefaultKeyedRateLimiter<Email>,
}

impl Attempts {
    pub fn new(per_minute: u32) -> Self {
        let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
        Self { by_address: RateLimiter::keyed(quota), by_account: RateLimiter::keyed(quota) }
    }

    /// Counts an attempt from an address.
    pub fn from_address(&self, origin: &Origin) -> Result<()> {
        match origin.address {
            Some(address) => count(&self.by_address, &network(address)),
            None => Ok(()),
        }
    }

    /// Counts an attempt on an account, whether it exists or not.
    pub fn on_account(&self, email: &Email) -> Result<()> {
        count(&self.by_account, email)
    }
}

fn count<K: std::hash::Hash + Eq + Clone>(limiter: &DefaultKeyedRateLimiter<K>, key: &K) -> Result<()> {
    if limiter.len() > REMEMBERED {
        limiter.retain_recent();
    }
    limiter
        .check_key(key)
        .map_err(|busy| Error::RateLimited { retry_after: busy.wait_time_from(limiter.clock().now()) })
}

/// Whoever has an IPv6 address usually has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_in_an_ipv6_network_share_their_attempts() {
        let attempts = Attempts::new(2);
        let from = |text: &str| Origin { address: text.parse().ok(), user_agent: None };
        assert!(attempts.from_address(&from("2001:db8::1")).is_ok());
        assert!(attempts.from_address(&from("2001:db8::2")).is_ok());
        assert!(matches!(attempts.from_address(&from("2001:db8::3")), Err(Error::RateLimited { .. })));
        assert!(attempts.from_address(&from("2001:db8:0:1::3")).is_ok());
    }
}
