//! Where what users write is computed: expressions, patterns, schemas.
//!
//! Never on the threads that serve everybody. There are few places, so that computing cannot take the machine; whoever
//! finds none waits, and is turned away if that takes too long or too many wait already.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

use super::Error;
use crate::domain::work::Budget;

/// How much may be computed for one request: about a second.
pub const MOST_WORK: u64 = 20_000_000;
/// How much of it for a document with all its expressions.
pub const WORK_ON_A_DOCUMENT: u64 = MOST_WORK / 2;
/// The same for a step, for which nobody waits at a screen.
const MOST_WORK_OF_A_STEP: u64 = 10 * MOST_WORK;

/// How long somebody waits for a place and then for the result.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many may wait.
const MOST_WAITING: usize = 512;
/// When those who were turned away should come back.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Requests and steps have places of their own: whoever tries something out keeps no execution waiting.
static FOR_REQUESTS: LazyLock<Arc<Semaphore>> = LazyLock::new(places);
static FOR_STEPS: LazyLock<Arc<Semaphore>> = LazyLock::new(places);
static WAITING: AtomicUsize = AtomicUsize::new(0);

fn places() -> Arc<Semaphore> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Arc::new(Semaphore::new(cores.saturating_sub(1).max(1)))
}

/// There was no place in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

impl From<Busy> for Error {
    fn from(Busy: Busy) -> Self {
        Error::Busy { retry_after: RETRY_AFTER }
    }
}

/// Somebody in the queue, until dropped.
struct Waiting;

impl Waiting {
    fn begin() -> Result<Self, Busy> {
        // Made first, so that it is counted out again if there are too many.
        let waiting = Self;
        if WAITING.fetch_add(1, Ordering::Relaxed) < MOST_WAITING { Ok(waiting) } else { Err(Busy) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends the work when nobody waits for it any more.
struct Stop(Arc<Budget>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Computes something for a request that may cost so much.
pub async fn compute<T: Send + 'static>(units: u64, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let deadline = Instant::now() + PATIENCE;
    let place = place_until(deadline).await?;
    timeout_at(deadline, run(units, place, work)).await.map_err(|_elapsed| Busy)?
}

/// Computes something for a step, however long it has to wait.
pub async fn compute_for_step<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let place = Arc::clone(&FOR_STEPS).acquire_owned().await.map_err(|_closed| Busy)?;
    run(MOST_WORK_OF_A_STEP, place, work).await
}

/// Computes something for a request with what is at hand.
pub async fn compute_here<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    let _place = place_until(Instant::now() + PATIENCE).await?;
    Ok(beside(|| Budget::new(MOST_WORK).pay_for(work)))
}

/// Computes something with what is at hand, for which nobody can be turned away. Others go on on another thread.
pub fn beside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

async fn place_until(deadline: Instant) -> Result<OwnedSemaphorePermit, Busy> {
    let _waiting = Waiting::begin()?;
    let place = timeout_at(deadline, Arc::clone(&FOR_REQUESTS).acquire_owned()).await.map_err(|_elapsed| Busy)?;
    place.map_err(|_closed| Busy)
}

async fn run<T: Send + 'static>(
    units: u64,
    place: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let budget = Budget::new(units);
    let _stop = Stop(Arc::clone(&budget));
    let work = tokio::task::spawn_blocking(move || {
        // Kept by the thread: it is taken for as long as it is used, whoever waits.
        let _place = place;
        budget.pay_for(work)
    });
    work.await.map_err(|error| Error::Internal(format!("a computation broke off: {error}")))
}
