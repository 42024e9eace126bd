//! Signing in and out.

mod cookie;
mod mutations;
mod subscription;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::caller::ContextExt;
use crate::{domain::access::Credential, store::sessions};

pub use cookie::NAME as COOKIE_NAME;
pub use mutations::SessionMutation;
pub use subscription::SessionSubscription;

/// A browser or device that is signed in.
#[derive(Clone)]
pub struct Session(pub sessions::Session);

/// A browser or device that is signed in.
#[Object]
impl Session {
    /// The session's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// When it began.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When it was last renewed.
    async fn last_used_at(&self) -> DateTime<Utc> {
        self.0.last_used_at
    }

    /// When it ends if it is not used.
    async fn expires_at(&self) -> DateTime<Utc> {
        self.0.expires_at
    }

    /// From which network address it was started.
    async fn address(&self) -> Option<&str> {
        self.0.address.as_deref()
    }

    /// What the browser called itself.
    async fn user_agent(&self) -> Option<&str> {
        self.0.user_agent.as_deref()
    }

    /// Whether it can only read, because it was opened with a link that an admin made for an account in use.
    async fn held(&self) -> bool {
        self.0.held
    }

    /// Whether it is the session that asks.
    async fn current(&self, ctx: &Context<'_>) -> bool {
        ctx.viewer().is_ok_and(|viewer| viewer.credential == Credential::Session(self.0.id))
    }
}
