//! Managing service accounts.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::ServiceAccount;
use crate::{
    domain::{id::ServiceAccountId, role::Role},
    engine,
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
    },
    store::service_accounts,
};

/// What the new service account is.
#[derive(InputObject)]
pub struct CreateServiceAccountInput {
    /// The name, unique in the workspace: 1 to 100 characters.
    name: String,
    /// Makes a retry safe: the same key gives the same service account.
    idempotency_key: Option<String>,
}

/// A service account's new name.
#[derive(InputObject)]
pub struct RenameServiceAccountInput {
    /// The service account.
    service_account_id: ID,
    /// The new name, unique in the workspace: 1 to 100 characters.
    name: String,
}

/// Which service account to disable.
#[derive(InputObject)]
pub struct DisableServiceAccountInput {
    /// The service account.
    service_account_id: ID,
}

/// Which service account to enable again.
#[derive(InputObject)]
pub struct EnableServiceAccountInput {
    /// The service account.
    service_account_id: ID,
}

/// Defines a payload with a service account.
macro_rules! service_account_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// The service account after the change.
            service_account: Option<ServiceAccount>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<Outcome> for $name {
            fn from(outcome: Outcome) -> Self {
                match outcome {
                    Ok(account) => Self { service_account: Some(ServiceAccount(account)), user_errors: Vec::new() },
                    Err(user_errors) => Self { service_account: None, user_errors },
                }
            }
        }
    };
}

type Outcome = std::result::Result<service_accounts::ServiceAccount, Vec<UserError>>;

service_account_payload! {
    /// The new service account, or what was wrong.
    CreateServiceAccountPayload
}
service_account_payload! {
    /// The renamed service account, or what was wrong.
    RenameServiceAccountPayload
}
service_account_payload! {
    /// The disabled service account, or what was wrong.
    DisableServiceAccountPayload
}
service_account_payload! {
    /// The enabled service account, or what was wrong.
    EnableServiceAccountPayload
}

/// Runs a command about the service account with this id.
async fn change<F>(id: &ID, command: impl FnOnce(ServiceAccountId) -> F) -> Result<Outcome>
where
    F: Future<Output = engine::Result<service_accounts::ServiceAccount>>,
{
    match parse_id("serviceAccountId", id) {
        Ok(id) => outcome(command(id).await),
        Err(error) => Ok(Err(vec![error])),
    }
}

#[derive(Default)]
pub struct ServiceAccountMutation;

#[Object]
impl ServiceAccountMutation {
    /// Makes a service account. Needs the role ADMIN.
    async fn create_service_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateServiceAccountInput,
    ) -> Result<CreateServiceAccountPayload> {
        let scope = ctx.require(Role::Admin)?;
        let (key, origin) = (input.idempotency_key.as_deref(), &ctx.caller().origin);
        Ok(outcome(ctx.engine().create_service_account(scope, &input.name, key, origin).await)?.into())
    }

    /// Renames a service account. Rules that name the old one do not mean it any more. Needs the role ADMIN.
    async fn rename_service_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RenameServiceAccountInput,
    ) -> Result<RenameServiceAccountPayload> {
        let scope = ctx.require(Role::Admin)?;
        let (name, origin) = (&input.name, &ctx.caller().origin);
        let rename = |id| ctx.engine().rename_service_account(scope, id, name, origin);
        Ok(change(&input.service_account_id, rename).await?.into())
    }

    /// Disables a service account: its tokens stop working at once, and their open connections end.
    /// Needs the role ADMIN.
    async fn disable_service_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: DisableServiceAccountInput,
    ) -> Result<DisableServiceAccountPayload> {
        let scope = ctx.require(Role::Admin)?;
        let disable = |id| ctx.engine().disable_service_account(scope, id, &ctx.caller().origin);
        Ok(change(&input.service_account_id, disable).await?.into())
    }

    /// Enables a service account again: those of its tokens that were not revoked work again. Needs the role ADMIN.
    async fn enable_service_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: EnableServiceAccountInput,
    ) -> Result<EnableServiceAccountPayload> {
        let scope = ctx.require(Role::Admin)?;
        let enable = |id| ctx.engine().enable_service_account(scope, id, &ctx.caller().origin);
        Ok(change(&input.service_account_id, enable).await?.into())
    }
}
