//! Setting and deleting secrets.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::Secret;
use crate::{
    domain::role::Role,
    engine::commands::SetSecret,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome},
    },
};

/// A secret and its value.
#[derive(InputObject)]
pub struct SetSecretInput {
    /// The name, as in `{{ secret.NAME }}`: 1 to 64 letters, digits and underscores, not a digit first.
    name: String,
    /// The value: 1 to 65,536 bytes. It replaces the one before and is never shown again. A new secret needs one; absent:
    /// it stays as it is.
    #[graphql(secret)]
    value: Option<String>,
    /// The hosts that it may be sent to, such as `api.example.com`, `*.example.com` or `api.example.com:8443`; without a
    /// port it is 443. A new secret needs at least one; absent: they stay as they are.
    hosts: Option<Vec<String>>,
    /// The names of the agents that may send it; none: any agent. Absent: they stay as they are.
    agents: Option<Vec<String>>,
}

/// Which secret to delete.
#[derive(InputObject)]
pub struct DeleteSecretInput {
    /// The name.
    name: String,
}

/// The secret without its value, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct SetSecretPayload {
    /// The secret after the change.
    secret: Option<Secret>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Whether the secret is gone, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct DeleteSecretPayload {
    /// The id of the secret that is gone.
    deleted_secret_id: Option<ID>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct SecretMutation;

#[Object]
impl SecretMutation {
    /// Gives a secret a value, for the first time or anew, and says where it may be sent. Needs the role ADMIN.
    async fn set_secret(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SetSecretInput,
    ) -> Result<SetSecretPayload> {
        let scope = ctx.require(Role::Admin)?;
        let SetSecretInput { name, value, hosts, agents } = input;
        let command = SetSecret { name, value: value.map(Into::into), hosts, agents };
        Ok(match outcome(ctx.engine().set_secret(scope, command, &ctx.caller().origin).await)? {
            Ok(secret) => SetSecretPayload { secret: Some(Secret(secret)), user_errors: Vec::new() },
            Err(user_errors) => SetSecretPayload { user_errors, ..Default::default() },
        })
    }

    /// Deletes a secret. Agents that refer to it fail until it is set again. Needs the role ADMIN.
    async fn delete_secret(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DeleteSecretInput,
    ) -> Result<DeleteSecretPayload> {
        let scope = ctx.require(Role::Admin)?;
        Ok(match outcome(ctx.engine().delete_secret(scope, &input.name, &ctx.caller().origin).await)? {
            Ok(secret) => {
                DeleteSecretPayload { deleted_secret_id: Some(secret.id.to_string().into()), user_errors: Vec::new() }
            }
            Err(user_errors) => DeleteSecretPayload { user_errors, ..Default::default() },
        })
    }
}
