//! How often one address may try to sign in, and how often one account can be tried.
//!
//! Anybody can try an account, so what strangers do must not keep its owner out. What counts for an account is counted for
//! each network that tries it. A limit that is much higher holds for all networks together, against guesses from many; who
//! has been let in from a network before is not concerned by it.

use std::{
    net::IpAddr,
    num::{NonZeroU32, NonZeroUsize},
    sync::Mutex,
    time::Duration,
};

use governor::Quota;
use lru::LruCache;

use super::limiter::{Limiter, network};
use crate::{
    domain::email::Email,
    engine::{Error, Origin, Result},
};

/// How many times what one network may try an account can be tried from everywhere.
const EVERYWHERE: u32 = 20;
/// How many pairs of an account and a network are remembered as good.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(50_000).expect("not zero");

/// An account and the network from which it is tried.
type Pair = (Email, Option<IpAddr>);

pub struct Attempts {
    by_address: Limiter<IpAddr>,
    by_pair: Limiter<Pair>,
    by_account: Limiter<Email>,
    /// From where the right password came.
    good: Mutex<LruCache<Pair, ()>>,
}

impl Attempts {
    pub fn new(per_minute: u32) -> Self {
        let quota = |times: u32| {
            let number = NonZeroU32::new(per_minute.saturating_mul(times)).unwrap_or(NonZeroU32::MIN);
            Quota::per_minute(number)
        };
        Self {
            by_address: Limiter::new(quota(1)),
            by_pair: Limiter::new(quota(1)),
            by_account: Limiter::new(quota(EVERYWHERE)),
            good: Mutex::new(LruCache::new(REMEMBERED)),
        }
    }

    /// Counts an attempt from an address.
    pub fn from_address(&self, origin: &Origin) -> Result<()> {
        match origin.address {
            Some(address) => self.by_address.count(&network(address)).map_err(limited),
            None => Ok(()),
        }
    }

    /// Counts an attempt on an account, whether it exists or not.
    pub fn on_account(&self, email: &Email, origin: &Origin) -> Result<()> {
        let pair = pair(email, origin);
        self.by_pair.count(&pair).map_err(limited)?;
        if self.good().get(&pair).is_some() {
            return Ok(());
        }
        self.by_account.count(email).map_err(limited)
    }

    /// Notes that an account was let in: its owner is there.
    pub fn succeeded(&self, email: &Email, origin: &Origin) {
        self.good().put(pair(email, origin), ());
    }

    fn good(&self) -> std::sync::MutexGuard<'_, LruCache<Pair, ()>> {
        self.good.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn pair(email: &Email, origin: &Origin) -> Pair {
    (email.clone(), origin.address.map(network))
}

fn limited(retry_after: Duration) -> Error {
    Error::RateLimited { retry_after }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(text: &str) -> Origin {
        Origin { address: text.parse().ok(), user_agent: None }
    }

    fn email() -> Email {
        Email::parse("ada@example.com").expect("an address")
    }

    #[test]
    fn neighbours_in_an_ipv6_network_share_their_attempts() {
        let attempts = Attempts::new(2);
        assert!(attempts.from_address(&from("2001:db8::1")).is_ok());
        assert!(attempts.from_address(&from("2001:db8::2")).is_ok());
        assert!(matches!(attempts.from_address(&from("2001:db8::3")), Err(Error::RateLimited { .. })));
        assert!(attempts.from_address(&from("2001:db8:0:1::3")).is_ok());
    }

    #[test]
    fn an_account_is_limited_for_each_network_and_much_higher_for_all() {
        let attempts = Attempts::new(2);
        attempts.succeeded(&email(), &from("198.51.100.1"));
        for number in 0..20 {
            let origin = from(&format!("203.0.113.{number}"));
            assert!(attempts.on_account(&email(), &origin).is_ok());
            assert!(attempts.on_account(&email(), &origin).is_ok());
            assert!(attempts.on_account(&email(), &origin).is_err(), "two from one network");
        }
        assert!(attempts.on_account(&email(), &from("203.0.113.99")).is_err(), "forty from everywhere");
        assert!(attempts.on_account(&email(), &from("198.51.100.1")).is_ok(), "its owner was here before");
    }
}
