//! Watching API tokens.

use async_graphql::{Context, Enum, Object, Subscription};
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};

use super::ApiToken;
use crate::{
    domain::role::Role,
    graphql::{caller::ContextExt, error::Result, log::WAYS_IN},
    realtime::{WayIn, way_in_stream},
    store::{Store, api_tokens, ways_in::Notice},
};

/// What happened to an API token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum ApiTokenEventType {
    /// There is a new one.
    Created,
    /// It is being used.
    Used,
    /// It was taken back.
    Revoked,
}

/// Something happened to an API token.
pub struct ApiTokenEvent(api_tokens::ApiToken);

/// Something happened to an API token.
#[Object]
impl ApiTokenEvent {
    /// Give it as `after` to go on from here without missing anything.
    async fn cursor(&self) -> String {
        WAYS_IN.cursor(format_args!("{} {}", self.0.changed_at().timestamp_micros(), self.0.id))
    }

    /// What happened last.
    async fn r#type(&self) -> ApiTokenEventType {
        match (self.0.revoked_at, self.0.last_used_at) {
            (Some(_), _) => ApiTokenEventType::Revoked,
            (None, Some(_)) => ApiTokenEventType::Used,
            (None, None) => ApiTokenEventType::Created,
        }
    }

    /// When it happened.
    async fn at(&self) -> DateTime<Utc> {
        self.0.changed_at()
    }

    /// The token as it is now.
    async fn api_token(&self) -> ApiToken {
        ApiToken(self.0.clone())
    }
}

#[derive(Default)]
pub struct ApiTokenSubscription;

#[Subscription]
impl ApiTokenSubscription {
    /// What happens to the API tokens of the workspace: new ones, those in use, at most once a minute each, and what is
    /// taken back. It begins with what happened in the minute before, so what changed since a query is not missed.
    /// Needs the role ADMIN.
    async fn api_token_events(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Start after this event; absent: now. What happened in the minute before may be told again.")]
        after: Option<String>,
    ) -> Result<impl Stream<Item = Result<ApiTokenEvent>>> {
        let scope = ctx.require(Role::Admin)?;
        let engine = ctx.engine();
        let start = WAYS_IN.time_after(after.as_deref())?.unwrap_or_else(|| engine.clock().now());
        let read = move |store: Store, time| async move { store.api_tokens_changed_after(scope, time).await };
        let watched = Notice::ApiTokens(scope.workspace());
        let tokens = way_in_stream(engine.store().clone(), ctx.access_watch(), ctx.access()?, watched, start, read);
        Ok(tokens.map(|token| Ok(ApiTokenEvent(token?))))
    }
}
