//! Signing in with a one-time link.

use secrecy::SecretString;

use super::{StartedSession, take_over::is_in_use};
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
        let Some((user, held)) = use_up(&tx, &token).await? else {
            metrics::counter!(SIGN_INS, "outcome" => "refused").increment(1);
            let message = "this sign-in link is unknown, has been used or has expired: ask for a new one";
            return Err(Refusal::at("token", Code::Expired, message).into());
        };
        // Also a link from before the account was used: the one who made it may have kept it.
        self.start_session(tx, &user, "link", held, origin).await
    }
}

/// The person whom a good link lets in, and whether somebody else may have made it for an account in use. Holds the person before the link, as everything does that ends both.
async fn use_up(tx: &Tx, token: &SecretString) -> Result<Option<(User, bool)>> {
    let Some(owner) = tx.owner_of_sign_in_link(token).await? else {
        return Ok(None);
    };
    let held = tx.hold_user(Scope::as_user(owner.workspace, owner.user), owner.user).await?;
    let Some(held) = held.filter(|held| held.user.disabled_at.is_none()) else { return Ok(None) };
    let recovery = !owner.operator && is_in_use(tx, &held).await?;
    Ok(tx.redeem_sign_in_link(token).await?.then_some((held.user, recovery)))
}
