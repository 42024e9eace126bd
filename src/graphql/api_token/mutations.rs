//! Managing API tokens.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;

use super::{ApiToken, ApiTokenRestrictionsInput, ApiTokenRight};
use crate::{
    domain::{api_token, role},
    engine::commands::{BelongsTo, CreateApiToken},
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
    /// What its bearer may do: at least one role, unless it has a right.
    roles: Vec<Role>,
    /// The service account that it belongs to. Absent: the caller, whose rights it never exceeds; where the caller is a
    /// token itself, whoever that belongs to.
    service_account_id: Option<ID>,
    /// The rights that it has beside its roles.
    rights: Option<Vec<ApiTokenRight>>,
    /// What it may do only; absent: everything that its roles allow. A restricted token cannot have the role ADMIN.
    restrictions: Option<ApiTokenRestrictionsInput>,
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
    /// Makes a token for a program: one of the caller's own, or one of a service account. Needs the role ADMIN.
    async fn create_api_token(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateApiTokenInput,
    ) -> Result<CreateApiTokenPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let belongs_to = match input.service_account_id.map(|id| parse_id("serviceAccountId", &id)).transpose() {
            Ok(account) => account.map_or(BelongsTo::Caller, BelongsTo::ServiceAccount),
            Err(error) => return Ok(CreateApiTokenPayload { user_errors: vec![error], ..Default::default() }),
        };
        let command = CreateApiToken {
            name: input.name,
            roles: collect_roles(input.roles),
            rights: input.rights.unwrap_or_default().into_iter().map(api_token::Right::from).collect(),
            limits: input.restrictions.unwrap_or_default().into(),
            belongs_to,
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
