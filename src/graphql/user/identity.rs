//! Identities of the outside identity provider, and the accounts that they open.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::User;
use crate::{
    domain::role,
    engine::commands::{LinkUserIdentity, UnlinkIdentity},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
    },
    store::{outside_identities, users},
};

/// An identity of the outside identity provider that opens an account.
pub struct OutsideIdentity(pub outside_identities::Linked);

/// An identity of the outside identity provider that opens an account.
#[Object]
impl OutsideIdentity {
    /// The provider: the `iss` of its tokens.
    async fn issuer(&self) -> &str {
        &self.0.identity.issuer
    }

    /// The provider's lasting name for the person: the `sub` of its tokens.
    async fn subject(&self) -> &str {
        &self.0.identity.subject
    }

    /// When it was linked to the account.
    async fn linked_at(&self) -> DateTime<Utc> {
        self.0.linked_at
    }
}

/// The identity that the caller has shown to own.
#[derive(InputObject)]
pub struct LinkIdentityInput {
    /// A token of the identity provider that is valid now.
    #[graphql(secret)]
    token: String,
}

/// Which identity opens whose account from now on.
#[derive(InputObject)]
pub struct LinkUserIdentityInput {
    /// The user.
    user_id: ID,
    /// The provider: the setting `oidc-issuer`.
    issuer: String,
    /// The provider's lasting name for the person: the `sub` of its tokens.
    subject: String,
}

/// Which identity opens an account no longer.
#[derive(InputObject)]
pub struct UnlinkIdentityInput {
    /// Whose; the caller's own when absent. Others need the role ADMIN.
    user_id: Option<ID>,
    /// The provider.
    issuer: String,
    /// The provider's name for the person.
    subject: String,
}

/// Defines a payload with the user whose identities have changed.
macro_rules! identity_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Default, SimpleObject)]
        pub struct $name {
            /// The user after the change.
            user: Option<User>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl From<std::result::Result<users::User, Vec<UserError>>> for $name {
            fn from(result: std::result::Result<users::User, Vec<UserError>>) -> Self {
                match result {
                    Ok(user) => Self { user: Some(User(user)), user_errors: Vec::new() },
                    Err(user_errors) => Self { user: None, user_errors },
                }
            }
        }
    };
}

identity_payload! {
    /// The caller's account, which the identity opens now, or what was wrong.
    LinkIdentityPayload
}
identity_payload! {
    /// The user whose account the identity opens now, or what was wrong.
    LinkUserIdentityPayload
}
identity_payload! {
    /// The user whose account the identity opened, or what was wrong.
    UnlinkIdentityPayload
}

#[derive(Default)]
pub struct IdentityMutation;

#[Object]
impl IdentityMutation {
    /// Lets an identity of the outside identity provider open the caller's own account. Call it with a session of that
    /// account: one that was started with a password or a sign-in link.
    async fn link_identity(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: LinkIdentityInput,
    ) -> Result<LinkIdentityPayload> {
        let result = ctx.engine().link_identity(ctx.viewer()?, &input.token.into(), &ctx.caller().origin).await;
        Ok(outcome(result)?.into())
    }

    /// Lets an identity of the outside identity provider open somebody's account. Whoever has that identity can then do
    /// everything that the user can. Needs the role ADMIN.
    async fn link_user_identity(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: LinkUserIdentityInput,
    ) -> Result<LinkUserIdentityPayload> {
        let scope = ctx.require(role::Role::Admin)?;
        let user = match parse_id("userId", &input.user_id) {
            Ok(id) => id,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        let command = LinkUserIdentity { user, issuer: input.issuer, subject: input.subject };
        Ok(outcome(ctx.engine().link_user_identity(scope, command, &ctx.caller().origin).await)?.into())
    }

    /// Takes an identity from an account: the caller's own, or with the role ADMIN anybody's. Open connections of that
    /// user end and can be opened again by other ways in.
    async fn unlink_identity(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UnlinkIdentityInput,
    ) -> Result<UnlinkIdentityPayload> {
        let viewer = ctx.viewer()?;
        let user = match input.user_id.as_ref().map(|id| parse_id("userId", id)).transpose() {
            Ok(id) => id,
            Err(error) => return Ok(Err(vec![error]).into()),
        };
        let command = UnlinkIdentity { user, issuer: input.issuer, subject: input.subject };
        Ok(outcome(ctx.engine().unlink_identity(viewer, command, &ctx.caller().origin).await)?.into())
    }
}
