//! Who did something.

use async_graphql::{Context, Enum, Object};

use crate::{
    domain::{access::Actor as DomainActor, role::Role},
    graphql::{api_token::ApiToken, caller::ContextExt, error::Result, user::User},
};

/// What kind of caller acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub enum ActorKind {
    /// A person.
    User,
    /// A program with an API token.
    ApiToken,
    /// The server itself, or its operator at the command line.
    System,
}

/// Who did something.
#[derive(Clone)]
pub struct Actor(pub DomainActor);

/// Who did something.
#[Object]
impl Actor {
    /// What kind of caller it was.
    async fn kind(&self) -> ActorKind {
        match self.0 {
            DomainActor::User(_) => ActorKind::User,
            DomainActor::ApiToken(_) => ActorKind::ApiToken,
            DomainActor::System => ActorKind::System,
        }
    }

    /// The person, if it was one.
    async fn user(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        match self.0 {
            DomainActor::User(id) => Ok(ctx.loaders()?.load(id).await?.map(User)),
            DomainActor::ApiToken(_) | DomainActor::System => Ok(None),
        }
    }

    /// The person's or the token's name; null for the server itself.
    async fn display_name(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        Ok(match self.0 {
            DomainActor::User(id) => ctx.loaders()?.load(id).await?.map(|user| user.display_name),
            DomainActor::ApiToken(id) => ctx.loaders()?.load(id).await?.map(|token| token.name),
            DomainActor::System => None,
        })
    }

    /// The API token, if it was one; null for callers without the role ADMIN, who may not see tokens.
    async fn api_token(&self, ctx: &Context<'_>) -> Result<Option<ApiToken>> {
        match self.0 {
            DomainActor::ApiToken(_) if !ctx.viewer()?.roles.allow(Role::Admin) => Ok(None),
            DomainActor::ApiToken(id) => Ok(ctx.loaders()?.load(id).await?.map(ApiToken)),
            DomainActor::User(_) | DomainActor::System => Ok(None),
        }
    }
}
