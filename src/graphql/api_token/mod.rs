//! Programs' ways in.

mod mutations;
mod queries;
mod restrictions;
mod subscription;

use async_graphql::{Context, Enum, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    connection::connection,
    error::Result,
    loaders::RolesOf,
    service_account::ServiceAccount,
    user::{Role, User, list_roles},
};
use crate::{
    domain::api_token::{Owner, Right},
    store::api_tokens,
};

pub use mutations::ApiTokenMutation;
pub use queries::ApiTokenQuery;
pub use restrictions::{ApiTokenRestrictions, ApiTokenRestrictionsInput};
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
    /// The person or the service account that it belongs to is disabled.
    OwnerDisabled,
}

/// A right that a token has beside its roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Right")]
pub enum ApiTokenRight {
    /// Stops all approvals without people. Lifting the stop needs the role APPROVER.
    EmergencyStop,
}

/// A program's way in. It belongs to a person, whose rights it never exceeds, or to a service account. The token itself
/// is shown once and not kept.
#[derive(Clone)]
pub struct ApiToken(pub api_tokens::ApiToken);

/// A program's way in. It belongs to a person, whose rights it never exceeds, or to a service account. The token itself
/// is shown once and not kept.
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

    /// The person that it belongs to, and as whom it counts; null for a service account's.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.owner {
            Some(Owner::User(id)) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            Some(Owner::ServiceAccount(_)) | None => Ok(None),
        }
    }

    /// The service account that it belongs to; null for a person's.
    async fn service_account(&self, ctx: &Context<'_>) -> Result<Option<ServiceAccount>> {
        match self.0.owner {
            Some(Owner::ServiceAccount(id)) => Ok(ctx.loaders()?.load(id).await?.map(ServiceAccount)),
            Some(Owner::User(_)) | None => Ok(None),
        }
    }

    /// The rights that it has beside its roles.
    async fn rights(&self) -> Vec<ApiTokenRight> {
        self.0.rights.iter().copied().map(ApiTokenRight::from).collect()
    }

    /// What it is restricted to; null if it is not.
    async fn restrictions(&self) -> Option<ApiTokenRestrictions> {
        (!self.0.restrictions.is_empty()).then(|| ApiTokenRestrictions(self.0.restrictions.clone()))
    }

    /// What its bearer may do, as long as the person it belongs to may.
    async fn roles(&self, ctx: &Context<'_>) -> Result<Vec<Role>> {
        let roles = ctx.loaders()?.load(RolesOf(self.0.id)).await?;
        Ok(list_roles(roles.unwrap_or_default()))
    }

    /// Whether the token can be used.
    async fn status(&self, ctx: &Context<'_>) -> Result<ApiTokenStatus> {
        let now = ctx.engine().clock().now();
        Ok(match (self.0.revoked_at, self.0.expires_at) {
            (Some(_), _) => ApiTokenStatus::Revoked,
            (None, Some(at)) if at <= now => ApiTokenStatus::Expired,
            (None, _) if self.is_owner_active(ctx).await? => ApiTokenStatus::Active,
            (None, _) => ApiTokenStatus::OwnerDisabled,
        })
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

impl ApiToken {
    async fn is_owner_active(&self, ctx: &Context<'_>) -> Result<bool> {
        let loaders = ctx.loaders()?;
        Ok(match self.0.owner {
            Some(Owner::User(id)) => loaders.load(id).await?.is_some_and(|user| user.disabled_at.is_none()),
            Some(Owner::ServiceAccount(id)) => {
                loaders.load(id).await?.is_some_and(|account| account.disabled_at.is_none())
            }
            None => false,
        })
    }
}

connection! {
    /// A page of API tokens.
    ApiTokenConnection,
    /// An API token and where it stands in its list.
    ApiTokenEdge, ApiToken
}
