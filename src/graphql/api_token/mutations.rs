//! Managing API tokens.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;

use super::ApiToken;
use crate::{
    domain::role,
    engine::commands::CreateApiToken,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
        user::{Role, collect_roles},
    },
};

/// What the new token is.
#[derive(InputObject)]
pub struct CreateApiTokenInput {
    /// What it is for: 1 to 100 characters.
    name: String,
    /// What its bearer may do: at least one role.
    roles: Vec<Role>,
    /// When it stops working by itself; absent: never.
    expires_at: Option<DateTime<Utc>>,
    /// Makes a retry safe: the same key gives the same token.
    idempotency_key: Option<String>,
}

/// The new token, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct CreateApiTokenPayload {
    /// The new token's description.
    api_token: Option<ApiToken>,
    /// The token itself. Shown once: a retry does not show it again.
    secret: Option<String>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Which token to take back.
#[derive(InputObject)]
pub struct RevokeApiTokenInput {
    /// The token's id.
    api_token_id: ID,
}

/// The token that was taken back, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct RevokeApiTokenPayload {
    /// The token after the change.
    api_token: Option<ApiToken>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct ApiTokenMutation;

#[Object]
impl ApiTokenMutation {
    /// Makes a token for a program. Needs the role ADMIN.
    async fn create_api_token(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateApiTokenInput,
    ) -> Result<CreateApiTokenPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let command = CreateApiToken {
            name: input.name,
            roles: collect_roles(input.roles),
            expires_at: input.expires_at,
            idempotency_key: input.idempotency_key,
        };
        Ok(match outcome(ctx.engine().create_api_token(scope, command, &ctx.caller().origin).await)? {
            Ok(created) => CreateApiTokenPayload {
                api_token: Some(ApiToken(created.token)),
                secret: created.secret.map(|secret| secret.expose_secret().to_owned()),
                user_errors: Vec::new(),
            },
            Err(user_errors) => CreateApiTokenPayload { user_errors, ..Default::default() },
        })
    }

    /// Takes a token back at once: its open connections end. Needs the role ADMIN.
    async fn revoke_api_token(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RevokeApiTokenInput,
    ) -> Result<RevokeApiTokenPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let id = match parse_id("apiTokenId", &input.api_token_id) {
            Ok(id) => id,
            Err(error) => return Ok(RevokeApiTokenPayload { user_errors: vec![error], ..Default::default() }),
        };
        Ok(match outcome(ctx.engine().revoke_api_token(scope, id, &ctx.caller().origin).await)? {
            Ok(token) => RevokeApiTokenPayload { api_token: Some(ApiToken(token)), user_errors: Vec::new() },
            Err(user_errors) => RevokeApiTokenPayload { user_errors, ..Default::default() },
        })
    }
}
