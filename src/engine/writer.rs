//! Group commit: what many callers decide at the same time is written in one transaction.
//!
//! There is no timer: a batch is what queued up while the last one was being committed.

use tokio::sync::{mpsc, oneshot};

use super::{Error, Result};
use crate::{
    store::{
        self, Store,
        journal::{Append, Appended, Prepared},
    },
    tasks,
};

/// How many appends may wait before their callers do.
const QUEUE: usize = 4096;
/// The most that one transaction takes: enough to make the commit cheap, little enough to answer soon.
const BATCH: usize = 512;

struct Waiting {
    append: Prepared,
    answer: oneshot::Sender<store::Result<Appended>>,
}

/// The way to the journal.
#[derive(Clone)]
pub struct Writer(mpsc::Sender<Waiting>);

impl Writer {
    /// Starts what writes, on a thread of its own: a commit waits for the disk. It ends when the last handle is gone.
    pub fn start(store: Store) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        tasks::on_own_thread("journal", run(store, receiver));
        Self(sender)
    }

    /// Writes what was decided and says, after the commit, what became of it.
    pub async fn append(&self, append: Append) -> Result<Appended> {
        let (answer, answered) = oneshot::channel();
        let gone = || Error::Internal("the journal's writer is gone".to_owned());
        self.0.send(Waiting { append: append.into(), answer }).await.map_err(|_| gone())?;
        Ok(answered.await.map_err(|_| gone())??)
    }

    /// Writes what was decided and then does what follows from it. A caller that goes away cannot stop either: what is
    /// committed has its consequences.
    pub async fn append_then<T: Send + 'static>(
        &self,
        append: Append,
        then: impl FnOnce(Appended) -> T + Send + 'static,
    ) -> Result<T> {
        let writer = self.clone();
        let written = tasks::to_the_end(async move { writer.append(append).await.map(then) }).await;
        written.ok_or_else(|| Error::Internal("a commit's consequences broke off".to_owned()))?
    }
}

async fn run(store: Store, mut queue: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut waiting, BATCH).await > 0 {
        let (batch, answers): (Vec<Prepared>, Vec<_>) = waiting.drain(..).map(|one| (one.append, one.answer)).unzip();
        metrics::histogram!(crate::telemetry::metrics::JOURNAL_BATCH).record(batch.len() as f64);
        match store.append(&batch).await {
            Ok(outcomes) => {
                for (answer, outcome) in answers.into_iter().zip(outcomes) {
                    // Who has gone away does not want to know.
                    let _ = answer.send(Ok(outcome));
                }
            }
            Err(error) if batch.len() == 1 => {
                for answer in answers {
                    let _ = answer.send(Err(error.clone()));
                }
            }
            Err(error) => {
                tracing::debug!(%error, appends = batch.len(), "a batch failed; writing one by one");
                write_one_by_one(&store, batch, answers).await;
            }
        }
    }
}

/// One bad append must not take the others with it.
async fn write_one_by_one(store: &Store, batch: Vec<Prepared>, answers: Vec<oneshot::Sender<store::Result<Appended>>>) {
    for (append, answer) in batch.into_iter().zip(answers) {
        let outcome = store.append(&[append]).await.map(|mut outcomes| outcomes.pop().unwrap_or(Appended::Conflict));
        let _ = answer.send(outcome);
    }
}
