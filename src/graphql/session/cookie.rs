//! The refresh token's cookie: out of reach of scripts and of other sites.

use async_graphql::Context;
use secrecy::{ExposeSecret, SecretString};

use crate::graphql::caller::ContextExt;

pub const NAME: &str = "countersign_refresh";

/// Gives the browser a refresh token that lasts for `seconds`.
pub fn set(ctx: &Context<'_>, token: &SecretString, seconds: i64) {
    send(ctx, token.expose_secret(), seconds.max(0));
}

/// Makes the browser forget its refresh token.
pub fn clear(ctx: &Context<'_>) {
    send(ctx, "", 0);
}

fn send(ctx: &Context<'_>, value: &str, seconds: i64) {
    let secure = if ctx.caller().secure { "; Secure" } else { "" };
    let cookie = format!("{NAME}={value}; Path=/graphql; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    ctx.append_http_header("set-cookie", cookie);
}
