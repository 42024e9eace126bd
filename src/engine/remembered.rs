//! Answers of the database that are asked for again and again, remembered for a moment.

use std::{
    hash::Hash,
    num::NonZeroUsize,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use lru::LruCache;

/// What was found, when, and how much this process had written by then.
struct Known<V> {
    found: V,
    at: Instant,
    changes: u64,
}

/// Answers by key. A change by this process is seen at once, one by another process after a moment.
pub struct Remembered<K, V> {
    known: Mutex<LruCache<K, Known<V>>>,
    fresh: Duration,
}

impl<K: Hash + Eq, V: Clone> Remembered<K, V> {
    pub fn new(most: NonZeroUsize, fresh: Duration) -> Self {
        Self { known: Mutex::new(LruCache::new(most)), fresh }
    }

    /// What was found a moment ago, if this process has written nothing since.
    pub fn get(&self, key: &K, changes: u64) -> Option<V> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(key)?;
        (found.changes == changes && found.at.elapsed() < self.fresh).then(|| found.found.clone())
    }

    /// Keeps what was found. `changes` is from before the database was asked: what was written meanwhile may be missing.
    pub fn put(&self, key: K, found: V, changes: u64) {
        let known = Known { found, at: Instant::now(), changes };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).put(key, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: NonZeroUsize = NonZeroUsize::new(2).expect("not zero");

    #[test]
    fn what_was_found_is_forgotten_when_this_process_writes() {
        let remembered = Remembered::new(SOME, Duration::from_secs(3_600));
        remembered.put("key", 1, 7);
        assert_eq!(remembered.get(&"key", 7), Some(1));
        assert_eq!(remembered.get(&"key", 8), None);
        assert_eq!(remembered.get(&"other", 7), None);
    }

    #[test]
    fn what_was_found_is_forgotten_after_a_moment() {
        let remembered = Remembered::new(SOME, Duration::ZERO);
        remembered.put("key", 1, 7);
        assert_eq!(remembered.get(&"key", 7), None);
    }
}
