//! Signing in with a one-time link.

use secrecy::SecretString;

use super::StartedSession;
use crate::{
    domain::{
        access::Scope,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{Tx, users::User},
    telemetry::metrics::SIGN_INS,
};

impl Engine {
    pub async fn redeem_sign_in_link(&self, token: SecretString, origin: &Origin) -> Result<StartedSession> {
        self.0.attempts.from_address(origin)?;
        let tx = self.begin(origin).await?;
        let Some(user) = use_up(&tx, &token).await? else {
            metrics::counter!(SIGN_INS, "outcome" => "refused").increment(1);
            let message = "this sign-in link is unknown, has been used or has expired: ask for a new one";
            return Err(Refusal::at("token", Code::Expired, message).into());
        };
        self.start_session(tx, &user, "link", origin).await
    }
}

/// The person whom a good link lets in. Holds the person before the link, as everything does that ends both.
async fn use_up(tx: &Tx, token: &SecretString) -> Result<Option<User>> {
    let Some(owner) = tx.owner_of_sign_in_link(token).await? else {
        return Ok(None);
    };
    let held = tx.hold_user(Scope::as_user(owner.workspace, owner.user), owner.user).await?;
    let user = held.map(|held| held.user).filter(|user| user.disabled_at.is_none());
    Ok(if tx.redeem_sign_in_link(token).await? { user } else { None })
}
