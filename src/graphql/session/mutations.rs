//! The ways to start, keep and end a session.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;

use super::cookie;
use crate::{
    demo,
    engine::{
        self,
        commands::{ChangePassword, DemoSignIn, SignIn, SignOut, StartedSession},
    },
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
    },
};

/// What a browser needs to make calls until it renews its session.
#[derive(SimpleObject)]
pub struct AccessSession {
    /// Send it as `Authorization: Bearer …`, or in a WebSocket's `connection_init`. Keep it in memory only.
    access_token: String,
    /// When the access token stops working: call `refreshSession` before.
    expires_at: DateTime<Utc>,
}

/// The way in by password.
#[derive(InputObject)]
pub struct SignInInput {
    /// The account's e-mail address.
    email: String,
    /// Its password.
    #[graphql(secret)]
    password: String,
    /// The workspace's slug; needed only by people with the same address and password in several.
    workspace: Option<String>,
}

/// The way in by one-time link.
#[derive(InputObject)]
pub struct RedeemSignInLinkInput {
    /// The part of the link after `#token=`.
    #[graphql(secret)]
    token: String,
}

/// What to sign out of.
#[derive(InputObject)]
pub struct SignOutInput {
    /// End all sessions of the caller, not only this one.
    #[graphql(default)]
    everywhere: bool,
    /// End this other session of the caller instead.
    session_id: Option<ID>,
}

/// A new password.
#[derive(InputObject)]
pub struct ChangePasswordInput {
    /// The password until now; absent if there is none yet.
    #[graphql(secret)]
    current_password: Option<String>,
    /// The password from now on: 10 to 512 characters, hard to guess, and without the caller's own address or name.
    #[graphql(secret)]
    new_password: String,
}

/// Defines a payload with a started session.
macro_rules! session_payload {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(SimpleObject)]
        pub struct $name {
            /// The access token; the refresh token comes as an HttpOnly cookie.
            session: Option<AccessSession>,
            /// What the caller can fix.
            user_errors: Vec<UserError>,
        }

        impl $name {
            fn new(ctx: &Context<'_>, result: engine::Result<StartedSession>) -> Result<Self> {
                Ok(match outcome(result)? {
                    Ok(started) => Self { session: Some(hand_over(ctx, &started)), user_errors: Vec::new() },
                    Err(user_errors) => Self { session: None, user_errors },
                })
            }
        }
    };
}

session_payload! {
    /// The new session, or what was wrong.
    SignInPayload
}
session_payload! {
    /// The new session, or what was wrong.
    RedeemSignInLinkPayload
}
session_payload! {
    /// The new session, or why there is none.
    DemoSignInPayload
}
session_payload! {
    /// The renewed session, or why there is none.
    RefreshSessionPayload
}

/// Whether the session has ended.
#[derive(SimpleObject)]
pub struct SignOutPayload {
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Whether the link was taken back.
#[derive(SimpleObject)]
pub struct WithdrawSignInLinkPayload {
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// Whether the password was changed.
#[derive(SimpleObject)]
pub struct ChangePasswordPayload {
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

fn hand_over(ctx: &Context<'_>, started: &StartedSession) -> AccessSession {
    if let Some(token) = &started.refresh_token {
        let lasts = started.refresh_expires_at - ctx.engine().clock().now();
        cookie::set(ctx, token, lasts.num_seconds());
    }
    AccessSession { access_token: started.access_token.expose_secret().to_owned(), expires_at: started.expires_at }
}

#[derive(Default)]
pub struct SessionMutation;

#[Object]
impl SessionMutation {
    /// Signs in with an e-mail address and a password. Needs no sign-in; attempts are limited.
    async fn sign_in(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SignInInput,
    ) -> Result<SignInPayload> {
        let command = SignIn { email: input.email, password: input.password.into(), workspace: input.workspace };
        SignInPayload::new(ctx, ctx.engine().sign_in(command, &ctx.caller().origin).await)
    }

    /// Signs in with a one-time link. Needs no sign-in; attempts are limited.
    async fn redeem_sign_in_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: RedeemSignInLinkInput,
    ) -> Result<RedeemSignInLinkPayload> {
        let result = ctx.engine().redeem_sign_in_link(input.token.into(), &ctx.caller().origin).await;
        RedeemSignInLinkPayload::new(ctx, result)
    }

    /// Signs in to a demo with one click, as the person that `serverInfo` names. Needs no sign-in, and works only if the
    /// server runs as a demo, from a browser on the same machine, at a loopback address and without a proxy. Otherwise
    /// it is refused with the code NOT_ALLOWED.
    async fn demo_sign_in(&self, ctx: &Context<'_>) -> Result<DemoSignInPayload> {
        let caller = ctx.caller();
        let command = DemoSignIn { email: demo::VISITOR.0, is_local: caller.is_local };
        DemoSignInPayload::new(ctx, ctx.engine().demo_sign_in(command, &caller.origin).await)
    }

    /// Goes on with the browser's session: takes the refresh token from its cookie and replaces it.
    /// Needs no other sign-in.
    async fn refresh_session(&self, ctx: &Context<'_>) -> Result<RefreshSessionPayload> {
        let caller = ctx.caller();
        let result = ctx.engine().refresh_session(caller.refresh_token.clone(), &caller.origin).await;
        let payload = RefreshSessionPayload::new(ctx, result)?;
        if payload.session.is_none() && caller.refresh_token.is_some() {
            cookie::clear(ctx);
        }
        Ok(payload)
    }

    /// Ends the caller's session at once, open connections included.
    async fn sign_out(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SignOutInput,
    ) -> Result<SignOutPayload> {
        let viewer = ctx.viewer()?;
        let command = match &input.session_id {
            Some(id) => match parse_id("sessionId", id) {
                Ok(id) => SignOut::There(id),
                Err(error) => return Ok(SignOutPayload { user_errors: vec![error] }),
            },
            None if input.everywhere => SignOut::Everywhere,
            None => SignOut::Here,
        };
        let user_errors = outcome(ctx.engine().sign_out(viewer, command, &ctx.caller().origin).await)?.err();
        if user_errors.is_none() && input.session_id.is_none() {
            cookie::clear(ctx);
        }
        Ok(SignOutPayload { user_errors: user_errors.unwrap_or_default() })
    }

    /// Takes back the sign-in link that was made for the caller's account, so that it cannot be used.
    async fn withdraw_sign_in_link(&self, ctx: &Context<'_>) -> Result<WithdrawSignInLinkPayload> {
        let result = ctx.engine().withdraw_sign_in_link(ctx.viewer()?, &ctx.caller().origin).await;
        Ok(WithdrawSignInLinkPayload { user_errors: outcome(result)?.err().unwrap_or_default() })
    }

    /// Sets the caller's own password. All other sessions of the caller end.
    async fn change_password(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: ChangePasswordInput,
    ) -> Result<ChangePasswordPayload> {
        let viewer = ctx.viewer()?;
        let command =
            ChangePassword { current: input.current_password.map(Into::into), new: input.new_password.into() };
        let result = ctx.engine().change_password(viewer, command, &ctx.caller().origin).await;
        Ok(ChangePasswordPayload { user_errors: outcome(result)?.err().unwrap_or_default() })
    }
}
