//! The caller itself.

use std::sync::Arc;

use async_graphql::{Context, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{
    api_token::ApiToken,
    caller::ContextExt,
    error::{Fault, Result, UserError, outcome},
    session::Session,
    user::{Role, User, list_roles},
    workspace::{Workspace, own_workspace},
};
use crate::{
    domain::access::{self, Actor, Scope},
    store::sign_in_links::OpenLink,
};

/// A sign-in link that can still be used.
#[derive(SimpleObject)]
pub struct OpenSignInLink {
    /// When it was made.
    created_at: DateTime<Utc>,
    /// When it stops working.
    expires_at: DateTime<Utc>,
}

/// Who is calling, and what that allows.
pub struct Viewer(Arc<access::Viewer>);

/// Who is calling, and what that allows.
#[Object]
impl Viewer {
    /// The person's or the token's name.
    async fn display_name(&self) -> &str {
        &self.0.display_name
    }

    /// What the caller may do.
    async fn roles(&self) -> Vec<Role> {
        list_roles(self.0.roles)
    }

    /// The workspace that the caller acts in.
    async fn workspace(&self, ctx: &Context<'_>) -> Result<Workspace> {
        own_workspace(ctx).await
    }

    /// The caller's account; null for an API token.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0.actor {
            Actor::User(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            Actor::ApiToken(_) | Actor::System => Ok(None),
        }
    }

    /// The token that the caller uses; null for people.
    async fn api_token(&self, ctx: &Context<'_>) -> Result<Option<ApiToken>> {
        match self.0.actor {
            Actor::ApiToken(id) => Ok(ctx.loaders()?.load(id).await?.map(ApiToken)),
            Actor::User(_) | Actor::System => Ok(None),
        }
    }

    /// The caller's own sessions that can still be used, newest first.
    async fn sessions(&self, ctx: &Context<'_>) -> Result<Vec<Session>> {
        let Actor::User(id) = self.0.actor else {
            return Ok(Vec::new());
        };
        let engine = ctx.engine();
        let sessions = engine.store().sessions(Scope::own(&self.0), id, engine.clock().now()).await?;
        Ok(sessions.into_iter().map(Session).collect())
    }

    /// The sign-in link that was made for the caller's account and can still be used. Who did not ask for one takes it back
    /// with `withdrawSignInLink`.
    async fn sign_in_link(&self, ctx: &Context<'_>) -> Result<Option<OpenSignInLink>> {
        let Actor::User(id) = self.0.actor else { return Ok(None) };
        let engine = ctx.engine();
        let open = engine.store().open_sign_in_link(Scope::own(&self.0), id, engine.clock().now()).await?;
        Ok(open.map(|OpenLink { created_at, expires_at }| OpenSignInLink { created_at, expires_at }))
    }

    /// Whether the caller can only read, because an admin opened this way into an account in use. Signing in with the
    /// password, or with a link of the operator, gives all rights of the account.
    async fn held(&self) -> bool {
        self.0.held
    }

    /// When the caller's access token or API token stops working by itself; null: never.
    async fn expires_at(&self) -> Option<DateTime<Utc>> {
        self.0.expires_at
    }
}

#[derive(Default)]
pub struct ViewerQuery;

#[Object]
impl ViewerQuery {
    /// Who is calling.
    async fn viewer(&self, ctx: &Context<'_>) -> Result<Viewer> {
        Ok(Viewer(ctx.caller().viewer.clone().ok_or(Fault::Unauthenticated)?))
    }
}

/// What to change of the caller's own account.
#[derive(InputObject)]
pub struct UpdateProfileInput {
    /// The name that people see: 1 to 100 characters.
    display_name: String,
}

/// The changed account, or what was wrong.
#[derive(SimpleObject)]
pub struct UpdateProfilePayload {
    /// The caller's account after the change.
    user: Option<User>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct ViewerMutation;

#[Object]
impl ViewerMutation {
    /// Changes the caller's own name.
    async fn update_profile(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateProfileInput,
    ) -> Result<UpdateProfilePayload> {
        let result = ctx.engine().update_profile(ctx.viewer()?, &input.display_name, &ctx.caller().origin).await;
        Ok(match outcome(result)? {
            Ok(user) => UpdateProfilePayload { user: Some(User(user)), user_errors: Vec::new() },
            Err(user_errors) => UpdateProfilePayload { user: None, user_errors },
        })
    }
}
