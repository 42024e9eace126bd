//! Signing in with a one-time link.

use secrecy::SecretString;

use super::StartedSession;
use crate::{
    domain::{
        access::Scope,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    telemetry::metrics::SIGN_INS,
};

impl Engine {
    pub async fn redeem_sign_in_link(&self, token: SecretString, origin: &Origin) -> Result<StartedSession> {
        self.0.attempts.from_address(origin)?;
        let tx = self.begin(origin).await?;
        let redeemed = tx.redeem_sign_in_link(&token).await?;
        let user = match redeemed {
            Some(link) => self.store().user(Scope::as_user(link.workspace, link.user), link.user).await?,
            None => None,
        };
        let Some(user) = user.filter(|user| user.disabled_at.is_none()) else {
            metrics::counter!(SIGN_INS, "outcome" => "refused").increment(1);
            let message = "this sign-in link is unknown, has been used or has expired: ask for a new one";
            return Err(Refusal::at("token", Code::Expired, message).into());
        };
        self.start_session(tx, &user, "link", origin).await
    }
}
