//! Watching one's own sessions.

use async_graphql::{Context, Enum, Object, Subscription};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt, stream};

use super::Session;
use crate::{
    domain::access::Scope,
    graphql::{caller::ContextExt, error::Result, log::WAYS_IN},
    realtime::{WayIn, way_in_stream},
    store::{Store, sessions, ways_in::Notice},
};

/// What happened to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum SessionEventType {
    /// Somebody signed in.
    Started,
    /// It goes on: the browser asked for another access token.
    Renewed,
    /// It cannot be used any more.
    Ended,
}

/// Something happened to one of the caller's sessions.
pub struct SessionEvent(sessions::Session);

/// Something happened to one of the caller's sessions.
#[Object]
impl SessionEvent {
    /// Give it as `after` to go on from here without missing anything.
    async fn cursor(&self) -> String {
        WAYS_IN.cursor(format_args!("{} {}", self.0.changed_at().timestamp_micros(), self.0.id))
    }

    /// What happened last.
    async fn r#type(&self) -> SessionEventType {
        match self.0.ended_at {
            Some(_) => SessionEventType::Ended,
            None if self.0.last_used_at > self.0.created_at => SessionEventType::Renewed,
            None => SessionEventType::Started,
        }
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.changed_at()
    }

    /// The session as it is now.
    async fn session(&self) -> Session {
        Session(self.0.clone())
    }
}

#[derive(Default)]
pub struct SessionSubscription;

#[Subscription]
impl SessionSubscription {
    /// What happens to the caller's own sessions: where one begins, goes on or ends. Nobody else's are told. It begins with
    /// what happened in the minute before, so what changed since a query is not missed.
    async fn session_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Start after this event; absent: now. What happened in the minute before may be told again.")]
        after: Option<String>,
    ) -> Result<impl Stream<Item = Result<SessionEvent>>> {
        let (viewer, engine, mut access) = (ctx.viewer()?, ctx.engine(), ctx.access()?);
        let start = WAYS_IN.time_after(after.as_deref())?.unwrap_or_else(|| engine.clock().now());
        let Some(user) = viewer.user() else {
            // An API token has no sessions, so nothing ever happens to them.
            let over = async move { access.changed().await };
            return Ok(stream::pending().take_until(over).left_stream());
        };
        let scope = Scope::own(viewer);
        let read = move |store: Store, time| async move { store.sessions_changed_after(scope, user, time).await };
        let watched = Notice::Sessions(user);
        let sessions = way_in_stream(engine.store().clone(), ctx.access_watch(), access, watched, start, read);
        Ok(sessions.map(|session| Ok(SessionEvent(session?))).right_stream())
    }
}
