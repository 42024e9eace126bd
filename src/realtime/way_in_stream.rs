//! Sessions or API tokens as a stream: each as it is now, whenever one has begun, been used or ended.

use std::{collections::HashMap, time::Duration};

use chrono::{DateTime, Utc};
use futures_util::{Stream, stream};
use tokio::sync::{
    broadcast::{self, error::RecvError},
    watch,
};
use uuid::Uuid;

use super::{Access, AccessWatch};
use crate::store::{Error, Result, Store, api_tokens::ApiToken, sessions::Session, ways_in::Notice};

/// Clocks of servers differ, and what is written can be read only after the time that it bears: this much of the past is
/// looked at again.
const OVERLAP: Duration = Duration::from_secs(60);

/// Something that lets somebody in, and keeps the time of what last happened to it.
pub trait WayIn: Send + 'static {
    fn id(&self) -> Uuid;
    fn changed_at(&self) -> DateTime<Utc>;
}

impl WayIn for Session {
    fn id(&self) -> Uuid {
        self.id.0
    }

    fn changed_at(&self) -> DateTime<Utc> {
        self.ended_at.unwrap_or(self.last_used_at)
    }
}

impl WayIn for ApiToken {
    fn id(&self) -> Uuid {
        self.id.0
    }

    fn changed_at(&self) -> DateTime<Utc> {
        self.revoked_at.or(self.last_used_at).unwrap_or(self.created_at)
    }
}

/// What changes from the time `start` on, and a little before it. `read` gives what has changed after a time, and is asked
/// when there is a notice of what is watched. Ends when the reader's access changes.
pub fn way_in_stream<W: WayIn, F: Future<Output = Result<Vec<W>>> + Send>(
    store: Store,
    watch: &AccessWatch,
    access: Access,
    watched: Notice,
    start: DateTime<Utc>,
    read: impl Fn(Store, DateTime<Utc>) -> F + Send,
) -> impl Stream<Item = Result<W>> + Send {
    let reader = Reader {
        notices: store.ways_in(),
        told: watch.told(),
        store,
        access,
        watched,
        read,
        position: start,
        seen: HashMap::new(),
        ready: Vec::new().into_iter(),
        look: true,
    };
    stream::unfold(reader, |mut reader| async move {
        let next = reader.next().await?;
        Some((next, reader))
    })
}

struct Reader<W, R> {
    store: Store,
    access: Access,
    told: watch::Receiver<i64>,
    notices: broadcast::Receiver<Notice>,
    watched: Notice,
    read: R,
    /// The latest time of anything that has been handed out.
    position: DateTime<Utc>,
    /// What has been handed out of the time that is looked at again.
    seen: HashMap<Uuid, DateTime<Utc>>,
    ready: std::vec::IntoIter<W>,
    /// Whether there is reason to read.
    look: bool,
}

impl<W: WayIn, F: Future<Output = Result<Vec<W>>> + Send, R: Fn(Store, DateTime<Utc>) -> F + Send> Reader<W, R> {
    async fn next(&mut self) -> Option<Result<W>> {
        loop {
            if self.access.has_changed() {
                return None;
            }
            if let Some(way_in) = self.ready.next() {
                return Some(Ok(way_in));
            }
            if std::mem::take(&mut self.look) {
                if let Err(error) = self.look_again().await {
                    return Some(Err(error));
                }
                continue;
            }
            tokio::select! {
                notice = self.notices.recv() => match notice {
                    Ok(notice) => self.look = notice == self.watched || notice == Notice::Any,
                    Err(RecvError::Lagged(_)) => self.look = true,
                    Err(RecvError::Closed) => return None,
                },
                () = self.access.changed() => return None,
            }
        }
    }

    async fn look_again(&mut self) -> Result<()> {
        let since = self.position - OVERLAP;
        let mut news = match (self.read)(self.store.clone(), since).await {
            // A connection that was cut while it was used: the next one is good, or nothing is.
            Err(Error::Unavailable(_)) => (self.read)(self.store.clone(), since).await?,
            read => read?,
        };
        news.retain(|way_in| self.seen.get(&way_in.id()) != Some(&way_in.changed_at()));
        news.sort_by_key(WayIn::changed_at);
        for way_in in &news {
            self.seen.insert(way_in.id(), way_in.changed_at());
            self.position = self.position.max(way_in.changed_at());
        }
        let horizon = self.position - OVERLAP;
        self.seen.retain(|_, changed_at| *changed_at > horizon);
        self.ready = news.into_iter();
        // Whoever lost the right by now must have been told before anything is handed out.
        let audit_position = self.store.current_audit_position().await?;
        self.store.note_audit_position(audit_position);
        // An error says that the watch is gone, and with it everybody who could be told.
        let _ = self.told.wait_for(|told| *told >= audit_position).await;
        Ok(())
    }
}
