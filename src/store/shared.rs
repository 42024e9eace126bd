//! Lookups that share a statement: those that arrive while one runs are answered by the next.
//!
//! Nobody is given what was read before they asked. There is no timer, so a lone lookup does not wait.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use super::{Error, Result};
use crate::tasks;

/// The most that one statement looks for.
const AT_ONCE: usize = 64;

type Waiting<K, V> = (K, oneshot::Sender<Result<Option<V>>>);

struct Queue<K, V> {
    waiting: Vec<Waiting<K, V>>,
    /// Whether somebody is looking things up.
    busy: bool,
}

/// The lookups of one kind.
pub struct Shared<K, V>(Mutex<Queue<K, V>>);

impl<K, V> Default for Shared<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Queue { waiting: Vec::new(), busy: false }))
    }
}

impl<K: Hash + Eq + Clone + Send + 'static, V: Clone + Send + 'static> Shared<K, V> {
    fn queue(&self) -> MutexGuard<'_, Queue<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a key. `serve` is called by whoever finds nobody at work: it must go on in the background, because
    /// others wait for it when this caller has gone away.
    pub async fn get<F>(&self, key: K, serve: impl FnOnce() -> F) -> Result<Option<V>>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let idle = {
            let mut queue = self.queue();
            queue.waiting.push((key, answer));
            !std::mem::replace(&mut queue.busy, true)
        };
        if idle {
            tasks::spawn_detached(serve());
        }
        answered.await.map_err(|_| Error::Unavailable("a lookup was given up".to_owned()))?
    }

    /// Answers until nobody waits any more.
    pub async fn serve<F>(&self, look_up: impl Fn(Vec<K>) -> F)
    where
        F: Future<Output = Result<HashMap<K, V>>>,
    {
        let _busy = Busy(self);
        loop {
            let batch: Vec<Waiting<K, V>> = {
                let mut queue = self.queue();
                let count = queue.waiting.len().min(AT_ONCE);
                if count == 0 {
                    // Under the lock: whoever comes next finds nobody at work.
                    queue.busy = false;
                    return;
                }
                queue.waiting.drain(..count).collect()
            };
            let mut keys: Vec<K> = Vec::new();
            for (key, _) in &batch {
                if !keys.contains(key) {
                    keys.push(key.clone());
                }
            }
            let found = look_up(keys).await;
            for (key, answer) in batch {
                // Who has gone away does not want to know.
                let _ = answer.send(found.as_ref().map(|found| found.get(&key).cloned()).map_err(Error::clone));
            }
        }
    }
}

/// Whoever serves. If it panics, those who wait are told, and the next one who comes finds nobody at work.
struct Busy<'a, K, V>(&'a Shared<K, V>);

impl<K, V> Drop for Busy<'_, K, V> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut queue = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
            queue.busy = false;
            queue.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::future::join_all;
    use tokio::sync::Semaphore;

    use super::*;

    /// Looks up the length of words, each batch when it is let.
    struct Lengths {
        shared: Shared<String, usize>,
        turns: Semaphore,
        batches: Mutex<Vec<Vec<String>>>,
    }

    impl Lengths {
        async fn get(self: &Arc<Self>, word: &str) -> Result<Option<usize>> {
            let lengths = Arc::clone(self);
            let serve = || async move {
                let look_up = async |words: Vec<String>| {
                    lengths.turns.acquire().await.expect("open").forget();
                    lengths.batches.lock().expect("whole").push(words.clone());
                    assert!(!words.contains(&"panic".to_owned()), "a look that panics");
                    if words.contains(&"broken".to_owned()) {
                        return Err(Error::Unavailable("broken".to_owned()));
                    }
                    Ok(words
                        .into_iter()
                        .filter(|word| word != "unknown")
                        .map(|word| (word.clone(), word.len()))
                        .collect())
                };
                lengths.shared.serve(look_up).await;
            };
            self.shared.get(word.to_owned(), serve).await
        }
    }

    #[tokio::test]
    async fn whoever_comes_while_one_looks_shares_the_next_look() {
        let lengths =
            Arc::new(Lengths { shared: Shared::default(), turns: Semaphore::new(0), batches: Mutex::default() });
        let mut first = std::pin::pin!(lengths.get("one"));
        assert!(futures_util::poll!(first.as_mut()).is_pending());
        // The first one is alone on its way once nobody waits although somebody is busy.
        while !(lengths.shared.queue().busy && lengths.shared.queue().waiting.is_empty()) {
            tokio::task::yield_now().await;
        }
        let words = ["three", "one", "three", "unknown"];
        let others = join_all(words.map(|word| lengths.get(word)));
        let let_them = async { lengths.turns.add_permits(2) };
        let (others, ()) = tokio::join!(others, let_them);
        let others: Vec<_> = others.into_iter().map(|found| found.expect("an answer")).collect();
        assert_eq!(others, [Some(5), Some(3), Some(5), None]);
        assert_eq!(first.await.expect("an answer"), Some(3));
        let batches = lengths.batches.lock().expect("whole").clone();
        assert_eq!(batches, [vec!["one"], vec!["three", "one", "unknown"]]);
    }

    #[tokio::test]
    async fn a_look_that_fails_is_told_and_the_next_one_works() {
        let lengths =
            Arc::new(Lengths { shared: Shared::default(), turns: Semaphore::new(3), batches: Mutex::default() });
        assert!(lengths.get("broken").await.is_err());
        assert!(lengths.get("panic").await.is_err());
        assert_eq!(lengths.get("three").await.expect("an answer"), Some(5));
    }
}
