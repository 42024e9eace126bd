//! How often something may happen for each of many keys, in bounded memory.

use std::{
    hash::Hash,
    net::IpAddr,
    num::{NonZeroU32, NonZeroUsize},
    sync::Mutex,
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    nanos::Nanos,
    state::StateStore,
};
use lru::LruCache;

/// How many keys are remembered. Beyond that, those that came longest ago are forgotten, which gives them a fresh start:
/// whoever commands more addresses than this has as many bursts anyway.
const REMEMBERED: NonZeroUsize = NonZeroUsize::new(50_000).expect("not zero");

/// Counts what happens for each key, and says how long to wait when it was too much.
pub struct Limiter<K: Hash + Eq + Clone>(RateLimiter<Asked<K>, States<K>, DefaultClock>);

impl<K: Hash + Eq + Clone> Limiter<K> {
    /// Allows `quota` for each key.
    pub fn new(quota: Quota) -> Self {
        Self(RateLimiter::new(quota, States(Mutex::new(LruCache::new(REMEMBERED))), DefaultClock::default()))
    }

    /// Allows so much a second, and up to `burst` at once; nothing counts when `per_second` is 0.
    pub fn per_second(per_second: u32, burst: u32) -> Option<Self> {
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
        NonZeroU32::new(per_second).map(|rate| Self::new(Quota::per_second(rate).allow_burst(burst)))
    }

    /// Counts one more for a key, or says how long to wait.
    pub fn count(&self, key: &K) -> Result<(), Duration> {
        self.check(&Asked { key: key.clone(), counts: true })
    }

    /// Says how long to wait if one more would be too much, without counting.
    pub fn look(&self, key: &K) -> Result<(), Duration> {
        self.check(&Asked { key: key.clone(), counts: false })
    }

    fn check(&self, asked: &Asked<K>) -> Result<(), Duration> {
        self.0.check_key(asked).map_err(|busy| busy.wait_time_from(self.0.clock().now()))
    }
}

/// What the library hands through to the states.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Asked<K> {
    key: K,
    counts: bool,
}

/// How far each key has used up its allowance.
struct States<K: Hash + Eq>(Mutex<LruCache<K, Nanos>>);

impl<K: Hash + Eq + Clone> StateStore for States<K> {
    type Key = Asked<K>;

    fn measure_and_replace<T, F, E>(&self, Asked { key, counts }: &Asked<K>, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut states = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !counts {
            return f(states.peek(key).copied()).map(|(allowed, _)| allowed);
        }
        let (allowed, state) = f(states.get(key).copied())?;
        states.put(key.clone(), state);
        Ok(allowed)
    }
}

/// The network that counts as one caller: whoever has an IPv6 address usually has 2^64 of them.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_one_waits() {
        let limiter = Limiter::per_second(1, 3).expect("a limit");
        for _ in 0..3 {
            assert_eq!(limiter.look(&"a"), Ok(()));
            assert_eq!(limiter.count(&"a"), Ok(()));
        }
        let wait = limiter.count(&"a").expect_err("too much");
        assert!(wait <= Duration::from_secs(1), "{wait:?}");
        assert!(limiter.look(&"a").is_err());
        assert_eq!(limiter.count(&"b"), Ok(()), "others are not concerned");
        assert!(Limiter::<u8>::per_second(0, 3).is_none());
    }

    #[test]
    fn memory_has_a_bound() {
        let limiter = Limiter::per_second(1, 1).expect("a limit");
        for key in 0..2 * REMEMBERED.get() {
            assert_eq!(limiter.count(&key), Ok(()));
        }
        assert_eq!(limiter.0.into_state_store().0.lock().expect("no panic").len(), REMEMBERED.get());
    }
}
