//! When lookups begin: as soon as a request can go no further without them.
//!
//! A timer would make each level of a page wait, and a task of its own would wake another thread for each of them. Here
//! the request itself carries its lookups on, and by then all fields that can be resolved have said what they need.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake},
    time::Duration,
};

use async_graphql::runtime::Timer;
use futures_util::{
    FutureExt, Stream, StreamExt,
    future::BoxFuture,
    stream::FuturesUnordered,
    task::{AtomicWaker, FutureObj, Spawn, SpawnError},
};
use tokio::task::coop::unconstrained;

/// What a request has asked for and nobody has begun to look up.
#[derive(Clone, Default)]
pub struct Lookups(Arc<Mutex<Vec<FutureObj<'static, ()>>>>);

impl Lookups {
    /// A request, or a stream of events, that carries its lookups on.
    pub fn with<R>(&self, request: R) -> WithLookups<R> {
        WithLookups {
            request: Box::pin(request),
            asked: self.clone(),
            running: FuturesUnordered::new(),
            woken: Arc::default(),
        }
    }

    fn take(&self) -> Vec<FutureObj<'static, ()>> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Spawn for Lookups {
    fn spawn_obj(&self, lookup: FutureObj<'static, ()>) -> Result<(), SpawnError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(lookup);
        Ok(())
    }
}

/// Lookups do not wait for others to join them: those have come already.
pub struct NoDelay;

impl Timer for NoDelay {
    fn delay(&self, _: Duration) -> BoxFuture<'static, ()> {
        std::future::ready(()).boxed()
    }
}

/// How often a request that wakes itself goes on before others have their turn.
const MOST_TURNS: usize = 1_000;

/// Notes that a request was woken, and tells whoever polls it.
#[derive(Default)]
struct Woken {
    woken: AtomicBool,
    parent: AtomicWaker,
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::SeqCst);
        self.parent.wake();
    }
}

pub struct WithLookups<R> {
    request: Pin<Box<R>>,
    asked: Lookups,
    running: FuturesUnordered<FutureObj<'static, ()>>,
    woken: Arc<Woken>,
}

impl<R> WithLookups<R> {
    /// Polls the request and its lookups in turn, until neither can go on.
    fn go_on<T>(&mut self, cx: &mut Context<'_>, poll: impl Fn(Pin<&mut R>, &mut Context<'_>) -> Poll<T>) -> Poll<T> {
        self.woken.parent.register(cx.waker());
        let waker = Arc::clone(&self.woken).into();
        for _ in 0..MOST_TURNS {
            self.woken.woken.store(false, Ordering::SeqCst);
            let request = self.request.as_mut();
            if let Poll::Ready(found) = as_far_as_it_can(request, &mut Context::from_waker(&waker), &poll) {
                return Poll::Ready(found);
            }
            // Large lists stop now and then only to let others have a turn: not everything has been asked for yet.
            let can_go_on = self.woken.woken.load(Ordering::SeqCst);
            if !can_go_on && !self.look_up(cx) {
                return Poll::Pending;
            }
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }

    /// Carries lookups on. Says whether one has ended, so that the request may go on.
    fn look_up(&mut self, cx: &mut Context<'_>) -> bool {
        self.running.extend(self.asked.take());
        let mut ended = false;
        while let Poll::Ready(Some(())) = self.running.poll_next_unpin(cx) {
            ended = true;
        }
        ended
    }
}

/// Polls without the runtime's budget: were it to interrupt a page half-way, the other half would be looked up apart.
fn as_far_as_it_can<R, T>(
    request: Pin<&mut R>,
    cx: &mut Context<'_>,
    poll: &impl Fn(Pin<&mut R>, &mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    let mut request = request;
    pin!(unconstrained(poll_fn(|cx| poll(request.as_mut(), cx)))).poll(cx)
}

impl<R: Future> Future for WithLookups<R> {
    type Output = R::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<R::Output> {
        self.go_on(cx, R::poll)
    }
}

impl<R: Stream> Stream for WithLookups<R> {
    type Item = R::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<R::Item>> {
        self.go_on(cx, R::poll_next)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use async_graphql::dataloader::{DataLoader, Loader};
    use futures_util::future::join_all;

    use super::*;

    /// Doubles numbers, and counts how often it was asked.
    #[derive(Clone, Default)]
    struct Doubles(Arc<Mutex<Vec<usize>>>);

    impl Loader<u32> for Doubles {
        type Value = u32;
        type Error = ();

        async fn load(&self, keys: &[u32]) -> Result<HashMap<u32, u32>, ()> {
            self.0.lock().expect("not poisoned").push(keys.len());
            tokio::task::yield_now().await;
            Ok(keys.iter().map(|key| (*key, key * 2)).collect())
        }
    }

    #[tokio::test]
    async fn what_is_asked_for_at_the_same_level_is_looked_up_together() {
        let (doubles, lookups) = (Doubles::default(), Lookups::default());
        let loader = DataLoader::new(doubles.clone(), lookups.clone(), NoDelay);
        // Each takes something of the runtime's budget, which is less than all of them need.
        let permits = tokio::sync::Semaphore::new(1_000);
        let fourfold = async |number: u32| {
            let _permit = permits.acquire().await.expect("open");
            // Some let others have a turn before they say what they need.
            let mut waited = number.is_multiple_of(2);
            poll_fn(|cx| {
                cx.waker().wake_by_ref();
                if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
            let twice = loader.load_one(number).await.expect("an answer").expect("a value");
            loader.load_one(twice).await.expect("an answer").expect("a value")
        };
        let all = lookups.with(join_all((1..=500).map(&fourfold))).await;
        assert_eq!(all.iter().sum::<u32>(), 4 * 500 * 501 / 2);
        assert_eq!(*doubles.0.lock().expect("not poisoned"), [500, 500], "one lookup for each level");
    }

    #[tokio::test]
    async fn events_of_a_stream_have_their_lookups() {
        let lookups = Lookups::default();
        let loader = DataLoader::new(Doubles::default(), lookups.clone(), NoDelay);
        let events = futures_util::stream::iter(1..=3).then(|number| loader.load_one(number));
        let found: Vec<_> = lookups.with(events).collect().await;
        assert_eq!(found, [Ok(Some(2)), Ok(Some(4)), Ok(Some(6))]);
    }
}
