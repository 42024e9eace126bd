//! Programs' ways in.

mod mutations;
mod queries;
mod subscription;

use async_graphql::{Context, Enum, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    connection::connection,
    error::Result,
    loaders::RolesOf,
    user::{Role, User, list_roles},
};
use crate::store::api_tokens;

pub use mutations::ApiTokenMutation;
pub use queries::ApiTokenQuery;
pub use subscription::ApiTokenSubscription;

/// Whether a token can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum ApiTokenStatus {
    /// Can be used.
    Active,
    /// Its time is over.
    Expired,
    /// Was taken back.
    Revoked,
}

/// A program's way in, with rights of its own. The token itself is shown once and not kept.
#[derive(Clone)]
pub struct ApiToken(pub api_tokens::ApiToken);

/// A program's way in, with rights of its own. The token itself is shown once and not kept.
#[Object]
impl ApiToken {
    /// The token's global id. It is not the token.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// What the token is for.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// What its bearer may do.
    async fn roles(&self, ctx: &Context<'_>) -> Result<Vec<Role>> {
        let roles = ctx.loaders()?.load(RolesOf(self.0.id)).await?;
        Ok(list_roles(roles.unwrap_or_default()))
    }

    /// Whether the token can be used.
    async fn status(&self, ctx: &Context<'_>) -> ApiTokenStatus {
        let now = ctx.engine().clock().now();
        match (self.0.revoked_at, self.0.expires_at) {
            (Some(_), _) => ApiTokenStatus::Revoked,
            (None, Some(at)) if at <= now => ApiTokenStatus::Expired,
            (None, _) => ApiTokenStatus::Active,
        }
    }

    /// Who made it; null when it was made at the command line or by another token.
    async fn created_by(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.created_by {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            None => Ok(None),
        }
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When it stops working by itself; null: never.
    async fn expires_at(&self) -> Option<DateTime<Utc>> {
        self.0.expires_at
    }

    /// When it was taken back.
    async fn revoked_at(&self) -> Option<DateTime<Utc>> {
        self.0.revoked_at
    }

    /// When it was last used, to the minute.
    async fn last_used_at(&self) -> Option<DateTime<Utc>> {
        self.0.last_used_at
    }
}

connection! {
    /// A page of API tokens.
    ApiTokenConnection,
    /// An API token and where it stands in its list.
    ApiTokenEdge, ApiToken
}
