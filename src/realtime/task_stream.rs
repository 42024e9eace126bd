//! Tells idle workers that there is something to do.

use std::time::Duration;

use futures_util::{Stream, stream};

use super::{
    Access, Hub,
    hub::{Heard, Topic, Watching},
};
use crate::{
    domain::{access::Scope, id::AgentId},
    store::Result,
};

/// Nobody needs to know more exactly how much waits.
const COUNTED: u64 = 1_000;

/// What still waits after this is told again: an agent that had enough may have room, whoever was told may be gone.
const TELL_AGAIN: Duration = Duration::from_secs(2);

/// How much waits in a queue: at once if something does, then whenever something was added, and again while it waits.
/// Ends when the reader's access changes.
pub fn task_stream(
    hub: &Hub,
    access: Access,
    scope: Scope,
    queue: String,
    only: Option<Vec<AgentId>>,
) -> impl Stream<Item = Result<u64>> + Send + use<> {
    let watching = hub.watch(Topic::Queue(scope.workspace(), queue.clone()));
    let reader = Reader { hub: hub.clone(), access, scope, queue, only, watching, waits: true, first: true };
    stream::unfold(reader, |mut reader| async move {
        let next = reader.next().await?;
        Some((next, reader))
    })
}

struct Reader {
    hub: Hub,
    access: Access,
    scope: Scope,
    queue: String,
    /// The only agents whose tasks the reader may take; nothing if those of all.
    only: Option<Vec<AgentId>>,
    watching: Watching,
    /// Whether something waited when this last looked.
    waits: bool,
    first: bool,
}

impl Reader {
    async fn next(&mut self) -> Option<Result<u64>> {
        loop {
            if !std::mem::take(&mut self.first) {
                let heard = tokio::select! {
                    heard = self.watching.next() => heard,
                    () = self.access.changed() => return None,
                    () = tokio::time::sleep(TELL_AGAIN), if self.waits => Heard::Behind,
                };
                match heard {
                    // Several at once are one reason to look.
                    Heard::Entry(_) | Heard::Behind => self.watching.skip(),
                    Heard::Closed => return None,
                }
            }
            let waiting =
                self.hub.store().count_waiting_tasks(self.scope, &self.queue, self.only.as_deref(), COUNTED).await;
            self.waits = !matches!(waiting, Ok(0));
            match waiting {
                Ok(0) => {}
                Ok(_) if self.access.has_changed() => return None,
                waiting => return Some(waiting),
            }
        }
    }
}
